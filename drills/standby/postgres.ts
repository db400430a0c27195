import type { ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/base/database/connect.ts';
import { type Runner, runnerFor } from '../../src/base/database/runner-for.ts';
import { freePort } from '../../src/base/free-port.ts';
import { type Line, openLine } from './line.ts';

/** One PostgreSQL server of the drill. Debian's, because a standby needs pg_basebackup. */
export type Postgres = {
  port: number;
  pid: number;
  /** Straight to this server. */
  url: string;
  /** The line on which a standby follows its primary. */
  following: Line | null;
  run(statement: string): Promise<Record<string, unknown>[]>;
  /** Simulates a power failure: kills every process of the server at once. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** After its end, on the same port and data. */
  again(): Promise<Postgres>;
};

export const password = 'drill';
const startTries = 300;

/** The newest that is installed, 15 or later. */
export function debianPostgres(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter(version => version >= 15)
    : [];
  const newest = versions.sort((a, b) => b - a)[0];
  return newest === undefined ? null : join(root, String(newest), 'bin');
}

export async function startPrimary(
  bin: string,
  folder: string,
  settings: string[] = [],
  port?: number,
): Promise<Postgres> {
  mkdirSync(folder, { mode: 0o711 });
  const runner = runnerFor(bin, folder);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  runner.own(passwordFile);
  runner.own(join(folder, 'data'));
  const how = [
    '-U',
    'milaan',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
  ];
  await complete(runner, folder, 'initdb', ['-D', join(folder, 'data'), ...how]);
  const server = await start(runner, folder, null, settings, port);
  await server.run('create database milaan');
  return server;
}

/** The same server again, after it was killed; its port is another one. */
export async function startAgain(bin: string, folder: string): Promise<Postgres> {
  return await start(runnerFor(bin, folder), folder, null);
}

/** A copy of the primary that follows it over a line which the drill can hold. */
export async function startStandby(bin: string, folder: string, primary: Postgres): Promise<Postgres> {
  mkdirSync(folder, { mode: 0o711 });
  const runner = runnerFor(bin, folder);
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  runner.own(join(folder, 'data'));
  const following = await openLine(primary.port);
  const from = `host=127.0.0.1 port=${following.port} user=milaan password=${password}`;
  const how = [
    '-D',
    join(folder, 'data'),
    '-d',
    from,
    '-R',
    '-X',
    'stream',
    '--checkpoint=fast',
    '--no-sync',
  ];
  await complete(runner, folder, 'pg_basebackup', how);
  // A promoted server must not wait for a standby that does not exist yet.
  appendFileSync(join(folder, 'data', 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
  return await start(runner, folder, following);
}

async function start(
  runner: Runner,
  folder: string,
  following: Line | null,
  more: string[] = [],
  given?: number,
): Promise<Postgres> {
  const data = join(folder, 'data');
  const port = given ?? (await freePort());
  const log = openSync(join(folder, 'log'), 'a', 0o600);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=150', ...more];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])];
  const child = runner.spawn('postgres', args, ['ignore', log, log]);
  const gone = new Promise<void>(resolve => child.once('close', () => resolve()));
  const address = (name: string) => `postgres://milaan:${password}@127.0.0.1:${port}/${name}`;
  const run = async (statement: string) => {
    const sql = connect(address('postgres'), { most: 1 });
    try {
      return await sql.unsafe(statement);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const end = async (how: () => void) => {
    how();
    await gone;
    await following?.stop();
  };
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > startTries)
      throw new Error(`PostgreSQL did not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
    if (
      await run('select 1').then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(100);
  }
  return {
    port,
    pid: child.pid!,
    url: address('milaan'),
    following,
    run,
    kill: () => end(() => killAll(child)),
    stop: () => end(() => child.kill('SIGINT')),
    again: () => start(runner, folder, following, more, port),
  };
}

/** The children first in the list, so that none can still answer for a parent that is gone. */
function killAll({ pid }: ChildProcess): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  for (const one of [...children, String(pid)]) {
    try {
      process.kill(Number(one), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

async function complete(runner: Runner, folder: string, program: string, args: string[]): Promise<void> {
  const log = openSync(join(folder, 'log'), 'a', 0o600);
  const child = runner.spawn(program, args, ['ignore', log, log]);
  const code = await new Promise(resolve => child.once('close', resolve));
  if (code !== 0)
    throw new Error(`${program} ended with ${code}:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
}
