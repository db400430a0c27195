import type { Transaction } from '../../base/database/connect.ts';
import { mayDo, type Permission } from '../../business/accounts/may-do.ts';
import { holdRole } from '../../business/accounts/queries/sessions.ts';
import type { Visit } from './route.ts';

/** Somebody lost the right to a change while it was on its way. Its transaction ends with it. */
export class NoLongerAllowed extends Error {}

/**
 * For a change that takes seconds before it is written, such as a mail server that is tried: whoever was removed, given
 * a smaller role or signed out meanwhile must not complete it. A slow server of one's own must not buy time.
 */
export async function stillAllowed(
  tx: Transaction,
  { merchantId, user, session }: Visit,
  permission: Permission,
): Promise<void> {
  const role = await holdRole(tx, merchantId, user.userId, session.sessionId);
  if (role === null || !mayDo(role, permission)) throw new NoLongerAllowed();
}
