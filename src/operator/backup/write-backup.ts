import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Sql } from '../../base/database/connect.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { countHeld, type Held } from '../queries.ts';
import { verifyRules } from '../verify.ts';
import { postgresEnvironment, startTool, type Tool } from './postgres-tools.ts';

export type Backup = { file: string; bytes: number; tried: Held | null };

export type Wanted = {
  cell?: number;
  databaseUrl: string;
  key: string;
  folder: string;
  now: Date;
  isTried: boolean;
};

/** Encrypts before the dump reaches the disk; the private key is elsewhere. Then restores it for a trial. */
export async function writeBackup(world: World, wanted: Wanted): Promise<Backup> {
  const { cell, databaseUrl, key, folder, now, isTried } = wanted;
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `milaan-${cell === undefined ? '' : `cell${cell}-`}${moment}Z.dump.age`);
  const unfinished = `${file}.part`;
  const target = openSync(unfinished, 'wx', 0o600);
  let scratch: Awaited<ReturnType<typeof makeScratch>> | null = null;
  const tools: Tool[] = [];
  try {
    await dropLeftScratches(world.sql);
    if (isTried) scratch = await makeScratch(world.sql, databaseUrl);
    const env = postgresEnvironment(databaseUrl);
    const dump = startTool('pg_dump', ['--format=custom', '--no-owner'], env, ['ignore', 'pipe']);
    const readers = [startTool('age', ['--encrypt', '--recipient', key], env, ['pipe', target])];
    if (scratch) readers.push(startRestore(databaseUrl, scratch.name, 'pipe'));
    tools.push(dump, ...readers);
    for (const { child } of readers) if (child.stdin) dump.child.stdout?.pipe(child.stdin);
    await Promise.all(tools.map(tool => tool.done));
    fsyncSync(target);
    const tried = scratch && (await tryOut(world, scratch.sql));
    renameSync(unfinished, file);
    return { file, bytes: statSync(file).size, tried };
  } finally {
    // If one fails, pg_dump would wait for its reader for ever, and keep its locks on every table.
    for (const { child } of tools) child.kill();
    closeSync(target);
    rmSync(unfinished, { force: true });
    await scratch?.drop();
  }
}

export function startRestore(databaseUrl: string, database: string, input: 'pipe' | number): Tool {
  const how = ['--no-owner', '--exit-on-error', `--dbname=${database}`];
  return startTool('pg_restore', how, postgresEnvironment(databaseUrl), [input, 'ignore']);
}

/** Drops what killed backups left. A scratch database with a session belongs to a backup that runs. */
async function dropLeftScratches(sql: Sql): Promise<void> {
  const left = await sql<{ datname: string }[]>`
    select datname::text from pg_database d where datname ~ '^milaan_trial_[0-9a-f]{8}$' and pg_get_userbyid(datdba) = current_user
      and not exists (select from pg_stat_activity a where a.datid = d.oid)`.column();
  // A backup that starts now may have connected since: then the server keeps its database.
  for (const name of left) await sql.unsafe(`drop database if exists ${name}`).catch(() => {});
}

async function makeScratch(sql: Sql, databaseUrl: string) {
  const name = `milaan_trial_${randomBytes(4).toString('hex')}`;
  await sql.unsafe(`create database ${name} template template0`).catch(error => {
    throw new StartError(
      `the backup cannot be tried, because no scratch database can be made: ${(error as Error).message} (alter role … createdb, or --untried)`,
    );
  });
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  const scratch = connect(url.href, { most: 2 });
  // An open session shows other backups that this database is in use.
  await scratch`select`;
  return {
    name,
    sql: scratch,
    async drop() {
      await scratch.end({ timeout: 1 });
      await sql.unsafe(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Collects statistics: without them PostgreSQL plans a restored database's queries badly. */
export async function collectStatistics(sql: Sql): Promise<void> {
  await sql.begin(tx => tx.unsafe('analyze'), { patient: true });
}

async function tryOut(world: World, scratch: Sql): Promise<Held> {
  await collectStatistics(scratch);
  const broken = await verifyRules(world, scratch, () => {});
  if (broken > 0) throw new StartError(`the backup was restored for a trial, and ${broken} rules are broken`);
  return await countHeld(scratch);
}
