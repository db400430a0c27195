import { day, later } from '../../base/clock.ts';
import { batchQueries } from '../../base/database/batch-queries.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { isDatabaseDown } from '../../base/database/database-down.ts';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import {
  type AttemptResult,
  type ClaimedDelivery,
  countFailure,
  finishDelivered,
  finishFailed,
  finishWithoutNotice,
  giveUpEvent,
  markNotified,
  type NextAttempt,
  type RecoveredDestination,
} from './queries/attempts.ts';
import { pauseAfter } from './record-event.ts';

/** `lost`: the lease had lapsed, and another process repeats the attempt. */
export type Recorded = 'delivered' | 'retry' | 'given_up' | 'lost';

/**
 * Records an attempt and its consequences in one transaction. If the process dies here, the lease lapses and the
 * attempt is repeated. Every event is always either in the queue or finished.
 */
export async function recordAttempt(
  world: Pick<World, 'sql' | 'clock'>,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  random: () => number = Math.random,
): Promise<Recorded> {
  const now = world.clock.now();
  const { outcome, failure } = result;
  if (outcome === 'delivered') return (await recordDelivered(world, [{ delivery, result }]))[0]!;
  const next = nextAttempt(delivery, outcome, now, random);
  return await world.sql.begin(async tx => {
    if (!(await finishFailed(tx, delivery, result, next))) return 'lost';
    if (outcome === 'interrupted') return 'retry';
    const reason = failure ?? because('broken_answer');
    await notifyOfFailure(tx, delivery, reason, now);
    if (next !== null) return 'retry';
    await giveUpEvent(tx, delivery);
    await notifyOfGivingUp(tx, delivery, reason, now);
    return 'given_up';
  });
}

/** How many milliseconds a success waits for a batch. A crash in this time repeats the webhook. */
const waits = 5;
/** Deliveries keep their slots until they are recorded, and a larger batch takes longer. */
const mostInOne = 64;

export type Recorder = (delivery: ClaimedDelivery, result: AttemptResult) => Promise<Recorded>;

/** Batches successes. Failures are recorded one by one, because they are few and have consequences. */
export function openRecorder(world: Pick<World, 'sql' | 'clock'>): Recorder {
  const recordSuccess = batchQueries(
    async (successes: readonly Success[]) => {
      try {
        return await recordDelivered(world, successes);
      } catch (error) {
        if (isDatabaseDown(error)) throw error;
        // The database refused one of them. Record each alone, so that the others are not lost.
        return successes.map(({ delivery, result }) => recordAttempt(world, delivery, result));
      }
    },
    { mostInOne, mostAtOnce: 1, waits },
  );
  return (delivery, result) =>
    result.outcome === 'delivered'
      ? recordSuccess({ delivery, result })
      : recordAttempt(world, delivery, result);
}

type Success = { delivery: ClaimedDelivery; result: AttemptResult };

/** One transaction for all: one each would spend the sender's time on round trips and disk syncs. */
export async function recordDelivered(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  successes: readonly Success[],
): Promise<Recorded[]> {
  const rows = successes.map(({ delivery, result }) => ({ ...result, ...delivery }));
  const finished = (await finishWithoutNotice(sql, rows)) ?? (await sql.begin(finishAndNotify));
  return successes.map(({ delivery }) => (finished.has(delivery.delivery_id) ? 'delivered' : 'lost'));

  async function finishAndNotify(tx: Transaction): Promise<Set<number>> {
    const { ids, recovered } = await finishDelivered(tx, rows);
    for (const failing of recovered) await notifyOfRecovery(tx, failing, clock.now());
    return ids;
  }
}

function nextAttempt(
  { step }: ClaimedDelivery,
  outcome: AttemptResult['outcome'],
  now: Date,
  random: () => number,
): NextAttempt {
  if (outcome === 'interrupted') return { step, dueAt: now };
  const pause = outcome === 'gone' ? null : pauseAfter(step, random);
  return pause === null ? null : { step: step + 1, dueAt: later(now, pause) };
}

/** An owner is notified only after two days and five failures. */
const failingFor = 2 * day;
const leastFailures = 5;

async function notifyOfFailure(
  tx: Transaction,
  { merchant_id, destination }: ClaimedDelivery,
  failure: Reason,
  now: Date,
): Promise<void> {
  const failing = await countFailure(tx, { merchant_id, destination }, failure, now);
  const isLong = now.getTime() - failing.failing_since.getTime() >= failingFor;
  if (failing.told_at !== null || !isLong || failing.failures < leastFailures) return;
  await markNotified(tx, { merchant_id, destination }, now);
  await notifyOwner(tx, {
    merchantId: merchant_id,
    kind: 'webhook_failing',
    facts: { since: failing.failing_since, destination, failures: failing.failures, cause: failure },
    dedupeKey: `webhook_failing:${keyOf(failing)}`,
    now,
  });
}

async function notifyOfRecovery(tx: Transaction, failing: RecoveredDestination, now: Date): Promise<void> {
  const { merchant_id, destination, failing_since } = failing;
  await notifyOwner(tx, {
    merchantId: merchant_id,
    kind: 'webhook_working',
    facts: { destination, at: now, since: failing_since },
    dedupeKey: `webhook_working:${keyOf(failing)}`,
    now,
  });
}

/** Notifies the owner of an event that was given up: once a day per destination, because the dashboard lists all. */
async function notifyOfGivingUp(
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
