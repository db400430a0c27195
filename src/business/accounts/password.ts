import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { takeTurns } from '../../base/http/take-turns.ts';
import { codePoints } from '../../base/http/text.ts';

const argon2Async = promisify(argon2);

/** OWASP's second recommendation for argon2id: 19 MiB, two passes, one lane. It runs off the event loop. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

/** Uses at most 40 MiB and half of Node's worker threads. A full queue takes about two seconds. */
const inTurn = takeTurns({ atOnce: 2, waiting: 60, retryAfterSeconds: 3 });

/** Returns the usual text form, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await inTurn(() => argon2Async('argon2id', { message: password, nonce: salt, ...cost }));
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(hash)}`;
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? [];
  if (!memory) return false;
  const wanted = Buffer.from(hash, 'base64');
  const given = await inTurn(() =>
    argon2Async('argon2id', {
      message: password,
      nonce: Buffer.from(salt, 'base64'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: wanted.length,
    }),
  );
  return timingSafeEqual(given, wanted);
}

export const shortestPassword = 12;
const longestPassword = 200;

export function passwordProblem(
  password: string,
  email: string,
): 'too_short' | 'too_long' | 'too_plain' | null {
  const length = codePoints(password);
  if (length < shortestPassword) return 'too_short';
  if (length > longestPassword) return 'too_long';
  const plain = password.toLowerCase();
  if (plain === email.toLowerCase() || new Set(plain).size < 4) return 'too_plain';
  return null;
}
