import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../base/clock.ts';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import type { World } from '../../base/world.ts';
import { type AttemptResult, attemptDelivery } from './attempt-delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

import type { ClaimedDelivery } from './queries/claim-due.ts';
import type { Recorded, Recorder } from './record-attempt.ts';
import type { ShopConnections } from './shop-connections.ts';

const recordPause = 0.5 * second;

/** One claimed delivery from the attempt to its record. Never throws: what is not recorded is due again in time. */
export async function deliver(
  world: Pick<World, 'dns' | 'config' | 'clock' | 'secrets' | 'log'>,
  {
    metrics,
    record,
    connections,
  }: { metrics: DeliveryMetrics; record: Recorder; connections: ShopConnections },
  delivery: ClaimedDelivery,
  stopping: AbortSignal,
): Promise<Recorded> {
  const about = { merchant: delivery.merchant_id, event: delivery.event_id, attempt: delivery.attempt };
  try {
    const result = await attemptDelivery(world, delivery, stopping, connections);
    metrics.attempts.inc({ outcome: result.outcome });
    metrics.seconds.observe(result.durationMs / second);
    const recorded = await recordWhileLeased(world, record, delivery, result, stopping);
    // What arrived stands in the merchant's log and in the metrics; a line for each would cost a sixth of the sender's time.
    const level = recorded === 'delivered' ? 'debug' : 'info';
    world.log[level](
      { ...about, outcome: result.outcome, status: result.statusCode, recorded },
      'webhook attempt',
    );
    return recorded;
  } catch (error) {
    world.log.error(
      { ...about, err: error },
      'a webhook attempt could not be recorded; its lease will lapse',
    );
    return 'lost';
  }
}

/** A database that restarts just now must not turn a delivered event into a repeated one. */
async function recordWhileLeased(
  world: Pick<World, 'clock'>,
  record: Recorder,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  stopping: AbortSignal,
): Promise<Recorded> {
  for (;;) {
    try {
      return await record(delivery, result);
    } catch (error) {
      const isLeased = world.clock.now() < delivery.leased_until;
      if (!isDatabaseAway(error) || !isLeased || stopping.aborted) throw error;
      await sleep(recordPause);
    }
  }
}
