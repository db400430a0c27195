import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { productName } from '../../texts/name-platform.ts';
import { because } from '../../texts/verdicts.ts';
import { forgive, type Guess, mayGuess } from './guesses.ts';
import { adoptPendingTotp, replaceRecoveryCodes, takeRecoveryCode, takeTotpStep } from './queries/factors.ts';
import { type Person, selectUser, type UserRow } from './queries/users.ts';
import { recordAudit } from './record-audit.ts';

/** Accepts an authenticator code or a recovery code, each once. Guesses are limited. */
export async function takeCode(
  world: Pick<World, 'sql' | 'clock' | 'secrets'>,
  user: UserRow,
  { code, address }: { code: string; address: string },
): Promise<'right' | 'wrong_code' | 'too_many'> {
  const guesses: Guess[] = [{ kind: 'code', whom: user.user_id }];
  if (!(await mayGuess(world, guesses))) return 'too_many';
  if (!(await codeIsRight(world, user, code, address))) return 'wrong_code';
  await forgive(world, guesses);
  return 'right';
}

async function codeIsRight(
  { sql, clock, secrets }: Pick<World, 'sql' | 'clock' | 'secrets'>,
  user: UserRow,
  code: string,
  address: string,
): Promise<boolean> {
  const { merchant_id: merchantId, user_id: userId, email, totp_secret: sealed } = user;
  const now = clock.now();
  if (sealed !== null) {
    const step = totpStep(secrets.open(sealed, totpBinding(merchantId, userId)), code, now);
    if (step !== null) return await takeTotpStep(sql, { merchantId, userId }, step);
  }
  const hash = hashRecoveryCode(code);
  if (!hash) return false;
  return await sql.begin(async tx => {
    if (!(await takeRecoveryCode(tx, { merchantId, userId }, hash, now))) return false;
    const who = { merchantId, actor: email, address, now };
    await recordAudit(tx, who, {
      action: 'recovery_code.use',
      subject: email,
      notice: because('recovery_code_used', { email }),
    });
    return true;
  });
}

/** Stores a new secret as pending until one of its codes is entered. An unfinished set-up must not lock anybody out. */
export async function beginTotp(
  { sql, secrets }: Pick<World, 'sql' | 'secrets'>,
  who: Person,
): Promise<void> {
  const { merchantId, userId } = who;
  const sealed = secrets.seal(new Secret({ size: secretBytes }).base32, totpBinding(merchantId, userId));
  await sql`update users set totp_pending = ${sealed} where merchant_id = ${merchantId} and user_id = ${userId}`;
}

export async function pendingTotp(
  { sql, secrets }: Pick<World, 'sql' | 'secrets'>,
  who: Person,
): Promise<string | null> {
  const sealed = (await selectUser(sql, who))?.totp_pending;
  return sealed ? secrets.open(sealed, totpBinding(who.merchantId, who.userId)) : null;
}

/** Returns null for a wrong code, else the recovery codes to show once. */
export async function finishTotp(
  tx: Transaction,
  { secrets, clock }: Pick<World, 'secrets' | 'clock'>,
  who: Person,
  code: string,
): Promise<string[] | null> {
  const sealed = (await selectUser(tx, who))?.totp_pending;
  if (!sealed) return null;
  const step = totpStep(secrets.open(sealed, totpBinding(who.merchantId, who.userId)), code, clock.now());
  if (step === null || !(await adoptPendingTotp(tx, who, { sealed, step }))) return null;
  return await renewRecoveryCodes(tx, who);
}

export async function renewRecoveryCodes(tx: Transaction, who: Person): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map(code => hashRecoveryCode(code)!);
  await replaceRecoveryCodes(tx, who, hashes);
  return codes;
}

/** RFC 6238 with the parameters of every authenticator app: SHA-1, six digits, 30 seconds. */
const period = 30;
const settings = { algorithm: 'SHA1', digits: 6, period };
const secretBytes = 20;
/** One step either way, because a phone's clock may be half a minute off. */
const window = 1;

export function totpUri(secret: string, email: string): string {
  return new TOTP({
    ...settings,
    issuer: productName.en,
    label: email,
    secret: Secret.fromBase32(secret),
  }).toString();
}

/** Returns the code's time step, or null. The caller stores the last step, so that each is used once. */
function totpStep(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token, timestamp: now.getTime(), window });
  return delta === null ? null : Math.floor(now.getTime() / (period * second)) + delta;
}

export function totpBinding(merchantId: number, userId: string): string {
  return `merchant:${merchantId}:user:${userId}:totp`;
}

/** No characters that look alike. 16 of 31 are 79 bits, too many to guess, so a plain hash is enough. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 16;
const group = 4;
const howMany = 10;

/** Codes for a lost phone; each replaces the second factor once. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: howMany }, () => {
    const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
    return letters.match(new RegExp(`.{${group}}`, 'g'))!.join('-');
  });
}

/** Ignores case, spaces and hyphens. Returns null for text that cannot be a code. */
function hashRecoveryCode(text: string): Buffer | null {
  const letters = text.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== length) return null;
  return createHash('sha256').update(`recovery code\n${letters}`).digest();
}
