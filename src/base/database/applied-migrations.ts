import { version } from '../version.ts';
import type { Queryable } from './connect.ts';
import { isReleaseBefore } from './program-name.ts';

/** Both `runs_beside` and `version` (which wrote the row) exist since 0.2.0. */
type Applied = { name: string; checksum?: string | null; runs_beside?: boolean; version?: string | null };

/** Reads whole rows as JSON, because an older database lacks the later columns. */
export async function readApplied(sql: Queryable): Promise<Applied[]> {
  return await sql<{ row: Applied }[]>`select to_jsonb(m) as row from migrations m order by m.name`.column();
}

/** Returns whether this is one of several databases, which know the ranges of ids. */
export async function hasCells(sql: Queryable): Promise<boolean> {
  if (!(await hasTable(sql, 'placed'))) return false;
  return await sql`select from placed where last_id is not null limit 1`.some();
}

/** Older databases lack some tables. */
export async function hasTable(sql: Queryable, name: string): Promise<boolean> {
  return await sql`select where to_regclass(${name}) is not null`.some();
}

type Known = { name: string; checksum?: string };

/** Returns how the database differs from this version, what to do, and whether this version may run anyway. */
export function schemaProblem(rows: readonly Applied[], known: readonly Known[]) {
  const unknown = rows.filter(row => !known.some(({ name }) => name === row.name));
  // Released migrations are never removed, and later ones have greater numbers.
  const unreleased = unknown.find(({ name }) => name < known.at(-1)!.name);
  // Release 0.1.0 wrote no checksums.
  const changed = known.find(({ name, checksum }) =>
    rows.some(row => row.name === name && row.checksum && checksum && row.checksum !== checksum),
  );
  if (unreleased || changed)
    return {
      found: unreleased
        ? `the database was made by a build between two releases (${unreleased.name}), which no release upgrades`
        : `migration ${changed!.name} was changed after it had been applied to this database`,
      todo: `${unreleased ? 'run that build again' : 'put the file of that time back'}, restore a backup that a release wrote, or start with an empty database`,
      mayRun: false,
    };
  const apart = unknown.filter(row => !row.runs_beside || !isReleaseBefore(version, row.version ?? ''));
  const named = apart.length > 0 ? apart : unknown;
  if (named.length === 0) return null;
  const by = named.at(-1)!.version;
  const who = by === version ? `another build of version ${by}` : by ? `version ${by}` : 'a newer version';
  return {
    found: `the database has been migrated by ${who} (${named.map(({ name }) => name).join(', ')})`,
    todo:
      by === version
        ? `no release up to ${by} has these migrations: run that build here, or restore a backup that a release wrote`
        : `install ${by ? `${who} or newer` : who} here, or restore a backup from before it into an empty database`,
    mayRun: apart.length === 0,
  };
}

/** The highest number of a cell that anything was given to. */
export async function selectNewestCell(sql: Queryable): Promise<number> {
  const [row] = await sql<{ cell: number }[]>`select coalesce(max(cell), 0) as cell from placed`;
  return row!.cell;
}
