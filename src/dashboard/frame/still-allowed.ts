import type { Transaction } from '../../base/database/connect.ts';
import { mayDo, type Permission } from '../../business/accounts/may-do.ts';
import { lockRole } from '../../business/accounts/queries/sessions.ts';
import type { Visit } from './route.ts';

/** The person lost the right to a change while it was running. The error rolls its transaction back. */
export class NoLongerAllowed extends Error {}

/**
 * For a change that takes seconds before it is written, such as a mail server that is tried. A person who was removed,
 * demoted or signed out during it must not complete it. Nobody may buy time with a slow server of their own.
 */
export async function stillAllowed(
  tx: Transaction,
  { merchantId, user, session }: Visit,
  permission: Permission,
): Promise<void> {
  const role = await lockRole(tx, merchantId, user.userId, session.sessionId);
  if (role === null || !mayDo(role, permission)) throw new NoLongerAllowed();
}
