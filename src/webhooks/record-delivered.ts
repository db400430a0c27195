import type { World } from '../world.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import type { ClaimedDelivery } from './queries/claim.ts';
import { finishDelivered } from './queries/record.ts';
import type { Recorded } from './record-attempt.ts';
import { tellOfRecovery } from './tell-owner.ts';

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
