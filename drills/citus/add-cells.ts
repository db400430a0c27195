import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connect } from '../../src/base/database/connect.ts';
import { migrate } from '../../src/base/database/migrate.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { readConfig } from '../../src/base/settings/config.ts';
import type { World } from '../../src/base/world.ts';
import { openWorld } from '../../src/operator/open-world.ts';
import { type Said, startMilaan } from '../../test/support/run-milaan.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import type { Postgres } from '../standby/postgres.ts';
import { onNode } from './cluster.ts';

export type Installation = {
  /** Its settings: the first database, and the file of cells as soon as there is one. */
  readonly env: Record<string, string>;
  file: string;
  secretKey: string;
  /** As an operator starts it. */
  milaan(...args: string[]): Promise<Said>;
  addCitus(url: string): Promise<Said>;
};

/** An installation whose first database is plain, which is how one comes to a cell on Citus. */
export async function openInstallation(
  plain: Postgres,
  folder: string,
  name: string,
  more: Record<string, string> = {},
): Promise<Installation> {
  const [file, secretKey] = [join(folder, `${name}.json`), newSecretKey()];
  await plain.run(`create database ${name}`);
  const home = plain.url.replace(/milaan$/, name);
  const sql = connect(home, { most: 2 });
  await migrate(sql);
  await sql.end();
  const milaan = (...args: string[]) => startMilaan(one.env, ...args);
  const one: Installation = {
    get env(): Record<string, string> {
      const databases = existsSync(file) ? { CELLS_FILE: file } : { DATABASE_URL: home };
      return { ...more, PUBLIC_URL: 'https://pay.example.in', SECRET_KEY: secretKey, ...databases };
    },
    file,
    secretKey,
    milaan,
    addCitus: url => milaan('cells', 'add', url, '--citus', '--into', file),
  };
  return one;
}

/** As a command of this installation sees it. */
export async function inWorld<T>({ env }: Installation, work: (world: World) => Promise<T>): Promise<T> {
  const read = readConfig([], { ...env, LOG_LEVEL: 'silent' });
  if ('problems' in read) throw new Error(read.problems.join('; '));
  const { world, close } = await openWorld(read.config, {
    baseUrl: 'https://pay.example.in',
    say: () => {},
    as: 'command',
  });
  return await work(world).finally(close);
}

type Cluster = {
  coordinator: Postgres;
  worker: Postgres;
  plain: Postgres;
  cell(schema: string): string;
};

/** `milaan cells add --citus` by itself: what it makes, what it refuses, and that it can be killed and begun anew. */
export async function seeAdding(
  { see }: Stage,
  { env, file, addCitus }: Installation,
  { coordinator, worker, plain, cell }: Cluster,
  schemas: readonly string[],
): Promise<void> {
  const seeRefused = ({ code, out, err }: Said, claim: string, words: RegExp) =>
    see(claim, code === 1 && words.test(err) && !/\n {4}at /.test(err), out + err);
  const schemaOf = (url: string) => `${url}?options=-c%20search_path%3Dcell_c`;
  seeRefused(
    await addCitus(schemaOf(plain.url)),
    'cells add --citus refuses a database without Citus, in words',
    /has no Citus: create extension citus there/,
  );
  seeRefused(
    await addCitus(coordinator.url),
    'cells add --citus refuses an address that names no schema',
    /its URL must name one/,
  );
  seeRefused(
    await addCitus(schemaOf(worker.url)),
    'a worker is refused as the address of a cell',
    /name the coordinator/,
  );
  const made = (schema: string) =>
    onNode(coordinator, `select from pg_tables where schemaname = '${schema}'`).then(rows => rows.length);
  see('nothing is made by what was refused', !existsSync(file) && (await made('cell_c')) === 0);

  const [first = ''] = schemas;
  const killed = spawn(
    resolve('bin/milaan'),
    ['--env-file=/dev/null', 'cells', 'add', cell(first), '--citus', '--into', file],
    {
      env: { PATH: process.env['PATH'], ...env },
      stdio: 'ignore',
      detached: true,
    },
  );
  const ended = new Promise(end => killed.once('exit', end));
  await waitFor('half of a schema', async () => (await made(first)) > 20, 60_000);
  // Whatever the command has started, too.
  process.kill(-killed.pid!, 'SIGKILL');
  await ended;
  see('it is killed in the middle of a schema', !existsSync(file));
  for (const schema of schemas) {
    const { code, out, err } = await addCitus(cell(schema));
    see(
      `milaan cells add --citus makes and distributes ${schema}`,
      code === 0 && out.includes(`schema ${schema} is distributed`) && existsSync(file),
      out + err,
    );
  }
  seeRefused(
    await addCitus(cell(first)),
    'the same one again is refused, in words',
    /is this database already/,
  );
  seeRefused(
    await addCitus(`${cell(first)}&application_name=x`),
    'also by another spelling of its address',
    /is cell 1 already/,
  );
}
