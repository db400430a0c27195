import { version } from '../version.ts';
import { hasCells, hasTable, readApplied, schemaProblem } from './applied-migrations.ts';
import type { Sql } from './connect.ts';
import { migrationsFolder, readMigrations } from './migration-files.ts';
import { findUnwritten } from './write-functions.ts';

export async function compareSchema(sql: Sql) {
  const known = readMigrations(migrationsFolder, await hasCells(sql));
  const rows = (await hasTable(sql, 'migrations')) ? await readApplied(sql) : [];
  const problem = schemaProblem(rows, known);
  const waiting = known
    .filter(({ name }) => !rows.some(row => row.name === name))
    .map(({ name, text, runsBeside }) => ({ name, why: firstLine(text), runsBeside }));
  if (await findUnwritten(sql, migrationsFolder))
    waiting.push({ name: 'functions', why: "This version's database functions.", runsBeside: true });
  return {
    /** Migrations that the database lacks, each with the reason from its first line. */
    waiting,
    problem,
    refusal: problem && !problem.mayRun ? `${problem.found}: ${problem.todo}` : null,
    /** This version has started to migrate and may have been interrupted. */
    isBegun: rows.some(row => row.version === version),
    isEmpty: rows.length === 0,
  };
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  // Released files never change, so references for readers of the file are cut here.
  return line.replace(/^-- /, '').replace(/ \([^)]*\bdecision \d+\)/, '');
}
