import { minute } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { deleteSession } from './queries/sessions.ts';
import { selectUser } from './queries/users.ts';
import { findSession } from './session.ts';
import { type Caller, completeSignIn, type SignIn } from './sign-in.ts';
import { takeCode } from './take-code.ts';

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
  const { merchant_id: merchantId, user_id: userId, session_id: sessionId } = session;
  const user = await selectUser(world.sql, { merchantId, userId });
  if (!user) return { outcome: 'start_again' };
  const taken = await takeCode(world, user, { code, address: caller.address });
  if (taken !== 'right') return { outcome: taken === 'too_many' ? 'too_many' : 'refused' };
  await world.sql.begin(tx => deleteSession(tx, merchantId, userId, sessionId));
  return { outcome: 'signed_in', token: await completeSignIn(world, user, caller), role: user.role };
}
