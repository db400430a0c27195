import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second, stopwatch } from '../clock.ts';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import { hasCells, readApplied, schemaProblem } from './applied-migrations.ts';
import type { Sql, Transaction } from './connect.ts';
import { believedAliveFor, findOlderProcesses } from './find-older-processes.ts';
import { type Migration, migrationNames, migrationsFolder, readMigrations } from './migration-files.ts';
import { findUnwritten, writeFunctions } from './write-functions.ts';

/** An arbitrary number; all processes that migrate must use the same one. */
const migrationLock = 7_264_251;
/** Milliseconds between two tries for the lock. */
const lockPause = 100;
/** This line marks a file whose statements cannot run in a transaction, such as `create index concurrently`. */
const outsideMark = /^-- outside a transaction$/m;

/** A statement that waits for a table lock blocks all later ones, so give up early and try again. */
const lockTimeout = 2 * second;
const retryPauses = [1 * second, 2 * second, 5 * second];
const retriedFor = 3 * minute;
const inTheWay = ['40P01', '55P03'];

type Options = {
  folder?: URL;
  /** The operator confirms that no older process runs, so this is not checked. */
  olderStopped?: boolean;
};

/**
 * Brings the schema up to date. Each migration has its own transaction, so an interrupted run continues where it
 * stopped. All functions follow in one transaction. A lock makes processes that start together take turns.
 */
export async function migrate(
  sql: Sql,
  say: (line: string) => void = () => {},
  { folder = migrationsFolder, olderStopped = false }: Options = {},
): Promise<{ applied: string[] }> {
  const known = readMigrations(folder, await hasCells(sql));
  const applied: string[] = [];
  const waiting = await retried('the list of migrations', say, () =>
    locked(sql, async tx => {
      const history = await readHistory(tx, known);
      const missing = notYetApplied(known, history);
      if (history.size > 0 && !olderStopped) await refuseOlder(tx, sql, missing);
      return missing;
    }),
  );
  for (const migration of waiting) {
    const { name, text, checksum, runsBeside } = migration;
    const isOurs = await retried(`migration ${name}`, say, () =>
      locked(sql, async tx => {
        // Another process may have applied it since.
        if (notYetApplied([migration], await readHistory(tx, known)).length === 0) return false;
        say(`migrating: ${name}`);
        if (outsideMark.test(text)) await runOutside(sql, migration);
        else await tx.unsafe(text);
        await tx`insert into migrations (name, checksum, runs_beside, version)
          values (${name}, ${checksum}, ${runsBeside}, ${version})`;
        return true;
      }),
    );
    if (isOurs) applied.push(name);
  }
  const isWritten = await retried('the database functions', say, () =>
    locked(sql, async tx => {
      const unwritten = await findUnwritten(tx, folder);
      if (unwritten === null) return false;
      say('migrating: functions');
      await writeFunctions(tx, unwritten);
      return true;
    }),
  );
  if (isWritten) applied.push('functions');
  return { applied };
}

/** The database does not fit this version; the message is for the operator. */
export class SchemaRefused extends StartError {}

/** Returns `ok`, or why this process must not continue with the schema. */
export async function schemaState(sql: Sql): Promise<string> {
  const known = migrationNames().map(name => ({ name }));
  const rows = await readApplied(sql);
  if (known.some(({ name }) => !rows.some(row => row.name === name))) return 'migrations are missing';
  return (schemaProblem(rows, known)?.mayRun ?? true)
    ? 'ok'
    : 'migrated by a newer version, beside which this one may not run';
}

/** Refuses while older processes run: after these migrations they could write wrong data about money, or miss some. */
async function refuseOlder(tx: Transaction, { pooling }: Sql, waiting: Migration[]): Promise<void> {
  const { older, isHidden } = await findOlderProcesses(tx, waiting);
  if (older.length > 0) {
    throw new SchemaRefused(
      `an older version may not run beside what the migrations make, and one does (${older.join('; ')}): stop every older process, then try again; a killed one counts for ${believedAliveFor / second} s`,
    );
  }
  if (waiting.every(({ runsBeside }) => runsBeside) || (pooling === 'by session' && !isHidden)) return;
  throw new SchemaRefused(
    'an older version may not run beside what the migrations make, and a pooler hides who is connected: stop every older process, then use upgrade --stopped',
  );
}

/** Repeats after a deadlock or a lock timeout, for a limited time. */
async function retried<T>(what: string, say: (line: string) => void, work: () => Promise<T>): Promise<T> {
  const since = stopwatch();
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!inTheWay.includes((error as { code?: string }).code ?? '')) throw error;
      const pause = retryPauses[Math.min(tries, retryPauses.length - 1)]!;
      if (since() + pause > retriedFor) {
        throw new SchemaRefused(
          `${what} got no hold of its tables in ${retriedFor / minute} minutes, because somebody else uses them: nothing was changed; stop what else works on the database, and try again`,
        );
      }
      say(`${what} waits: somebody else uses its tables; tried again in ${pause / second} s`);
      await sleep(pause);
    }
  }
}

/** Polls for the migration lock: a waiting statement's snapshot would block `create index concurrently`. */
async function locked<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (;;) {
    const done = await sql.begin(
      async tx => {
        await tx`set local idle_in_transaction_session_timeout = 0`;
        await tx.unsafe(`set local lock_timeout = ${lockTimeout}`);
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

/** Returns the applied migrations. Refuses if they are not the beginning of this version's list. */
async function readHistory(tx: Transaction, known: readonly Migration[]): Promise<Set<string>> {
  const columns = await tx<{ name: string }[]>`
    select attname::text as name from pg_attribute where attrelid = to_regclass('migrations') and attnum > 0`;
  if (columns.length === 0)
    await tx`create table migrations (name text primary key, applied_at timestamptz not null default now())`;
  // Check first, because adding an existing column would lock the table too.
  if (!columns.some(({ name }) => name === 'checksum'))
    await tx`alter table migrations add column checksum text`;
  if (!columns.some(({ name }) => name === 'runs_beside')) {
    await tx`alter table migrations add column runs_beside boolean not null default false,
      add column version text`;
  }
  const rows = await readApplied(tx);
  const problem = schemaProblem(rows, known);
  if (problem?.mayRun === false) throw new SchemaRefused(`${problem.found}: ${problem.todo}`);
  // Release 0.1.0 wrote no checksums.
  for (const { name, checksum } of known)
    if (rows.some(row => row.name === name && row.checksum === null))
      await tx`update migrations set checksum = ${checksum} where name = ${name}`;
  return new Set(rows.map(({ name }) => name));
}

function notYetApplied(known: readonly Migration[], done: ReadonlySet<string>): Migration[] {
  return known.filter(({ name }) => !done.has(name));
}

/** Runs each statement separately. After an interruption it starts again, so each statement must be repeatable. */
async function runOutside(sql: Sql, { text }: Migration): Promise<void> {
  const connection = await sql.reserve({ patient: true });
  try {
    for (const statement of text.split(/;\s*$/m))
      if (statement.trim() !== '') await connection.unsafe(statement);
  } finally {
    connection.release();
  }
}
