import { randomUUID } from 'node:crypto';
import { hour, later, minute } from '../../base/clock.ts';
import { keepWorking, type Worker } from '../../base/database/keep-working.ts';
import { endLease, takeLease } from '../../base/database/process-lease.ts';
import type { World } from '../../base/world.ts';
import type { Erasure, Report } from './erasure.ts';
import { keepList } from './keep-list.ts';
import { erasureChannel, selectDueErasures, storeReport } from './queries/erasures.ts';
import { runErasure } from './run-erasure.ts';

const pause = 1 * minute;
/** Longer than a look at a large business; a second one at the same time would only do the same work. */
const leaseFor = 10 * minute;
const leaseName = 'erasures';
const atOnce = 20;
const afterFailure = 1 * hour;

type Erasing = Pick<World, 'sql' | 'clock' | 'secrets' | 'config' | 'log'>;

/** Erases what owners asked for, one process at a time; every process keeps its own list of what was asked for. */
export function startErasing(world: Erasing): Pick<Worker, 'stop'> {
  const holder = randomUUID();
  const worker = keepWorking(world, { what: 'erasing', pause, channel: erasureChannel }, () =>
    eraseDue(world, holder),
  );
  return {
    async stop() {
      await worker.stop();
      await endLease(world.sql, leaseName, holder).catch(() => {});
    },
  };
}

/** One round. Where no list can be written nothing is erased: a restored backup would bring it all back unnoticed. */
export async function eraseDue(world: Erasing, holder: string): Promise<void> {
  const { sql, clock, log } = world;
  const due = async () => await selectDueErasures(sql, clock.now(), atOnce);
  const wanted = await due();
  const list = await keepList(world, wanted);
  if (list === null) return;
  if ('problem' in list) {
    const { problem, cause } = list;
    log.error({ problem, cause, file: world.config.erasuresFile }, 'nothing can be erased');
    for (const one of wanted) await refuse(world, one, problem, one.next_at);
    return;
  }
  if (!(await takeLease(sql, leaseName, holder, leaseFor))) return;
  for (const erasure of await due()) {
    // What was typed cannot be opened any more: SECRET_KEY was changed, and this was not sealed again.
    const told = { merchant: erasure.merchant_id, erasure: erasure.erasure_id };
    try {
      if (erasure.marks.length === 0) await refuse(world, erasure, 'lost_values', null);
      else await runErasure(world, list.key, erasure);
      log.info(told, 'looked for what is to be erased');
    } catch (error) {
      // Those of others go on. Where the database itself is away this fails too, and the round ends.
      await refuse(world, erasure, 'failed', later(clock.now(), afterFailure));
      log.error({ ...told, err: error }, 'an erasure failed');
    }
    await takeLease(sql, leaseName, holder, leaseFor);
  }
}

async function refuse(
  { sql, clock }: Erasing,
  erasure: Erasure,
  problem: Report['problem'] & string,
  nextAt: Date | null,
): Promise<void> {
  const report: Report = { erased: {}, waits: [], kept: [], ...erasure.report, problem };
  await storeReport(sql, erasure, { report, now: clock.now(), isErased: false, nextAt });
}
