import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import { gather } from '../../base/database/gather.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import { pauseAfter } from './pause-after.ts';
import type { ClaimedDelivery } from './queries/claim-due.ts';
import {
  finishDelivered,
  finishFailed,
  finishQuietly,
  giveUpEvent,
  type NextAttempt,
} from './queries/record.ts';
import { tellOfFailure, tellOfGivingUp, tellOfRecovery } from './tell-owner.ts';

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

/** How long a success waits for others, in milliseconds. The shop has its answer; a crash now repeats the webhook. */
const waits = 5;
/** A larger batch would keep the slots of its deliveries occupied for longer. */
const mostInOne = 64;

export type Recorder = (delivery: ClaimedDelivery, result: AttemptResult) => Promise<Recorded>;

/** Records attempts: successes in batches; failures, which are few and have consequences, one by one. */
export function openRecorder(world: Pick<World, 'sql' | 'clock'>): Recorder {
  const recordSuccess = gather(
    async (successes: readonly Success[]) => {
      try {
        return await recordDelivered(world, successes);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        // The database refuses one of them, and that one must not take the others with it.
        return successes.map(({ delivery, result }) => recordAttempt(world, delivery, result));
      }
    },
    { mostInOne, mostUnderWay: 1, waits },
  );
  return (delivery, result) =>
    result.outcome === 'delivered'
      ? recordSuccess({ delivery, result })
      : recordAttempt(world, delivery, result);
}

type Success = { delivery: ClaimedDelivery; result: AttemptResult };

/**
 * Writes down successful attempts, many in one transaction: with one for each, a sender spends its time on round trips
 * and syncs of the disk. All of them are recorded when this returns, and none when it throws.
 */
export async function recordDelivered(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  successes: readonly Success[],
): Promise<Recorded[]> {
  const rows = successes.map(({ delivery, result }) => ({ ...result, ...delivery }));
  const finished = (await finishQuietly(sql, rows)) ?? (await sql.begin(tellAll));
  return successes.map(({ delivery }) => (finished.has(delivery.delivery_id) ? 'delivered' : 'lost'));

  async function tellAll(tx: Transaction): Promise<Set<number>> {
    const { ids, recovered } = await finishDelivered(tx, rows);
    for (const failing of recovered) await tellOfRecovery(tx, failing, clock.now());
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
