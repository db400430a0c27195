import { later } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import { pauseAfter } from './pause-after.ts';
import type { ClaimedDelivery } from './queries/claim-due.ts';
import { finishDelivered, finishFailed, giveUpEvent, type NextAttempt } from './queries/record.ts';
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
