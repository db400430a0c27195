import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/base/database/connect.ts';
import { freePort } from '../../src/base/free-port.ts';

/** A private PgBouncer on loopback, in front of a PostgreSQL. */
export type PgBouncer = {
  /** The database's own address, through the pooler. */
  url: string;
  /** Its settings. */
  file: string;
  /** Ends it without a word to anybody, so that every connection through it dies, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  mode: 'session' | 'transaction';
  poolSize?: number;
  /** Further lines of its settings. */
  more?: string[];
  command?: string[];
};

const binary = '/usr/sbin/pgbouncer';
/** PgBouncer refuses to run as root. */
const nobody = 65534;

export async function startPgBouncer(
  databaseUrl: string,
  { mode, poolSize = 40, more = [], command = [binary] }: Options,
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-pgbouncer-'));
  const asRoot = process.getuid?.() === 0;
  const port = await freePort();
  const target = new URL(databaseUrl);
  const log = join(folder, 'log');
  const lines = [
    '[databases]',
    `* = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${folder}/users`,
    `logfile = ${log}`,
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    ...more,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'users'), `"${target.username}" "${target.password}"\n`, { mode: 0o600 });
  if (asRoot) for (const name of ['.', 'users']) chownSync(join(folder, name), nobody, nobody);
  chmodSync(folder, 0o755);

  const url = new URL(databaseUrl);
  url.port = String(port);
  let child: ChildProcess;
  let ended: Promise<void>;
  const start = async () => {
    child = spawn(command[0]!, [...command.slice(1), join(folder, 'pgbouncer.ini')], {
      stdio: 'ignore',
      ...(asRoot && { uid: nobody, gid: nobody }),
    });
    ended = new Promise(resolve => child.once('close', () => resolve()));
    for (let tries = 0; !(await serves(url.href)); tries++) {
      if (child.exitCode !== null || tries > 2_000)
        throw new Error(`PgBouncer did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
      await sleep(50);
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    url: url.href,
    file: join(folder, 'pgbouncer.ini'),
    async restart() {
      await end('SIGKILL');
      await start();
    },
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** On a busy machine the first login can take long. */
async function serves(url: string): Promise<boolean> {
  const sql = connect(url, { most: 1, pooling: 'by transaction' });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end();
  }
}
