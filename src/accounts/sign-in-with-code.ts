import { minute } from '../clock.ts';
import { because } from '../verdicts.ts';
import type { World } from '../world.ts';
import { forgive, type Guess, mayGuess } from './guesses.ts';
import { takeRecoveryCode, takeTotpStep } from './queries/factors.ts';
import { deleteSession } from './queries/sessions.ts';
import { selectUser, type UserRow } from './queries/users.ts';
import { recordDeed } from './record-deed.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { findSession } from './session.ts';
import { type Caller, completeSignIn, type SignIn } from './sign-in.ts';
import { totpBinding, totpStep } from './totp.ts';

/** How long the right password waits for the second factor. */
const codeTime = 10 * minute;

export type CodeSignIn = SignIn | { outcome: 'start_again' };

/** The second step: a code of the authenticator app, or one of the recovery codes. */
export async function signInWithCode(
  world: Pick<World, 'sql' | 'clock' | 'secrets'>,
  { cookie, code, ...caller }: Caller & { cookie: string | null; code: string },
): Promise<CodeSignIn> {
  const now = world.clock.now();
  const session = await findSession(world, cookie);
  if (session?.stage !== 'code' || now.getTime() - session.created_at.getTime() > codeTime)
    return { outcome: 'start_again' };
  const user = await selectUser(world.sql, session.merchant_id, session.user_id);
  if (!user) return { outcome: 'start_again' };
  const guesses: Guess[] = [{ kind: 'code', whom: user.user_id }];
  if (!(await mayGuess(world, guesses))) return { outcome: 'too_many' };
  if (!(await codeIsRight(world, user, code, caller.address))) return { outcome: 'refused' };
  await forgive(world, guesses);
  await deleteSession(world.sql, session.merchant_id, session.user_id, session.session_id);
  return { outcome: 'signed_in', token: await completeSignIn(world, user, caller), role: user.role };
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
    if (step !== null) return await takeTotpStep(sql, merchantId, userId, step);
  }
  const hash = hashRecoveryCode(code);
  if (!hash) return false;
  return await sql.begin(async tx => {
    if (!(await takeRecoveryCode(tx, merchantId, userId, hash, now))) return false;
    const doer = { merchantId, actor: email, address, now };
    await recordDeed(tx, doer, {
      action: 'recovery_code.use',
      subject: email,
      notice: because('recovery_code_used', { email }),
    });
    return true;
  });
}
