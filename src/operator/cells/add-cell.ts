import { copyFileSync, existsSync } from 'node:fs';
import { compareSchema } from '../../base/database/compare-schema.ts';
import { connect, type Sql } from '../../base/database/connect.ts';
import { migrate } from '../../base/database/migrate.ts';
import { type CellMap, type Range, rangesOf } from '../../base/settings/config-cells.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { writeOwnFile } from '../../base/write-own-file.ts';
import { fillTaken } from '../../business/accounts/taken-names.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { describeDatabase } from '../running/describe-installation.ts';
import { copyInstallation } from './copy-installation.ts';
import { lockMerchants, selectIdentity, selectIds, selectRanges, writeRanges } from './queries.ts';
import { refuseWorker } from './refuse-worker.ts';

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

/** Writes CELLS_FILE and keeps the previous file next to it (.before). */
export function writeMap(file: string, { urls, newCell, ranges }: Omit<CellMap, 'file'>): void {
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
    await lockMerchants(tx);
    const since = (await selectIds(tx)).filter(id => id >= given.from && id <= given.last);
    if (since.length > 0) throw new StartError('a business was made in that range just now: try again');
    await writeRanges(tx, wide, now);
    // Write to the new cell first, so that a second try recognizes it (see refuseOldFile).
    for (const sql of [fresh, ...worlds.filter(one => one !== worlds[owner]).map(one => one.sql)])
      await sql.begin(other => writeRanges(other, wide, now));
    writeFile(ranges.map(({ from, cell }) => ({ from, cell })));
  });
}
