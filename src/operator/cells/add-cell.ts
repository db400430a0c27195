import { copyFileSync, existsSync } from 'node:fs';
import { compareSchema } from '../../base/database/compare-schema.ts';
import { connect, type Sql } from '../../base/database/connect.ts';
import { migrate } from '../../base/database/migrate.ts';
import { type CellMap, idsEnd } from '../../base/settings/config-cells.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { writeOwnFile } from '../../base/write-own-file.ts';
import { fillTaken } from '../../business/accounts/taken-names.ts';
import { describeDatabase } from '../describe-installation.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { copyInstallation } from './copy-installation.ts';
import { distributeCell } from './distribute-cell.ts';
import {
  lockMerchants,
  type Range,
  selectIdentity,
  selectIds,
  selectRanges,
  writeRanges,
} from './queries.ts';

type Say = (line: string) => void;

/**
 * A new cell: an empty database is prepared, given a range of ids in which no business lives, and written into the file
 * as the one that takes new businesses. Again is no fault: whoever was killed begins anew.
 */
export async function addCell(
  world: World,
  url: string,
  file: string,
  say: Say,
  { citus = false } = {},
): Promise<void> {
  const { config } = world;
  const worlds = world.cells?.worlds ?? [world];
  const map = config.cells ?? oneCell(config.databaseUrl!);
  const number = map.urls.length;
  if (map.urls.includes(url)) throw new StartError(`cell ${map.urls.indexOf(url)} is this database already`);
  const sql = connect(url, { most: 3 });
  try {
    await refuseUsed(sql, url, worlds);
    if (citus) await distributeCell(url, say);
    const { applied } = await migrate(sql, say);
    const findings = await checkDatabase(sql, { ...config, databaseUrl: url });
    const faults = findings.filter(({ state }) => state === 'fault');
    if (faults.length > 0)
      throw new StartError(faults.map(({ what, found }) => `${what}: ${found}`).join('; '));
    say(`cell ${number}: the ${describeDatabase(url)} is ready, ${applied.length} migrations applied`);
    await refuseOldSettings(worlds[0]!, sql, number);
    await fillTaken(worlds[0]!);
    const ranges = await giveRange(worlds, map, number, sql);
    for (const one of [sql, ...worlds.slice(1).map(other => other.sql)])
      await copyInstallation(worlds[0]!.sql, one, world.clock.now());
    if (existsSync(file)) copyFileSync(file, `${file}.before`);
    const text = { cells: [...map.urls, url], new: number, ranges };
    writeOwnFile(file, `${JSON.stringify(text, null, 2)}\n`, { asBefore: true });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function oneCell(url: string): CellMap {
  return { file: '', urls: [url], newCell: 0, ranges: [{ from: 0, cell: 0 }] };
}

/** Empty, or prepared by an earlier try; and none of those that are cells already, by whatever name it is reached. */
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
      `the ${name} holds ${ids.length} businesses: a cell begins empty, and businesses come by move-business`,
    );
}

/** Whoever knows of fewer cells than there are would give the newest one's number and ids to another database. */
async function refuseOldSettings(home: World, fresh: Sql, number: number): Promise<void> {
  const newest = Math.max(0, ...(await selectRanges(home.sql)).map(({ cell }) => cell));
  const isBegun = (await selectRanges(fresh)).some(({ cell }) => cell === number);
  if (newest > number || (newest === number && !isBegun))
    throw new StartError(
      `there is a cell ${newest} already, of which these settings do not know: copy the newest CELLS_FILE here`,
    );
}

/** From where to where no business lives: the upper half of the largest gap, whoever has it. */
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

/** As they are in force: the file's, and over them what was given away since. */
function inForce({ ranges }: Pick<CellMap, 'ranges'>, given: readonly Range[]): Range[] {
  const all = ranges.map(({ from, cell }, at) => ({
    from,
    last: (ranges[at + 1]?.from ?? idsEnd) - 1,
    cell,
  }));
  return given.reduce(
    (left: Range[], one) =>
      [
        ...left.flatMap(other => [
          { ...other, last: Math.min(other.last, one.from - 1) },
          { ...other, from: Math.max(other.from, one.last + 1) },
        ]),
        one,
      ].filter(({ from, last }) => from <= last),
    all,
  );
}

/** Nobody makes a business in it from here on, whatever file they have; the new map as a file has it. */
async function giveRange(
  worlds: readonly World[],
  map: CellMap,
  number: number,
  fresh: Sql,
): Promise<CellMap['ranges']> {
  const home = worlds[0]!;
  // An earlier try may have given this cell one; nobody can have used it, for the file was never written.
  const given = (await selectRanges(home.sql)).filter(({ cell }) => cell !== number);
  const ids = (await Promise.all(worlds.map(({ sql }) => selectIds(sql)))).flat();
  const { owner, ...range } = chooseRange(inForce(map, given), ids);
  const after = [...inForce({ ranges: [] }, [...given, { ...range, cell: number }])];
  const now = home.clock.now();
  // By this it is known again, see refuseOldSettings.
  await fresh.begin(tx => writeRanges(tx, after, now));
  await worlds[owner]!.sql.begin(async tx => {
    await lockMerchants(tx);
    const since = (await selectIds(tx)).filter(id => id >= range.from && id <= range.last);
    if (since.length > 0) throw new StartError('a business was made in that range just now: try again');
    if (owner !== 0) await home.sql.begin(inHome => writeRanges(inHome, after, now));
    await writeRanges(tx, after, now);
  });
  return inForce(map, after)
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, cell }) => ({ from, cell }));
}
