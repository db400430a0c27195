import { hour, minute, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { Cells, World } from '../../base/world.ts';
import { fillTaken } from '../../business/accounts/taken-names.ts';
import { askOtherCells } from '../../business/merchants/ask-other-cells.ts';
import { copyToOthers } from './copy-installation.ts';
import { inEachCell } from './in-each-cell.ts';
import { selectRanges } from './queries.ts';
import { removeCopies } from './remove-copies.ts';

/** A process with an older CELLS_FILE answers 503 for a business of a cell that it does not know, and not 401. */
export function startLookingForCells(cells: Cells): { stop(): Promise<void> } {
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
