import { day, hour, later, minute, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { Cells, World } from '../../base/world.ts';
import { removeAllOf } from '../../business/accounts/remove-merchants.ts';
import { fillTaken } from '../../business/accounts/taken-names.ts';
import { askOtherCells } from '../../business/merchants/ask-other-cells.ts';
import { selectHere } from '../moving/queries.ts';
import { copyToOthers } from './copy-installation.ts';
import { inEachCell } from './in-each-cell.ts';
import { selectRanges } from './queries.ts';

/** A process with an older CELLS_FILE answers 503 for a business of a cell that it does not know, and not 401. */
export function startFindingCells(cells: Cells): { stop(): Promise<void> } {
  const home = cells.worlds[0]!;
  return keepWorking(home, { what: 'looking for new cells', pause: 15 * second }, async () => {
    const known = await inEachCell(home, async one =>
      (await selectRanges(one.sql)).map(range => ({ ...range, knownBy: one })),
    );
    const unlisted = known.flatMap(ranges => ranges ?? []).filter(({ cell }) => !cells.worlds[cell]);
    if (unlisted.length > 0 && cells.unlisted.length === 0)
      home.log.error('CELLS_FILE is older than the newest cell: copy the newest one here, and restart');
    cells.unlisted = unlisted;
  });
}

/** Runs in the `deliver` role with several databases: copies shared data to each cell and removes leftovers. */
export function startSharing(cells: Cells): { stop(): Promise<void> } {
  const home = cells.worlds[0]!;
  const filled = new Set<World>();
  const copying = keepWorking(home, { what: 'copying what all cells share', pause: 1 * minute }, async () => {
    await inEachCell(home, async one => {
      if (!filled.has(one)) await fillTaken(home, one);
      filled.add(one);
    });
    await copyToOthers({ cells });
  });
  const tidying = keepWorking(
    home,
    { what: 'removing what an export left behind', pause: 1 * hour },
    async () => {
      await inEachCell(home, one => removeCopies(cells, one));
    },
  );
  const asking = keepWorking(
    home,
    { what: 'asking for accounts of two cells', pause: 5 * second },
    async () => {
      await inEachCell(home, one => askOtherCells(cells, one));
    },
  );
  return {
    async stop() {
      await Promise.all([copying.stop(), tidying.stop(), asking.stop()]);
    },
  };
}

/** For this long, a process with an older CELLS_FILE finds the paused copy instead of no business. */
const copyStays = 1 * day;

/** Removes the old cell's copy once the business is open elsewhere, or it would keep data that was to be erased. */
export async function removeCopies(cells: Cells, { sql, clock }: World): Promise<void> {
  const before = later(clock.now(), -copyStays);
  const paused = await sql<{ merchant_id: number; moved_at: Date; arrival_epoch: number }[]>`
    select merchant_id, moved_at, arrival_epoch from merchants where moved_at <= ${before} and left_at is null`;
  for (const { merchant_id: merchantId, moved_at, arrival_epoch } of paused) {
    const home = cells.of(merchantId);
    if (home.sql === sql) continue;
    const there = await selectHere(home.sql, merchantId);
    // Each import raises the epoch. A lower epoch means an older copy that was opened again, without the later changes.
    if (!there || there.moved_at || there.arrival_epoch < arrival_epoch) continue;
    const isRemoving = await sql.begin(async tx => {
      const begun = await tx`
        update merchants set removal_began_at = coalesce(removal_began_at, ${clock.now()})
        where merchant_id = ${merchantId} and moved_at = ${moved_at} returning 1`;
      // A mail that settled nothing here may still count for another business in this cell (R2).
      if (begun.length > 0)
        await tx`
          update counted_signatures set merchant_id = 0, alert_id = '' where merchant_id = ${merchantId} and not settled`;
      return begun.length > 0;
    });
    if (isRemoving) await removeAllOf(sql, merchantId);
  }
}
