import { setTimeout as sleep } from 'node:timers/promises';
import { openBankBook } from '../alerts/book/open-bank-book.ts';
import { second } from '../base/clock.ts';
import type { Sql } from '../base/database/connect.ts';
import { unreachableSql } from '../base/database/unreachable-sql.ts';
import { openMetrics } from '../base/metrics.ts';
import { openCells } from '../base/open-cells.ts';
import type { CellMap } from '../base/settings/config-cells.ts';
import { steadyClock } from '../base/steady-clock.ts';
import type { World } from '../base/world.ts';
import { checkMap, WrongMap } from './cells/check-map.ts';

type Opening = {
  /** Connects and migrates one database, after `check`. Throws the reason in words. */
  open(url: string, say: (line: string) => void, check: (sql: Sql) => Promise<void>): Promise<Sql>;
  say: (line: string) => void;
  /**
   * A program keeps trying a cell that does not answer; the others work with the cells that do. A command only warns
   * that the file contradicts a cell, because add-cell can repair that.
   */
  as: 'program' | 'command' | 'upgrade';
  /** The time until a cell is tried again. A silent network must not delay the other cells. */
  pause?: number;
};

/** Opens a world for each database. A cell that is down does not delay the others; if all are, it throws. */
export async function openCellWorlds(
  map: CellMap,
  shared: Omit<World, 'sql' | 'metrics'>,
  { open, say, as, pause = 5 * second }: Opening,
): Promise<{ world: World; close(): Promise<void> }> {
  const stopping = new AbortController();
  const met = new Set<number>();
  const wrongMaps: WrongMap[] = [];
  const worlds = map.urls.map(
    (_, cell): World => ({
      ...shared,
      cell,
      sql: unreachableSql(),
      clock: steadyClock(),
      log: shared.log.child({ cell }),
      metrics: openMetrics(cell),
      banks: openBankBook(shared.banks.base),
    }),
  );
  const meet = async (cell: number) => {
    const world = worlds[cell]!;
    const check = async (sql: Sql) => {
      try {
        await checkMap(sql, map, cell);
      } catch (error) {
        if (!(error instanceof WrongMap)) throw error;
        if (as === 'command') return say(`warning: ${error.message}`);
        wrongMaps[cell] = error;
        throw error;
      }
    };
    const sql = await open(map.urls[cell]!, line => say(`cell ${cell}: ${line}`), check);
    try {
      // An upgrade's tables may be older or missing.
      if (as !== 'upgrade') await world.banks.reload({ sql, log: world.log });
      stopping.signal.throwIfAborted();
    } catch (error) {
      await sql.end({ timeout: 2 });
      throw error;
    }
    world.sql = sql;
    met.add(cell);
  };
  const meetLater = async (cell: number) => {
    for (;;) {
      await sleep(pause, null, { signal: stopping.signal, ref: false });
      try {
        await meet(cell);
        return;
      } catch (error) {
        worlds[cell]!.log.error({ err: error }, 'this cell cannot be used; it will be tried again');
      }
    }
  };
  const close = async () => {
    stopping.abort();
    await Promise.all(worlds.map(({ sql }) => sql.end({ timeout: 2 })));
  };
  const attempts = worlds.map((_, cell) => meet(cell));
  const tried = Promise.allSettled(attempts);
  const enough = Promise.any(attempts)
    .then(() => sleep(pause, null, { ref: false }))
    .catch(() => {});
  await (as === 'program' ? Promise.race([tried, enough]) : tried);
  // Cell 0's comes first: only its database says what release 0.2.0 moved, and the other cells cannot know why.
  const wrongMap = wrongMaps.find(Boolean);
  if (wrongMap) {
    await close();
    throw wrongMap;
  }
  if (met.size === 0) await Promise.all(attempts);
  const late = async (cell: number) => {
    try {
      await attempts[cell];
    } catch (error) {
      say(`warning: cell ${cell} is left out for now: ${(error as Error).message}`);
      if (as !== 'program') throw error;
      worlds[cell]!.log.error({ err: error }, 'this cell cannot be used; it will be tried again');
      await meetLater(cell);
    }
    say(`cell ${cell} is back`);
  };
  const awaited = worlds.map((_, cell) => (met.has(cell) ? null : late(cell)));
  for (const one of awaited) one?.catch(() => {});
  openCells(map, worlds, cell => awaited[cell] ?? null);
  return { world: worlds[0]!, close };
}
