import { randomInt } from 'node:crypto';
import { unreachableSql } from './database/unreachable-sql.ts';
import { type CellMap, cellOf, rangesOf } from './settings/config-cells.ts';
import { StartError } from './start-error.ts';
import type { Cells, World } from './world.ts';

/** `worlds` is indexed by cell number. Each world gets a reference to all cells. */
export function openCells(
  map: Pick<CellMap, 'ranges' | 'newCell'>,
  worlds: readonly World[],
  awaited: Cells['awaited'] = () => null,
): Cells {
  const unknown: World = { ...worlds[0]!, sql: unreachableSql(), cell: -1 };
  const cells: Cells = {
    worlds,
    unlisted: [],
    of(id) {
      // The check of CELLS_FILE ensures that each range names an existing cell.
      const own = worlds[id === 0 ? 0 : cellOf(map, id)]!;
      // Only the cell that gave a range away is believed: an interrupted add-cell wrote the range to other cells.
      const isGone = cells.unlisted.some(one => one.knownBy === own && one.from <= id && id <= one.last);
      return isGone ? unknown : own;
    },
    newId(cell = map.newCell) {
      // A range of one id is a business that moved here from another cell.
      const own = rangesOf(map).filter(range => range.cell === cell && range.last > range.from);
      if (own.length === 0) throw new StartError(`cell ${cell} has no ids: give it a range in CELLS_FILE`);
      const { from, last } = own[randomInt(own.length)]!;
      // Random, so that ids do not reveal the number of businesses.
      return Math.max(1, from + randomInt(Math.min(last - from + 1, 2 ** 48 - 1)));
    },
    awaited,
  };
  for (const world of [...worlds, unknown]) world.cells = cells;
  return cells;
}
