import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from './connect.ts';

const folder = new URL('../../migrations/', import.meta.url);

/** Any number; it only has to be the same in every process that migrates. */
const migrationLock = 7_264_251;

export type Migrated = { applied: string[] };

/**
 * Brings the schema up to date. One transaction holds the lock, so that processes starting together take turns, a
 * crash leaves the schema as it was, and a pooler in transaction mode works.
 */
export async function migrate(sql: Sql, say: (line: string) => void = () => {}): Promise<Migrated> {
  const known = readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort();
  const patient = { patient: true };
  return await sql.begin(async tx => {
    await tx`set local statement_timeout = 0`;
    await tx`select pg_advisory_xact_lock(${migrationLock})`;
    await tx`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    const rows = await tx<{ name: string }[]>`select name from migrations order by name`;
    const done = new Set(rows.map(row => row.name));
    const unknown = [...done].filter(name => !known.includes(name));
    if (unknown.length > 0) {
      throw new NewerSchema(
        `the database has been migrated by a newer version (${unknown.join(', ')}): update this one`,
      );
    }
    const applied = known.filter(name => !done.has(name));
    for (const name of applied) {
      say(`migrating: ${name}`);
      await tx.unsafe(readFileSync(new URL(name, folder), 'utf8'));
      await tx`insert into migrations (name) values (${name})`;
    }
    return { applied };
  }, patient);
}

export class NewerSchema extends Error {}

/** Whether every migration of this version is in the database. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const known = readdirSync(folder).filter(name => name.endsWith('.sql'));
  const [row] = await sql<
    { count: number }[]
  >`select count(*) as count from migrations where name in ${sql(known)}`;
  return row?.count === known.length;
}
