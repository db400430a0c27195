import { hasTable } from '../../base/database/applied-migrations.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { type CellMap, cellOf, idsEnd, type Range, rangesOf } from '../../base/settings/config-cells.ts';
import { StartError } from '../../base/start-error.ts';
import { selectLeftOvers, selectPlaces, selectRanges, selectStrangers } from './queries.ts';

/** CELLS_FILE contradicts the ranges that a cell stores. Nothing was changed, and a second try does not help. */
export class WrongMap extends StartError {}

const mostNamed = 5;
/** From this schema on, no command moves businesses. */
const withoutMoves = '0040_several_databases.sql';

/**
 * Compares before anything changes. A process with another file would look for businesses in the wrong database. An
 * empty database contradicts nothing.
 */
export async function checkMap(sql: Queryable, map: CellMap, cell: number): Promise<void> {
  if (!(await hasTable(sql, 'placed'))) return;
  // From that schema on no command moves businesses, and a restored cell could look like such a move.
  const [upgraded] = await sql`select from migrations where name = ${withoutMoves}`;
  if (!upgraded) await refuseMoved(sql, map, cell);
  const ranges = rangesOf(map);
  // A range of one id is a business from another cell; the check below asks for its place.
  const wide = ranges.filter(({ from, last }) => last > from);
  for (const known of await selectRanges(sql)) {
    const other = wide.find(one => overlap(one, known) && one.cell !== known.cell);
    if (other)
      throw new WrongMap(
        `CELLS_FILE gives the ids from ${Math.max(other.from, known.from)} on to cell ${other.cell}, and cell ${cell} knows them as cell ${known.cell}'s: copy the newest CELLS_FILE here; if add-cell was interrupted, run it again`,
      );
  }
  const strangers = await selectStrangers(
    sql,
    ranges.filter(one => one.cell === cell),
  );
  if (strangers.length > 0)
    throw new WrongMap(
      `cell ${cell} holds ${named(strangers)}, which CELLS_FILE looks for in cell ${cellOf(map, strangers[0]!)}: copy the newest CELLS_FILE here, or correct its ranges`,
    );
}

/** Release 0.2.0 moved single businesses by command, and only its database says where they are. */
async function refuseMoved(sql: Queryable, map: CellMap, cell: number): Promise<void> {
  const left = await selectLeftOvers(sql);
  const moved = (await selectPlaces(sql)).filter(one => cellOf(map, one.merchant_id) !== one.cell);
  if (moved.length > 0)
    throw new WrongMap(
      [
        `release 0.2.0 moved ${named(moved.map(one => one.merchant_id))} to another cell, and CELLS_FILE does not say so. Run cells tidy of 0.2.0 a day after the last move, then write these ranges into CELLS_FILE:`,
        ...withMoved(map, moved).map(range => `  ${JSON.stringify(range)}`),
      ].join('\n'),
    );
  if (left.length > 0)
    throw new WrongMap(
      `cell ${cell} still holds what a move of release 0.2.0 left of ${named(left)}: run cells tidy of 0.2.0 a day after the move, then try again`,
    );
}

/** The file's ranges, with a range of its own for each of these businesses. */
function withMoved(
  map: CellMap,
  moved: readonly { merchant_id: number; cell: number }[],
): { from: number; cell: number }[] {
  const starts = new Map(map.ranges.map(({ from, cell }) => [from, cell]));
  for (const { merchant_id: id } of moved)
    if (id + 1 < idsEnd && !starts.has(id + 1)) starts.set(id + 1, cellOf(map, id + 1));
  for (const { merchant_id: id, cell } of moved) starts.set(id, cell);
  return [...starts].map(([from, cell]) => ({ from, cell })).toSorted((a, b) => a.from - b.from);
}

function overlap(one: Range, other: Range): boolean {
  return one.from <= other.last && other.from <= one.last;
}

function named(ids: readonly number[]): string {
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
  return `${ids.length === 1 ? 'business' : 'businesses'} ${ids.slice(0, mostNamed).join(', ')}${more}`;
}
