import { version } from '../version.ts';
import type { Queryable } from './connect.ts';
import { isReleaseBefore } from './program-name.ts';

/** `runs_beside` and `version` (whose it is) are told from 0.2.0 on. */
type Applied = { name: string; checksum?: string | null; runs_beside?: boolean; version?: string | null };

/** What was done to this database. As whole rows: one that no newer version has been at lacks the later columns. */
export async function readApplied(sql: Queryable): Promise<Applied[]> {
  const rows = await sql<{ row: Applied }[]>`select to_jsonb(m) as row from migrations m order by m.name`;
  return rows.map(({ row }) => row);
}

/** Why this version must leave the database alone, or null: a newer one was there, beside which it may not run. */
export function newerSchema(rows: readonly Applied[], known: readonly { name: string }[]): string | null {
  const unknown = rows.filter(row => !known.some(({ name }) => name === row.name));
  // Released migrations are never taken away, and later ones have greater numbers.
  const unreleased = unknown.find(({ name }) => name < known.at(-1)!.name);
  if (unreleased)
    return `the database was made by a build between two releases (${unreleased.name}), which no release upgrades: start with an empty one, or restore a backup of a release`;
  const names = unknown
    .filter(row => !row.runs_beside || !isReleaseBefore(version, row.version ?? ''))
    .map(({ name }) => name);
  return names.length === 0
    ? null
    : `the database has been migrated by a newer version (${names.join(', ')}): update this one`;
}
