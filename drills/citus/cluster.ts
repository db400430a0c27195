import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../src/base/database/connect.ts';
import { type Postgres, password, startPrimary } from '../standby/postgres.ts';

const version = '15';
const library = `usr/lib/postgresql/${version}`;
const share = `usr/share/postgresql/${version}`;

/** Every node's settings. They need no TLS, because all nodes are on this machine. */
const settings = [
  'shared_preload_libraries=citus',
  'citus.enable_statistics_collection=off',
  'citus.node_conninfo=sslmode=disable',
  'wal_level=logical',
  'max_prepared_transactions=150',
  'max_wal_senders=20',
  'max_replication_slots=20',
];

/** Why it cannot be played here, or null. */
export function whatIsMissing(given: string | undefined): string | null {
  if (!existsSync(`/${library}/bin/initdb`))
    return `Debian's PostgreSQL ${version}: apt-get install postgresql`;
  if (given !== undefined && existsSync(join(given, library, 'lib/citus.so'))) return null;
  return `CITUS_DIR, a folder into which Citus, built for Debian's PostgreSQL ${version}, was installed (make install DESTDIR=…): ${library}/lib/citus.so is to be found in it`;
}

/** Installs Citus next to Debian's PostgreSQL in the drill's folder, so the machine's own stays unchanged. */
export function joinPrograms(given: string, folder: string): string {
  for (const part of [library, share])
    cpSync(`/${part}`, join(folder, part), { recursive: true, dereference: true });
  cpSync(given, folder, { recursive: true });
  return join(folder, library, 'bin');
}

/** A server that can be a coordinator or a worker. */
export async function startNode(bin: string, folder: string): Promise<Postgres> {
  const node = await startPrimary(bin, folder, settings);
  await onNode(node, `create extension citus`);
  await onNode(
    node,
    `insert into pg_dist_authinfo (nodeid, rolename, authinfo)
    select id, 'milaan', 'password=${password}' from unnest(array[0, -1]) as id`,
  );
  return node;
}

export async function onNode({ url }: Postgres, statement: string): Promise<Record<string, unknown>[]> {
  const sql = connect(url, { most: 1, statementTimeout: 600_000 });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export async function joinNodes(coordinator: Postgres, workers: readonly Postgres[]): Promise<void> {
  await onNode(coordinator, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  for (const { port } of workers) await onNode(coordinator, `select citus_add_node('127.0.0.1', ${port})`);
}
