import { version } from '../version.ts';
import { hasCells, readApplied, schemaProblem } from './applied-migrations.ts';
import type { Sql } from './connect.ts';
import { migrationsFolder, readMigrations } from './migration-files.ts';
import { findUnwritten } from './write-functions.ts';

/** Compares the database's migrations with this version's, and changes nothing. */
export async function compareSchema(sql: Sql) {
  const known = readMigrations(migrationsFolder, await hasCells(sql));
  const [table] = await sql<{ found: string | null }[]>`select to_regclass('migrations')::text as found`;
  const rows = table?.found ? await readApplied(sql) : [];
  const problem = schemaProblem(rows, known);
  const waiting = known
    .filter(({ name }) => !rows.some(row => row.name === name))
    .map(({ name, text, runsBeside }) => ({ name, why: firstLine(text), runsBeside }));
  if (await findUnwritten(sql, migrationsFolder))
    waiting.push({ name: 'functions', why: "This version's database functions.", runsBeside: true });
  return {
    /** What this version has and the database does not, each with the reason in its first line. */
    waiting,
    problem,
    refusal: problem && !problem.mayRun ? `${problem.found}: ${problem.todo}` : null,
    /** This version was here, and may have been interrupted. */
    isBegun: rows.some(row => row.version === version),
    /** Nothing of ours is in it. */
    isEmpty: rows.length === 0,
  };
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  // What was released is not changed any more; the numbers are for whoever reads the file.
  return line.replace(/^-- /, '').replace(/ \([^)]*\bdecision \d+\)/, '');
}
