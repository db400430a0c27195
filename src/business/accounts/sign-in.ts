import { minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { record } from './audit.ts';
import { forgive, mayGuess, passwordGuesses } from './guesses.ts';
import type { Role } from './may-do.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { deleteSession } from './queries/sessions.ts';
import { selectUser, selectUserByEmail, type UserRow } from './queries/users.ts';
import { takeCode } from './second-factor.ts';
import { findSession, startSession } from './session.ts';
import { homeOf } from './taken-names.ts';

export type Caller = { address: string; agent: string };

export type SignIn =
  /** `code`: the password is right, and the second factor comes next. */
  | { outcome: 'signed_in' | 'code'; token: string; role: Role }
  | { outcome: 'refused' }
  | { outcome: 'too_many' };

/** Longer text is not a password; hashing it would only cost us. */
const mostTyped = 1000;

/** An unknown address, a wrong password and a missing one get the same answer after the same work. */
export async function signIn(
  asked: Pick<World, 'sql' | 'clock' | 'cells'>,
  { email, password, address, agent }: Caller & { email: string; password: string },
): Promise<SignIn> {
  const guesses = passwordGuesses(email, address);
  // Count in the account's cell, so that a cell that is down locks out nobody else.
  const world = await homeOf(asked, email);
  if (!(await mayGuess(world, guesses))) return { outcome: 'too_many' };
  const user = await userSpelled(world, email);
  const stored = user?.password_hash || (await nobodysHash());
  const matches = await passwordMatches(password.slice(0, mostTyped), stored);
  // Write no audit row here: it would take longer for a known address than for an unknown one.
  if (!user || !matches) return { outcome: 'refused' };
  await forgive(world, guesses);
  return await world.sql.begin(async tx => {
    if (!(await isUnchanged(tx, user))) return { outcome: 'refused' };
    const { merchant_id: merchantId, user_id: userId, role } = user;
    if (user.totp_secret === null)
      return { outcome: 'signed_in', token: await openSession(tx, world, user, { address, agent }), role };
    const { token } = await startSession(tx, world, { merchantId, userId, stage: 'code', address, agent });
    return { outcome: 'code', token, role };
  });
}

/** Since it was read, the password may have been changed, the phone ended, or two-step sign-in switched on. */
async function isUnchanged(tx: Transaction, user: UserRow): Promise<boolean> {
  return await tx`select from users where merchant_id = ${user.merchant_id} and user_id = ${user.user_id}
    and password_hash = ${user.password_hash} and totp_secret is not distinct from ${user.totp_secret} for share`.some();
}

/**
 * Many databases treat letters such as İ and i as equal, and we do not. Guesses are counted by our spelling. If another
 * spelling found the same account, each would allow a new round of guesses.
 */
async function userSpelled({ sql }: Pick<World, 'sql'>, email: string): Promise<UserRow | null> {
  const user = await selectUserByEmail(sql, email);
  return user?.email.toLowerCase() === email.toLowerCase() ? user : null;
}

/** Starts a session with a new token and ends the browser's previous one. */
export async function completeSignIn(
  world: Pick<World, 'sql' | 'clock'>,
  user: SignedIn,
  caller: Caller,
): Promise<string> {
  return await world.sql.begin(tx => openSession(tx, world, user, caller));
}

type SignedIn = Pick<UserRow, 'merchant_id' | 'user_id' | 'email'>;

/** Session and audit row are in one transaction, so the log has every session and only real ones. */
async function openSession(
  tx: Transaction,
  world: Pick<World, 'clock'>,
  { merchant_id: merchantId, user_id: userId, email }: SignedIn,
  { address, agent }: Caller,
): Promise<string> {
  const { token } = await startSession(tx, world, { merchantId, userId, stage: 'full', address, agent });
  const at = world.clock.now();
  await record(tx, { merchantId, at, actor: email, action: 'sign_in', subject: email, address });
  return token;
}

let hashOfNobody: Promise<string> | null = null;

/** A hash that no password matches, so that an unknown address takes as long as a known one. */
function nobodysHash(): Promise<string> {
  hashOfNobody ??= hashPassword(crypto.randomUUID()).catch((error: unknown) => {
    hashOfNobody = null;
    throw error;
  });
  return hashOfNobody;
}

const codeTime = 10 * minute;

export type CodeSignIn = SignIn | { outcome: 'start_again' };

export async function signInWithCode(
  world: Pick<World, 'sql' | 'clock' | 'secrets'>,
  { cookie, code, ...caller }: Caller & { cookie: string | null; code: string },
): Promise<CodeSignIn> {
  const now = world.clock.now();
  const session = await findSession(world, cookie);
  if (session?.stage !== 'code' || now.getTime() - session.created_at.getTime() > codeTime)
    return { outcome: 'start_again' };
  const { merchant_id: merchantId, user_id: userId, session_id: sessionId } = session;
  const user = await selectUser(world.sql, { merchantId, userId });
  if (!user) return { outcome: 'start_again' };
  const taken = await takeCode(world, user, { code, address: caller.address });
  if (taken !== 'right') return { outcome: taken === 'too_many' ? 'too_many' : 'refused' };
  return await world.sql.begin(async tx => {
    if (!(await isUnchanged(tx, user)) || !(await deleteSession(tx, merchantId, userId, sessionId)))
      return { outcome: 'start_again' };
    return { outcome: 'signed_in', token: await openSession(tx, world, user, caller), role: user.role };
  });
}
