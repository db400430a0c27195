import { day } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { Reason } from '../../texts/verdicts.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import type { ClaimedDelivery } from './queries/claim-due.ts';
import { countFailure, markTold, type RecoveredDestination } from './queries/record.ts';

/** A destination fails for days, not for minutes, before its owner is disturbed. */
const failingFor = 2 * day;
const leastFailures = 5;

/** Counts a failure of a destination, and tells the owner once when it has failed for days. */
export async function tellOfFailure(
  tx: Transaction,
  { merchant_id, destination }: ClaimedDelivery,
  failure: Reason,
  now: Date,
): Promise<void> {
  const failing = await countFailure(tx, { merchant_id, destination }, failure, now);
  const isLong = now.getTime() - failing.failing_since.getTime() >= failingFor;
  if (failing.told_at !== null || !isLong || failing.failures < leastFailures) return;
  await markTold(tx, { merchant_id, destination }, now);
  await notifyOwner(tx, {
    merchantId: merchant_id,
    kind: 'webhook_failing',
    facts: { since: failing.failing_since, destination, failures: failing.failures, cause: failure },
    dedupeKey: `webhook_failing:${keyOf(failing)}`,
    now,
  });
}

/** Tells the owner that a destination they were warned about works again. */
export async function tellOfRecovery(
  tx: Transaction,
  failing: RecoveredDestination,
  now: Date,
): Promise<void> {
  const { merchant_id, destination, failing_since } = failing;
  await notifyOwner(tx, {
    merchantId: merchant_id,
    kind: 'webhook_working',
    facts: { destination, at: now, since: failing_since },
    dedupeKey: `webhook_working:${keyOf(failing)}`,
    now,
  });
}

/** Tells the owner that an event was given up: once a day per destination, because the list is on the dashboard. */
export async function tellOfGivingUp(
  tx: Transaction,
  { merchant_id, destination, order_id, type }: ClaimedDelivery,
  failure: Reason,
  now: Date,
): Promise<void> {
  if (order_id === null) return;
  await notifyOwner(tx, {
    merchantId: merchant_id,
    kind: 'webhook_given_up',
    facts: { type, order: order_id, destination, cause: failure },
    dedupeKey: `webhook_given_up:${destination}:${now.toISOString().slice(0, 10)}`,
    now,
  });
}

function keyOf({ destination, failing_since }: Omit<RecoveredDestination, 'merchant_id'>): string {
  return `${destination}:${failing_since.toISOString()}`;
}
