import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, Transaction } from './connect.ts';

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);

/** Any number; it only has to be the same in every process that migrates. */
const migrationLock = 7_264_251;
/** Whoever finds somebody else migrating looks again after this many milliseconds. */
const lockPause = 100;
/** A line of its own in a file whose statements refuse to run in a transaction, such as `create index concurrently`. */
const outsideMark = /^-- outside a transaction$/m;

type Migration = { name: string; text: string; checksum: string };

/**
 * Brings the schema up to date, each migration in its own transaction, so that an interrupted list carries on where it
 * stopped. A lock is held meanwhile, so that processes which start together take turns.
 */
export async function migrate(
  sql: Sql,
  say: (line: string) => void = () => {},
  folder: URL = migrationsFolder,
): Promise<{ applied: string[] }> {
  const known = readMigrations(folder);
  const applied: string[] = [];
  const waiting = await locked(sql, async tx => notYetApplied(known, await readHistory(tx, known)));
  for (const migration of waiting) {
    const isOurs = await locked(sql, async tx => {
      // Somebody else may have been here since.
      if (notYetApplied([migration], await readHistory(tx, known)).length === 0) return false;
      say(`migrating: ${migration.name}`);
      if (outsideMark.test(migration.text)) await runOutside(sql, migration);
      else await tx.unsafe(migration.text);
      await tx`insert into migrations (name, checksum) values (${migration.name}, ${migration.checksum})`;
      return true;
    });
    if (isOurs) applied.push(migration.name);
  }
  return { applied };
}

/** The database and this version do not belong together; the sentence is for the operator. */
export class SchemaRefused extends Error {}

/** Whether every migration of this version is in the database. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const known = migrationNames();
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from migrations where name in ${sql(known)}`;
  return row?.count === known.length;
}

/** In their order. */
export function migrationNames(folder = migrationsFolder): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort();
}

/** The refusal for a database that a newer version has migrated. */
export function newerSchema(unknown: readonly string[]): string {
  return `the database has been migrated by a newer version (${unknown.join(', ')}): update this one`;
}

function readMigrations(folder: URL): Migration[] {
  return migrationNames(folder).map(name => {
    // A checkout on Windows may have given the lines other ends.
    const text = readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

/**
 * A transaction with the lock. It is tried for, not waited for: a statement that waits keeps its view of the data, and
 * `create index concurrently` waits for everybody who has an old one.
 */
async function locked<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (;;) {
    const done = await sql.begin(
      async tx => {
        await tx`set local statement_timeout = 0`;
        await tx`set local idle_in_transaction_session_timeout = 0`;
        const [lock] = await tx<{ is_ours: boolean }[]>`
          select pg_try_advisory_xact_lock(${migrationLock}) as is_ours`;
        return lock?.is_ours ? { result: await work(tx) } : null;
      },
      { patient: true },
    );
    if (done) return done.result;
    await sleep(lockPause);
  }
}

/** What was applied so far; refused where that is not the beginning of what this version knows. */
async function readHistory(tx: Transaction, known: readonly Migration[]): Promise<Set<string>> {
  const [table] = await tx<{ exists: boolean; has_checksums: boolean }[]>`
    select to_regclass('migrations') is not null as exists, exists (select from pg_attribute
      where attrelid = to_regclass('migrations') and attname = 'checksum') as has_checksums`;
  if (!table?.exists)
    await tx`create table migrations (name text primary key, applied_at timestamptz not null default now())`;
  if (!table?.has_checksums) await tx`alter table migrations add column checksum text`;
  const rows = await tx<{ name: string; checksum: string | null }[]>`
    select name, checksum from migrations order by name`;
  const unknown = rows.filter(row => !known.some(({ name }) => name === row.name));
  if (unknown.length > 0) throw new SchemaRefused(newerSchema(unknown.map(({ name }) => name)));
  for (const { name, checksum } of known) {
    const row = rows.find(one => one.name === name);
    if (!row || row.checksum === checksum) continue;
    if (row.checksum !== null) {
      throw new SchemaRefused(
        `migration ${name} was changed after it had been applied to this database: put the released file back, and make changes in a new one`,
      );
    }
    // Applied by release 0.1.0, which wrote no checksums.
    await tx`update migrations set checksum = ${checksum} where name = ${name}`;
  }
  return new Set(rows.map(({ name }) => name));
}

function notYetApplied(known: readonly Migration[], done: ReadonlySet<string>): Migration[] {
  return known.filter(({ name }) => !done.has(name));
}

/** Statement by statement, each for itself. Interrupted in between it begins anew, so each must bear to be repeated. */
async function runOutside(sql: Sql, { text }: Migration): Promise<void> {
  const connection = await sql.reserve({ patient: true });
  try {
    for (const statement of text.split(/;\s*$/m))
      if (statement.trim() !== '') await connection.unsafe(statement);
  } finally {
    connection.release();
  }
}
