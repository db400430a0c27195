import { randomBytes } from 'node:crypto';
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { isAlive, startEmbedded } from '../../src/base/database/embedded.ts';
import { migrate } from '../../src/base/database/migrate.ts';
import { readPlans, storePlans } from '../../src/business/merchants/plans.ts';

/** A real PostgreSQL for tests. `test/run.ts` starts one for all files; a file run alone starts its own. */
export type TestServer = { url: string; stop(): Promise<void> };

const template = 'milaan_template';

/**
 * For hundreds of small databases that are gone in minutes: nothing waits for the disk, which tests never take away.
 */
const hurry = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_init_zero: 'off',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  // Files run side by side, some with several programs, each with a pool.
  max_connections: '500',
  // Each look of it is a process a database.
  autovacuum_naptime: '20s',
};

const memory = '/dev/shm';
const plenty = 6 * 1024 ** 3;

/**
 * In memory, where there is plenty: each test database is 800 files that are made and soon removed again, and a disk's
 * file system takes three times the processor time for that. What a run left that was killed is removed.
 */
function hurriedFolder(): string {
  const name = `milaan-test-${process.pid}-`;
  try {
    for (const left of globSync(`${memory}/milaan-test-*`))
      if (!isAlive(Number(left.split('-')[2]))) rmSync(left, { recursive: true });
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize > plenty && freemem() > plenty) return mkdtempSync(join(memory, name));
  } catch {
    // Not on this system, or not ours.
  }
  return mkdtempSync(join(tmpdir(), name));
}

/** `hurried`: for all files of a run. Benchmarks must wait as the product does. */
export async function startTestServer({
  hurried = false,
  settings = {} as Record<string, string>,
} = {}): Promise<TestServer> {
  const folder = hurried ? hurriedFolder() : mkdtempSync(join(tmpdir(), 'milaan-test-'));
  // For root the database runs as another user, who has to pass.
  chmodSync(folder, 0o711);
  const database = await startServer(folder, hurried ? hurry : settings);
  const sql = connect(database.url, { most: 1 });
  await sql.unsafe(`create database ${template}`);
  await sql.end();
  const schema = connect(withName(database.url, template), { most: 2 });
  await migrate(schema);
  await schema.end();
  return {
    url: database.url,
    async stop() {
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The sandbox's own PostgreSQL, or the one whose programs are in MILAAN_TEST_POSTGRES. */
async function startServer(folder: string, settings: Record<string, string>): Promise<TestServer> {
  const bin = process.env['MILAAN_TEST_POSTGRES'];
  if (bin === undefined) return await startEmbedded(folder, () => {}, settings);
  const { startPrimary } = await import('../../drills/standby/postgres.ts');
  return await startPrimary(bin, join(folder, 'postgres'));
}

export type TestDatabase = { url: string; sql: Sql; stop(): Promise<void> };

/** A database of its own for one test file, copied from the migrated template. `settings` are of an own server. */
export async function openTestDatabase({
  most = 16,
  ownServer = false,
  settings = {} as Record<string, string>,
} = {}): Promise<TestDatabase> {
  const emptied = process.env['MILAAN_TEST_DATABASE'];
  if (emptied !== undefined && !ownServer) return await openEmptied(emptied, most);
  const given = ownServer ? undefined : process.env['MILAAN_TEST_SERVER'];
  const server = given ? { url: given, stop: async () => {} } : await startTestServer({ settings });
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = connect(server.url, { most: 1 });
  // Copying files costs a quarter of the processor time of copying through the log, if no checkpoint waits for a disk.
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  const url = withName(server.url, name);
  const sql = connect(url, { most });
  return {
    url,
    sql,
    async stop() {
      await sql.end({ timeout: 1 });
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
      await server.stop();
    },
  };
}

/** One that is there and migrated already, such as a schema of a Citus cluster: emptied, because no copy of it can be made. */
async function openEmptied(url: string, most: number): Promise<TestDatabase> {
  const sql = connect(url, { most });
  const tables = await sql<{ name: string }[]>`
    select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p') and not relispartition and relname not in ('migrations', 'write_trials', 'written_functions')`;
  await sql.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  await storePlans(sql, readPlans(null));
  return { url, sql, stop: () => sql.end({ timeout: 1 }) };
}

function withName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
