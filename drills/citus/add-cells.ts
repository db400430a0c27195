import { execFile, spawn } from 'node:child_process';
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
import { blocks, root } from '../guides/typing.ts';
import type { Stage } from '../play-drill.ts';
import type { Postgres } from '../standby/postgres.ts';
import { onNode } from './cluster.ts';

export type Installation = {
  /** Its settings: the first database, and the file of cells as soon as there is one. */
  readonly env: Record<string, string>;
  file: string;
  secretKey: string;
  /** Runs a command as an operator does. */
  milaan(...args: string[]): Promise<Said>;
  /** The commands that docs/cells.md gives for a cell on Citus. */
  addCitus(bin: string, url: string, schema: string): Promise<Said>;
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
    async addCitus(bin, url, schema) {
      const [text = ''] = blocks('docs/cells.md').filter(block => block.includes('citus_schema_distribute'));
      const ours = text
        .replace(/^url=.*$/m, () => `url='${url}'`)
        .replaceAll('cell_b', schema)
        .replace('/etc/milaan/cells.json', file);
      return await new Promise(end => {
        execFile(
          'bash',
          ['-euc', `milaan() { ${root}/bin/milaan --env-file=/dev/null "$@"; }\n${ours}`],
          { env: { ...one.env, PATH: `${bin}:${process.env['PATH']}` } },
          (error, out, err) => end({ code: error ? Number(error.code ?? 1) : 0, out, err }),
        );
      });
    },
  };
  return one;
}

/** Opens the world as this installation's commands do. */
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
  bin: string;
  coordinator: Postgres;
  worker: Postgres;
  cell(schema: string): string;
};

/** A cell on Citus by hand: what is refused, and that `add-cell` can be killed and begun again. */
export async function seeAdding(
  { see }: Stage,
  { env, file, milaan, addCitus }: Installation,
  { bin, coordinator, worker, cell }: Cluster,
  schemas: readonly string[],
): Promise<void> {
  const seeRefused = ({ code, out, err }: Said, claim: string, words: RegExp) =>
    see(claim, code === 1 && words.test(err) && !/\n {4}at /.test(err), out + err);
  const made = (schema: string) =>
    onNode(coordinator, `select from pg_tables where schemaname = '${schema}'`).then(rows => rows.length);
  seeRefused(
    await milaan('add-cell', worker.url, '--into', file),
    'a worker is refused as the address of a cell, and nothing is written',
    /name the coordinator/,
  );
  const [first = ''] = schemas;
  await onNode(coordinator, `create schema ${first}`);
  const killed = spawn(
    resolve('bin/milaan'),
    ['--env-file=/dev/null', 'add-cell', cell(first), '--into', file],
    { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore', detached: true },
  );
  const ended = new Promise(end => killed.once('exit', end));
  await waitFor('half of a schema', async () => (await made(first)) > 20, 60_000);
  // Also kills everything that the command started.
  process.kill(-killed.pid!, 'SIGKILL');
  await ended;
  see('add-cell is killed in the middle of a schema', !existsSync(file));
  for (const schema of schemas) {
    const { code, out, err } = await addCitus(bin, cell(schema), schema);
    see(`${schema} is added as the page says, and distributed`, code === 0 && existsSync(file), out + err);
  }
  const again = (url: string) => milaan('add-cell', url);
  seeRefused(await again(cell(first)), 'the same one again is refused', /is this database already/);
  seeRefused(
    await again(`${cell(first)}&application_name=x`),
    'also by another spelling of its address',
    /is cell 1 already/,
  );
}
