import { randomInt } from 'node:crypto';
import { awaySql } from './database/away-sql.ts';
import { type CellMap, cellOf, rangesOf } from './settings/config-cells.ts';
import type { Cells, World } from './world.ts';

/** `worlds` by the numbers of their cells; each of them learns of all the others. */
export function openCells(
  map: Pick<CellMap, 'ranges' | 'newCell'>,
  worlds: readonly World[],
  awaited: Cells['awaited'] = () => null,
): Cells {
  const nowhere: World = { ...worlds[0]!, sql: awaySql(), cell: -1 };
  const cells: Cells = {
    worlds,
    of: id => (id === 0 ? worlds[0]! : (worlds[cellOf(map, id)] ?? nowhere)),
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
  for (const world of [...worlds, nowhere]) world.cells = cells;
  return cells;
}
