import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { keptFor } from '../../base/retention.ts';

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
  const isAsked = await tx`
    update merchants set deletion_requested_at = ${now}
    where merchant_id = ${merchantId} and deletion_requested_at is null
    returning merchant_id`.some();
  if (!isAsked) return false;
  await stopReading(tx, merchantId, now);
  await tx`delete from account_links where merchant_id = ${merchantId} and purpose = 'join' and used_at is null`;
  return true;
}

/** Returns false if nothing is to be cancelled or the seven days have passed. */
export async function cancelDeletion(tx: Transaction, merchantId: number, now: Date): Promise<boolean> {
  return await tx`
    update merchants set deletion_requested_at = null
    where merchant_id = ${merchantId} and deletion_requested_at > ${later(now, -deletionWindow)}
    returning merchant_id`.some();
}

export function deletionDay(requestedAt: Date): Date {
  return later(requestedAt, deletionWindow);
}
