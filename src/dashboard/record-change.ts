import { type Deed, recordDeed } from '../accounts/record-deed.ts';
import type { Transaction } from '../database/connect.ts';
import type { Visit } from './route.ts';

/** Call in the transaction of the change: the audit row and the owner's notice exist exactly when the change does. */
export async function recordChange(tx: Transaction, visit: Visit, deed: Deed): Promise<void> {
  const { merchantId, user, address, now } = visit;
  await recordDeed(tx, { merchantId, actor: user.email, address, now }, deed);
}
