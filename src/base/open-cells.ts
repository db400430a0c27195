import { randomInt } from 'node:crypto';
import { type CellMap, cellOf, rangesOf } from './settings/config-cells.ts';
import type { Cells, World } from './world.ts';

/** `worlds` by the numbers of their cells; each of them learns of all the others. */
export function openCells(
  map: Pick<CellMap, 'ranges' | 'newCell'>,
  worlds: readonly World[],
  awaited: Cells['awaited'] = () => null,
): Cells {
  const cells: Cells = {
    worlds,
    // CELLS_FILE was read: each of its ranges names a cell that is there.
    of: id => worlds[id === 0 ? 0 : cellOf(map, id)]!,
    newId(cell = map.newCell) {
      // One id by itself is a business that came from another cell.
      const own = rangesOf(map).filter(range => range.cell === cell && range.last > range.from);
      if (own.length === 0) throw new Error(`cell ${cell} has no ids for new businesses`);
      const { from, last } = own[randomInt(own.length)]!;
      // Random, so that ids tell nothing about how many businesses there are.
      return Math.max(1, from + randomInt(Math.min(last - from + 1, 2 ** 48 - 1)));
    },
    awaited,
  };
  for (const world of worlds) world.cells = cells;
  return cells;
}
