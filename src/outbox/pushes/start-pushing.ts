import { second } from '../../base/clock.ts';
import { newLease } from '../../base/database/row-lease.ts';
import type { World } from '../../base/world.ts';
import { keepTelling } from '../keep-telling.ts';
import { deliverPush } from './deliver-push.ts';
import { pushKeys } from './push-keys.ts';
import { claimPushes, countDuePushes, mostOfABusiness } from './queries.ts';

/** Longer than a try can take. */
const leaseFor = 30 * second;

/** Sends pushes once the operator has set a key; without one nothing runs, and no device can be added. */
export function startPushing(world: World): { stop(): Promise<void> } {
  const pushed = world.metrics.counter('milaan_pushes_total', 'Notices to devices by outcome', ['outcome']);
  // A series that begins with its first failure hides it: Prometheus sees increases only from what was there before.
  for (const outcome of ['sent', 'failed', 'given_up']) pushed.inc({ outcome }, 0);
  const waiting = world.metrics.gauge('milaan_pushes_waiting', 'Notices to devices that are due');
  if (pushKeys(world.config) === null) return { stop: async () => {} };
  return keepTelling(world, {
    what: 'telling devices',
    async claim(now, limit, inHand) {
      waiting.set(await countDuePushes(world.sql, now));
      return await claimPushes(world.sql, newLease(now, leaseFor), { limit, busy: busyOnes(inHand) });
    },
    deliver: (push, stopping) => deliverPush(world, push, stopping),
    count: outcome => pushed.inc({ outcome }),
  });
}

/** Businesses with as many in hand as one may have. */
function busyOnes(inHand: Iterable<number>): number[] {
  const groups = Map.groupBy(inHand, merchantId => merchantId);
  return [...groups].flatMap(([merchantId, all]) => (all.length >= mostOfABusiness ? [merchantId] : []));
}
