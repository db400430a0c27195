import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { keptFor } from '../../base/what-is-kept.ts';
import { markLeaving, unmarkLeaving } from './queries/businesses.ts';
import { deleteAllInvitations } from './queries/links.ts';

/** §8: the deletion window. The business counts as disabled during it. */
export const deletionWindow = keptFor('business');

/**
 * Requests deletion. The API answers 403 from now on, and the mailbox is disconnected and its password wiped. If a
 * customer may still be paying, it is read until the last open order has ended. All other data stays for seven days, in
 * which the owner can cancel. Returns false if deletion was already requested.
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

/** Returns false if nothing is to be cancelled or the seven days have passed. */
export async function cancelDeletion(tx: Transaction, merchantId: number, now: Date): Promise<boolean> {
  return await unmarkLeaving(tx, merchantId, later(now, -deletionWindow));
}

export function deletionDay(requestedAt: Date): Date {
  return later(requestedAt, deletionWindow);
}
