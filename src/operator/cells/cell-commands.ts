import { copyFileSync, existsSync } from 'node:fs';
import { compareSchema } from '../../base/database/compare-schema.ts';
import { connect, type Sql } from '../../base/database/connect.ts';
import { migrate } from '../../base/database/migrate.ts';
import { type CellMap, type Range, rangesOf } from '../../base/settings/config-cells.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { writeOwnFile } from '../../base/write-own-file.ts';
import { fillTaken } from '../../business/accounts/taken-names.ts';
import type { Command } from '../command.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { selectStandbys } from '../queries.ts';
import { describeDatabase } from '../running/describe-installation.ts';
import { copyInstallation } from './copy-installation.ts';
import { inEachCell } from './in-each-cell.ts';
import {
  lockMerchantsTable,
  selectFigures,
  selectIdentity,
  selectIds,
  selectRanges,
  writeRanges,
} from './queries.ts';
import { refuseWorker } from './refuse-worker.ts';

const say = (line: string) => console.log(line);

export const cellCommands: Record<string, Command> = {
  'list-cells': {
    needs: 'database',
    summary: "list the cells: businesses, orders per day, bytes, and the standby's lag",
    everyCell: true,
    run: listCells,
  },
  'add-cell': {
    needs: 'database',
    summary: 'prepare an empty PostgreSQL as a further cell, and write it into CELLS_FILE',
    positionals: {
      url: 'the address of the new database, such as postgres://milaan:password@10.0.0.3/milaan',
    },
    options: {
      into: { meaning: 'the file to write, if there is no CELLS_FILE yet' },
    },
    run: add,
  },
  'open-cell': {
    needs: 'database',
    summary: 'make this the cell for new businesses, in CELLS_FILE',
    positionals: { cell: 'the number of the cell, as list-cells prints it' },
    run: openCell,
  },
};

async function listCells(world: World): Promise<number> {
  const { cells, config } = world;
  const urls = config.cells?.urls ?? [config.databaseUrl ?? ''];
  const found = await inEachCell(world, async one => ({
    ...(await selectFigures(one.sql, one.clock.now())),
    ...(await selectStandbys(one.sql)),
  }));
  for (const [number, figures] of found.entries()) {
    const name = `cell ${number}  ${urls[number] ? describeDatabase(urls[number]) : 'of the sandbox'}`;
    if (!figures) {
      console.log(`${name}  DOWN: only its businesses get 503`);
      continue;
    }
    const { businesses, orders_a_day, bytes, standbys, lag_seconds } = figures;
    const behind =
      lag_seconds === null ? '(pg_monitor shows how far behind)' : `${lag_seconds.toFixed(1)} s behind`;
    const standby = standbys === 0 ? 'no standby' : `standby ${behind}`;
    const takesNew = cells && config.cells?.newCell === number ? ', new businesses come here' : '';
    console.log(
      `${name}  ${businesses} businesses, ${orders_a_day} orders in a day, ${(bytes / 1e6).toFixed(1)} MB, ${standby}${takesNew}`,
    );
  }
  if (!cells) console.log('there is one database; add-cell prepares a second one');
  return found.includes(null) ? 1 : 0;
}

async function add(world: World, options: Record<string, string>): Promise<number> {
  const { url = '', into } = options;
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new StartError('the address must look like postgres://user:password@host:5432/name');
  if (world.config.mode !== 'live') throw new StartError('a sandbox has one database');
  const file = into ?? world.config.cells?.file;
  if (file === undefined)
    throw new StartError(
      'there is no CELLS_FILE yet: name the file with --into, such as /etc/milaan/cells.json',
    );
  await addCell(world, url, file, say);
  console.log(`${file} is written${world.config.cells ? '; the previous one is next to it (.before)' : ''}`);
  console.log(
    world.cells
      ? 'Copy it to every machine and restart the processes, one after the other. Until then some new businesses get 503. Then open-cell lets new businesses come to the new cell.'
      : `Copy it to every machine, set CELLS_FILE=${file} there instead of DATABASE_URL, and restart every process at once. Then open-cell lets new businesses come to the new cell.`,
  );
  return 0;
}

async function openCell({ config, cells }: World, { cell = '' }: Record<string, string>): Promise<number> {
  const map = config.cells;
  if (!map || !cells) throw new StartError('there is one database: add-cell prepares a second one');
  const number = Number(cell);
  if (!/^\d+$/.test(cell) || !map.urls[number])
    throw new StartError(`there is no cell ${cell}: they are 0 to ${map.urls.length - 1}`);
  await cells.awaited(number);
  // Throws if the cell has no ids left.
  cells.newId(number);
  writeMap(map.file, { ...map, newCell: number });
  console.log(`${map.file} is written; the previous one is next to it (.before)`);
  console.log(
    `Copy it to every machine and restart the processes, one after the other. New businesses come to cell ${number} from then on.`,
  );
  return 0;
}

type Say = (line: string) => void;

/**
 * Prepares an empty database as a new cell, gives it a range of ids without a business, and writes it into CELLS_FILE.
 * New businesses come to it only after `open-cell`, when every process knows it. It can be repeated after a crash.
 */
export async function addCell(world: World, url: string, file: string, say: Say): Promise<void> {
  const { config } = world;
  const worlds = world.cells?.worlds ?? [world];
  const map = config.cells ?? oneCell(config.databaseUrl!);
  const number = map.urls.length;
  if (map.urls.includes(url)) throw new StartError(`cell ${map.urls.indexOf(url)} is this database already`);
  const sql = connect(url, { most: 3 });
  try {
    await refuseUsed(sql, url, worlds);
    await refuseWorker(sql, url);
    const { applied } = await migrate(sql, say);
    const findings = await checkDatabase(sql, { ...config, databaseUrl: url });
    const faults = findings.filter(({ state }) => state === 'fault');
    if (faults.length > 0)
      throw new StartError(faults.map(({ what, found }) => `${what}: ${found}`).join('; '));
    say(`cell ${number}: the ${describeDatabase(url)} is ready, ${applied.length} migrations applied`);
    await refuseOldFile(worlds[0]!.sql, sql, number);
    await fillTaken(worlds[0]!, worlds[0]!);
    await copyInstallation(worlds[0]!.sql, sql, world.clock.now());
    await giveRange(worlds, sql, map, number, ranges =>
      writeMap(file, { urls: [...map.urls, url], newCell: map.newCell, ranges }),
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function writeMap(file: string, { urls, newCell, ranges }: Omit<CellMap, 'file'>): void {
  if (existsSync(file)) copyFileSync(file, `${file}.before`);
  const text = JSON.stringify({ cells: urls, new: newCell, ranges }, null, 2);
  writeOwnFile(file, `${text}\n`, { asBefore: true });
}

function oneCell(url: string): CellMap {
  return { file: '', urls: [url], newCell: 0, ranges: [{ from: 0, cell: 0 }] };
}

/** Refuses a database that is a cell already, under any host name, or has data of anybody else. */
async function refuseUsed(sql: Sql, url: string, worlds: readonly World[]): Promise<void> {
  const name = describeDatabase(url);
  const identity = await selectIdentity(sql).catch(error => {
    throw new StartError(`the ${name} cannot be used: ${(error as Error).message}`);
  });
  for (const { sql: other, cell = 0 } of worlds)
    if ((await selectIdentity(other)) === identity)
      throw new StartError(`the ${name} is cell ${cell} already`);
  const [{ tables, ours } = { tables: 0, ours: false }] = await sql<{ tables: number; ours: boolean }[]>`
    select count(*) as tables, bool_or(relname = 'migrations') as ours from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`;
  if (tables === 0) return;
  if (!ours) throw new StartError(`the ${name} has tables that are not Milaan's`);
  const { refusal } = await compareSchema(sql);
  if (refusal !== null) throw new StartError(refusal);
  const ids = await selectIds(sql).catch(() => []);
  if (ids.length > 0)
    throw new StartError(
      `the ${name} holds ${ids.length} businesses: a cell begins empty, and businesses come by import-business`,
    );
}

/** With an outdated CELLS_FILE, the newest cell's number and ids would be given to a second database. */
async function refuseOldFile(home: Sql, fresh: Sql, number: number): Promise<void> {
  const newest = Math.max(0, ...(await selectRanges(home)).map(({ cell }) => cell));
  const isBegun = (await selectRanges(fresh)).some(({ cell }) => cell === number);
  if (newest > number || (newest === number && !isBegun))
    throw new StartError(
      `there is a cell ${newest} already, which this CELLS_FILE does not know: copy the newest one here`,
    );
}

/** Chooses a range of ids without a business: the upper half of the largest gap in any cell's ranges. */
export function chooseRange(ranges: readonly Range[], ids: readonly number[]): Range & { owner: number } {
  const sorted = ids.toSorted((a, b) => a - b);
  const gaps = ranges.flatMap(({ from, last, cell }) => {
    const inside = sorted.filter(id => id >= from && id <= last);
    return [from - 1, ...inside].map((below, at) => ({ below, above: inside[at] ?? last + 1, cell }));
  });
  const { below, above, cell } = gaps.reduce((a, b) => (b.above - b.below > a.above - a.below ? b : a));
  const from = Math.ceil((below + above) / 2);
  if (above - from < 1_000_000) throw new StartError('no range of ids is left that is large enough');
  return { from, last: above - 1, cell: Number.NaN, owner: cell };
}

/**
 * From now on the range's previous owner creates no business in it, even with an older file. Every cell stores the
 * range before the file is written, so processes with an older file are refused.
 */
async function giveRange(
  worlds: readonly World[],
  fresh: Sql,
  map: CellMap,
  number: number,
  writeFile: (ranges: CellMap['ranges']) => void,
): Promise<void> {
  const ids = (await Promise.all(worlds.map(({ sql }) => selectIds(sql)))).flat();
  const { owner, ...given } = chooseRange(rangesOf(map), ids);
  const ranges = rangesOf(map)
    .flatMap(one => [
      { ...one, last: Math.min(one.last, given.from - 1) },
      { ...one, from: Math.max(one.from, given.last + 1) },
    ])
    .concat({ ...given, cell: number })
    .filter(({ from, last }) => from <= last)
    .toSorted((a, b) => a.from - b.from);
  // A range of one id is a business that came from another cell. The cell gives out no such id.
  const wide = ranges.filter(({ from, last }) => from < last);
  const now = worlds[0]!.clock.now();
  await worlds[owner]!.sql.begin(async tx => {
    await lockMerchantsTable(tx);
    const since = (await selectIds(tx)).filter(id => id >= given.from && id <= given.last);
    if (since.length > 0) throw new StartError('a business was made in that range just now: try again');
    await writeRanges(tx, wide, now);
    // Write to the new cell first, so that a second try recognizes it (see refuseOldFile).
    for (const sql of [fresh, ...worlds.filter(one => one !== worlds[owner]).map(one => one.sql)])
      await sql.begin(other => writeRanges(other, wide, now));
    writeFile(ranges.map(({ from, cell }) => ({ from, cell })));
  });
}
