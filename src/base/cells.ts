import { randomInt } from 'node:crypto';
import { second } from './clock.ts';
import { awaySql } from './database/away-sql.ts';
import { keepWorking, type Worker } from './database/keep-working.ts';
import { withDeadline } from './database/with-deadline.ts';
import { type CellMap, idsEnd } from './settings/config-cells.ts';
import type { Cells, World } from './world.ts';

export type { Cells } from './world.ts';

const lookEvery = 3 * second;
/** Whoever meets a fence asks to look again; a crowd of them is answered together. */
const breath = 0.2 * second;

/** Of a range that is placed elsewhere nearly whole. */
const mostTries = 1000;

type Placed = { merchant_id: number; last_id: number | null; cell: number };

/** `worlds` by the numbers of their cells; each of them learns of all the others. */
export function openCells(
  { ranges, newCell }: Pick<CellMap, 'ranges' | 'newCell'>,
  worlds: readonly World[],
  awaited: Cells['awaited'] = () => null,
): Cells {
  const nowhere: World = { ...worlds[0]!, sql: awaySql(), cell: -1 };
  let alone = new Map<number, number>();
  let stretches: Placed[] = [];
  /** What was placed last counts, one business before a stretch of ids, and both before the file. */
  const cellOf = (id: number) =>
    alone.get(id) ??
    stretches.find(one => one.merchant_id <= id && id <= one.last_id!)?.cell ??
    ranges.findLast(range => range.from <= id)!.cell;
  let hasLooked = false;
  const ask = ({ sql }: World) =>
    withDeadline(sql<Placed[]>`select merchant_id, last_id, cell from placed order by since`);
  const take = (rows: readonly Placed[]) => {
    alone = new Map(rows.filter(row => row.last_id === null).map(row => [row.merchant_id, row.cell]));
    stretches = rows.filter(row => row.last_id !== null).reverse();
  };
  const cells: Cells = {
    worlds,
    of: id => (id === 0 ? worlds[0]! : (worlds[cellOf(id)] ?? nowhere)),
    newId(cell = newCell) {
      const own = ranges.flatMap(({ from, cell: of }, at) =>
        of === cell ? [{ from, end: ranges[at + 1]?.from ?? idsEnd }] : [],
      );
      for (let tries = 0; tries < mostTries && own.length > 0; tries++) {
        const { from, end } = own[randomInt(own.length)]!;
        // Random, so that ids tell nothing about how many businesses there are.
        const id = from + randomInt(Math.min(end - from, idsEnd - 1));
        if (id !== 0 && cellOf(id) === cell) return id;
      }
      throw new Error(`cell ${cell} has no ids for new businesses`);
    },
    async look() {
      try {
        take(await ask(worlds[0]!));
        hasLooked = true;
      } catch (error) {
        // What cell 0 told the others: a business that moved long ago has no fence any more where the file looks for it.
        const told = hasLooked ? [] : await Promise.allSettled(worlds.slice(1).map(ask));
        const found = told.filter(one => one.status === 'fulfilled').map(({ value }) => value);
        if (found.length > 0) take(found.reduce((a, b) => (b.length > a.length ? b : a)));
        throw error;
      }
    },
    awaited,
  };
  for (const world of [...worlds, nowhere]) world.cells = cells;
  return cells;
}

/** Keeps what is known of moved businesses up to date; a ring looks at once. */
export function startFollowingPlaced({ worlds, look }: Cells): Worker {
  const rhythm = { what: 'looking for businesses that moved to another cell', pause: lookEvery, breath };
  return keepWorking(worlds[0]!, rhythm, look);
}
