import { second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { newLease } from '../../base/database/row-lease.ts';
import type { World } from '../../base/world.ts';
import { deliverPush } from './deliver-push.ts';
import { pushKeys } from './push-keys.ts';
import { claimPushes, countDuePushes, mostOfABusiness } from './queries.ts';

/** News for a person: a second more is not noticed, and nothing is woken inside the transaction that pays. */
const pause = 1 * second;
/** Longer than a try can take. */
const leaseFor = 30 * second;
/** At once in this process: an address that hangs holds its own place, and one of its business's few. */
const places = 64;

/** Sends pushes once the operator has set a key; without one nothing runs, and no device can be added. */
export function startPushing(world: World): { stop(): Promise<void> } {
  const pushed = world.metrics.counter('milaan_pushes_total', 'Notices to devices by outcome', ['outcome']);
  // A series that begins with its first failure hides it: Prometheus sees increases only from what was there before.
  for (const outcome of ['sent', 'failed', 'given_up']) pushed.inc({ outcome }, 0);
  const waiting = world.metrics.gauge('milaan_pushes_waiting', 'Notices to devices that are due');
  if (pushKeys(world.config) === null) return { stop: async () => {} };
  const stopping = new AbortController();
  const inHand = new Map<Promise<void>, number>();

  const worker = keepWorking(world, { what: 'telling devices', pause }, async () => {
    const now = world.clock.now();
    waiting.set(await countDuePushes(world.sql, now));
    const limit = places - inHand.size;
    if (limit === 0) return pause;
    const due = await claimPushes(world.sql, newLease(now, leaseFor), {
      limit,
      busy: busyOnes(inHand.values()),
    });
    for (const push of due) {
      const telling = deliverPush(world, push, stopping.signal)
        .then(
          outcome => pushed.inc({ outcome }),
          error => {
            pushed.inc({ outcome: 'failed' });
            world.log.error({ err: error }, 'a notice to a device was not recorded; its lease will lapse');
          },
        )
        .finally(() => inHand.delete(telling));
      inHand.set(telling, push.merchant_id);
    }
    return due.length > 0 ? 0 : pause;
  });
  return {
    async stop() {
      await worker.stop();
      // What is in hand is cut off rather than waited for: it is tried again.
      stopping.abort();
      await Promise.all(inHand.keys());
    },
  };
}

/** Businesses with as many in hand as one may have. */
function busyOnes(inHand: Iterable<number>): number[] {
  const groups = Map.groupBy(inHand, merchantId => merchantId);
  return [...groups].flatMap(([merchantId, all]) => (all.length >= mostOfABusiness ? [merchantId] : []));
}
