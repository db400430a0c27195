import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { keptFor } from '../../base/what-is-kept.ts';
import { markLeaving, unmarkLeaving } from './queries/businesses.ts';
import { deleteAllInvitations } from './queries/links.ts';

/** §8: the account deletion window, during which the business counts as disabled. */
export const deletionWindow = keptFor('business');

/**
 * The wish to leave. From this moment the API answers 403, and the mailbox is disconnected with its password wiped,
 * unless a customer may be paying: then it is read until the last open order is over. Everything else stays for seven
 * days, in which the owner can come back. False when it was asked for already.
 */
export async function requestDeletion(
  tx: Transaction,
  merchantId: number,
  now: Date,
  stopReading: (tx: Transaction, merchantId: number, now: Date) => Promise<void>,
): Promise<boolean> {
  if (!(await markLeaving(tx, merchantId, now))) return false;
  await stopReading(tx, merchantId, now);
  await deleteAllInvitations(tx, merchantId);
  return true;
}

/** False when there is nothing to cancel, or the seven days have passed. */
export async function cancelDeletion(tx: Transaction, merchantId: number, now: Date): Promise<boolean> {
  return await unmarkLeaving(tx, merchantId, later(now, -deletionWindow));
}

export function deletionDay(requestedAt: Date): Date {
  return later(requestedAt, deletionWindow);
}
