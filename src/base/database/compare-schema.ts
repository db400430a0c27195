import { readFileSync } from 'node:fs';
import type { Sql } from './connect.ts';
import { migrationNames, migrationsFolder } from './migrate.ts';

/** Compares the database's migrations with this version's, and changes nothing. */
export async function compareSchema(sql: Sql) {
  const known = migrationNames();
  const [table] = await sql<{ found: string | null }[]>`select to_regclass('migrations')::text as found`;
  const rows = table?.found ? await sql<{ name: string }[]>`select name from migrations order by name` : [];
  const done = new Set(rows.map(row => row.name));
  return {
    /** What this version has and the database does not, each with the reason in its first line. */
    waiting: known.filter(name => !done.has(name)).map(name => ({ name, why: firstLine(name) })),
    /** What the database has and this version does not know: a newer one was here. */
    unknown: [...done].filter(name => !known.includes(name)),
    /** Nothing of ours is in it. */
    isEmpty: done.size === 0,
  };
}

function firstLine(name: string): string {
  const [line = ''] = readFileSync(new URL(name, migrationsFolder), 'utf8').split('\n');
  // Numbers of decision records are for contributors, and a migration that ran somewhere cannot be edited.
  return line.replace(/^-- /, '').replace(/ \([^)]*\bdecision \d+\)/, '');
}
