import { setTimeout as sleep } from 'node:timers/promises';
import { day, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import { pauseAfter } from './pause-after.ts';
import type { ClaimedDelivery } from './queries/claim-due.ts';
import {
  countFailure,
  finishDelivered,
  finishFailed,
  giveUpEvent,
  markTold,
  type NextAttempt,
  type RecoveredDestination,
} from './queries/record.ts';

/** What follows from an attempt. `lost`: the lease had lapsed, and the attempt is being repeated already. */
export type Recorded = 'delivered' | 'retry' | 'given_up' | 'lost';

/**
 * Writes down an attempt and what follows from it, in one transaction: a process that dies here leaves it in
 * hand, and the attempt is repeated. An event never stands without either a place in the queue or an end.
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
    await tellOfFailure(tx, delivery, reason, now);
    if (next !== null) return 'retry';
    await giveUpEvent(tx, delivery);
    await tellOfGivingUp(tx, delivery, reason, now);
    return 'given_up';
  });
}

export type Success = { delivery: ClaimedDelivery; result: AttemptResult };

/**
 * Writes down successful attempts, many in one transaction: with one for each, a sender spends its time on round trips
 * and syncs of the disk. All of them are recorded when this returns, and none when it throws.
 */
export async function recordDelivered(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  successes: readonly Success[],
): Promise<Recorded[]> {
  const now = clock.now();
  const finished = await sql.begin(async tx => {
    const { ids, recovered } = await finishDelivered(
      tx,
      successes.map(({ delivery, result }) => ({ ...result, ...delivery })),
    );
    for (const failing of recovered) await tellOfRecovery(tx, failing, now);
    return ids;
  });
  return successes.map(({ delivery }) => (finished.has(delivery.delivery_id) ? 'delivered' : 'lost'));
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

/** A destination fails for days, not for minutes, before its owner is disturbed. */
const failingFor = 2 * day;
const leastFailures = 5;

/** Counts a failure of a destination, and tells the owner once when it has failed for days. */
async function tellOfFailure(
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
async function tellOfRecovery(tx: Transaction, failing: RecoveredDestination, now: Date) {
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
async function tellOfGivingUp(
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

/** How long a success waits for company. The shop has its answer already; a crash meanwhile repeats the webhook. */
const gathering = 5;
/** Not all at once: while these are written the others still arrive, and their places are taken anew meanwhile. */
const mostTogether = 64;
const writersAtOnce = 2;

export type Recorder = (delivery: ClaimedDelivery, result: AttemptResult) => Promise<Recorded>;

type Waiting = Success & { resolve(recorded: Recorded): void; reject(error: unknown): void };

/** Records attempts: successes in batches; failures, which are few and have consequences, one by one. */
export function openRecorder(world: Pick<World, 'sql' | 'clock'>): Recorder {
  const waiting: Waiting[] = [];
  let writers = 0;

  async function write(): Promise<void> {
    writers++;
    await sleep(gathering);
    while (waiting.length > 0) {
      const together = waiting.splice(0, mostTogether);
      try {
        const recorded = await recordDelivered(world, together);
        for (const [place, { resolve }] of together.entries()) resolve(recorded[place]!);
      } catch (error) {
        await apart(together, error);
      }
    }
    writers--;
  }

  /** One that the database does not take must not take the others with it. */
  async function apart(together: readonly Waiting[], error: unknown): Promise<void> {
    const isTheirs = !isDatabaseAway(error);
    await Promise.all(
      together.map(async ({ delivery, result, resolve, reject }) => {
        if (isTheirs) await recordAttempt(world, delivery, result).then(resolve, reject);
        else reject(error);
      }),
    );
  }

  return (delivery, result) => {
    if (result.outcome !== 'delivered') return recordAttempt(world, delivery, result);
    return new Promise((resolve, reject) => {
      waiting.push({ delivery, result, resolve, reject });
      if (writers === 0 || (writers < writersAtOnce && waiting.length >= mostTogether)) void write();
    });
  };
}
