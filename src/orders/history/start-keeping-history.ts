import { randomUUID } from 'node:crypto';
import { minute, second, stopwatch } from '../../base/clock.ts';
import { keepWorking, type Worker } from '../../base/database/keep-working.ts';
import { endLease, leaseLeft, takeLease } from '../../base/database/process-lease.ts';
import type { World } from '../../base/world.ts';
import { historyChannel } from '../../business/merchants/queries.ts';
import { deleteEarly } from './delete-early.ts';
import { keepHistory } from './keep-history.ts';
import { keepPartitions } from './keep-partitions.ts';

/** The pause between two checks of all businesses when nothing is left to do. */
const pause = 10 * minute;
/** A turn ends after this time, so that the process can stop and the lease can be renewed. */
const turnLimit = 4 * second;
/** Longer than a turn plus the step that runs when it ends. */
const leaseFor = 1 * minute;
/** The pause between two tries for the lease, because another process may take it right after it ends. */
const shortest = 1 * second;
const leaseName = 'history';

/** One process at a time keeps history. It checks, runs steps for a few seconds at a time, and pauses. */
export function startKeepingHistory(world: World): Pick<Worker, 'stop'> {
  const { sql, metrics } = world;
  const overdue = metrics.gauge(
    'milaan_history_overdue_seconds',
    'For how long the oldest thing that should have left history is still here; of the process that keeps history',
  );
  const holder = randomUUID();
  let after = 0;
  let worst = 0;
  const round = async (): Promise<number> => {
    if (!(await takeLease(sql, leaseName, holder, leaseFor))) {
      after = 0;
      overdue.set(0);
      // The holder may have died, so ask again when the lease ends, not a pause later.
      return Math.min(pause, Math.max(shortest, await leaseLeft(sql, leaseName)));
    }
    const elapsed = stopwatch();
    const kept = await keepHistory(world, { after, isOver: () => elapsed() > turnLimit });
    worst = Math.max(worst, kept.overdue);
    after = kept.after ?? 0;
    if (kept.after !== null) return 0;
    overdue.set(worst / second);
    await keepPartitions(world, worst === 0);
    const isDone = (await deleteEarly(world, () => elapsed() > 2 * turnLimit)) && worst === 0;
    worst = 0;
    return isDone ? pause : minute;
  };
  const worker = keepWorking(world, { what: 'keeping history', pause, channel: historyChannel }, round);
  return {
    async stop() {
      await worker.stop();
      await endLease(sql, leaseName, holder).catch(() => {});
    },
  };
}
