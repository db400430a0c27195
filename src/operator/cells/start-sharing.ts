import type { Cells } from '../../base/cells.ts';
import { hour, minute } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { fillTaken } from '../../business/accounts/taken-names.ts';
import { copyToOthers } from './copy-installation.ts';
import { inEachCell } from './in-each-cell.ts';
import { tidy } from './move-inside.ts';

/** Part of the `deliver` role where there are several databases: what all share is in each, and nothing lies about. */
export function startSharing(cells: Cells): { stop(): Promise<void> } {
  const home = cells.worlds[0]!;
  let isFilled = false;
  const copying = keepWorking(home, { what: 'copying what all cells share', pause: 1 * minute }, async () => {
    // Names that were given out while the last process of one database still ran.
    if (!isFilled) await fillTaken(home);
    isFilled = true;
    await copyToOthers({ cells });
  });
  const tidying = keepWorking(home, { what: 'removing what has moved', pause: 1 * hour }, async () => {
    await inEachCell(home, one => tidy(cells, one));
  });
  return {
    async stop() {
      await Promise.all([copying.stop(), tidying.stop()]);
    },
  };
}
