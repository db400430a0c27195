import { later } from '../clock.ts';
import { because } from '../verdicts.ts';
import type { World } from '../world.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import { pauseAfter } from './pause-after.ts';
import type { ClaimedDelivery } from './queries/claim.ts';
import { finishDelivery, giveUpEvent, type NextAttempt } from './queries/record.ts';
import { tellOfFailure, tellOfGivingUp, tellOfSuccess } from './tell-owner.ts';

/** What follows from an attempt. `lost`: the lease had lapsed, and the attempt is being repeated already. */
export type Recorded = 'delivered' | 'retry' | 'given_up' | 'lost';

/**
 * Writes down an attempt and what follows from it, in one transaction: a process that dies here leaves it in
 * hand, and the attempt is repeated. An event never stands without either a place in the queue or an end.
 */
export async function recordAttempt(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  random: () => number = Math.random,
): Promise<Recorded> {
  const now = clock.now();
  const { outcome, failure, ...told } = result;
  const next = nextAttempt(delivery, outcome, now, random);
  return await sql.begin(async tx => {
    const state = outcome === 'delivered' ? 'delivered' : 'failed';
    if (!(await finishDelivery(tx, delivery, { ...told, failure, state }, next))) return 'lost';
    if (outcome === 'delivered') {
      await tellOfSuccess(tx, delivery, now);
      return 'delivered';
    }
    if (outcome === 'interrupted') return 'retry';
    const reason = failure ?? because('broken_answer');
    await tellOfFailure(tx, delivery, reason, now);
    if (next !== null) return 'retry';
    await giveUpEvent(tx, delivery);
    await tellOfGivingUp(tx, delivery, reason, now);
    return 'given_up';
  });
}

function nextAttempt(
  { step }: ClaimedDelivery,
  outcome: AttemptResult['outcome'],
  now: Date,
  random: () => number,
): NextAttempt {
  if (outcome === 'interrupted') return { step, dueAt: now };
  const pause = outcome === 'delivered' || outcome === 'gone' ? null : pauseAfter(step, random);
  return pause === null ? null : { step: step + 1, dueAt: later(now, pause) };
}
