import { later } from '../clock.ts';
import type { Transaction } from '../database/connect.ts';
import { because } from '../verdicts.ts';
import type { World } from '../world.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import { pauseAfter } from './pause-after.ts';
import type { ClaimedDelivery } from './queries/claim.ts';
import { closeEvent, finishDelivery, insertNextDelivery } from './queries/record.ts';
import { tellOfFailure, tellOfGivingUp, tellOfSuccess } from './tell-owner.ts';

/** What follows from an attempt. `lost`: the lease had lapsed, and the attempt is being repeated already. */
export type Recorded = 'delivered' | 'retry' | 'given_up' | 'lost';

/**
 * Writes down an attempt and what follows from it, in one transaction: a process that dies here leaves the row
 * leased, and the attempt is repeated. An event never stands without either a next delivery or an end.
 */
export async function recordAttempt(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  random: () => number = Math.random,
): Promise<Recorded> {
  const now = clock.now();
  const { outcome, failure, ...told } = result;
  return await sql.begin(async tx => {
    const state = outcome === 'delivered' ? 'delivered' : 'failed';
    if (!(await finishDelivery(tx, delivery, { ...told, failure, state }))) return 'lost';
    if (outcome === 'delivered') {
      await closeEvent(tx, delivery, 'delivered');
      await tellOfSuccess(tx, delivery, now);
      return 'delivered';
    }
    if (outcome === 'interrupted') {
      await insertNext(tx, delivery, delivery.step, now);
      return 'retry';
    }
    const reason = failure ?? because('broken_answer');
    await tellOfFailure(tx, delivery, reason, now);
    const pause = outcome === 'gone' ? null : pauseAfter(delivery.step, random);
    if (pause === null) {
      await closeEvent(tx, delivery, 'failed');
      await tellOfGivingUp(tx, delivery, reason, now);
      return 'given_up';
    }
    await insertNext(tx, delivery, delivery.step + 1, later(now, pause));
    return 'retry';
  });
}

async function insertNext(
  tx: Transaction,
  delivery: ClaimedDelivery,
  step: number,
  dueAt: Date,
): Promise<void> {
  await insertNextDelivery(tx, { ...delivery, attempt: delivery.attempt + 1, step, dueAt });
}
