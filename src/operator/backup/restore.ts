import { openSync } from 'node:fs';
import { compareSchema } from '../../base/database/compare-schema.ts';
import { connect, type Sql } from '../../base/database/connect.ts';
import type { Config } from '../../base/settings/config.ts';
import { StartError } from '../../base/start-error.ts';
import type { Command } from '../command.ts';
import { describeDatabase } from '../describe-installation.ts';
import { openWorld } from '../open-world.ts';
import { countHeld } from '../queries.ts';
import { verifyRules } from '../verify.ts';
import { liveDatabase } from './backup.ts';
import { postgresEnvironment, startTool } from './postgres-tools.ts';
import { startRestore } from './write-backup.ts';

/** Into an empty database alone: what is there is never overwritten, and may be all that is left. */
export const restoreCommand: Command = {
  needs: 'settings',
  summary: 'restore a backup into an empty or a new database, and verify it',
  file: 'the backup, a file that the command backup wrote',
  options: {
    identity: { meaning: 'the file that age-keygen wrote', required: true },
    into: { meaning: 'the name of a database that is made for it; otherwise that of DATABASE_URL' },
    cell: { meaning: 'of several databases, the number of the one that was lost' },
  },
  async run(config, options) {
    const cell = cellOf(config, options['cell']);
    const url = new URL(config.cells?.urls[cell] ?? liveDatabase(config));
    if (options['into'] !== undefined) {
      await makeDatabase(url.href, options['into']);
      url.pathname = `/${options['into']}`;
    }
    const target = url.href;
    const sql = connect(target, { most: 2 });
    try {
      await refuseUsed(sql, target);
      await pour(target, options['file'] ?? '', options['identity'] ?? '');
      const held = await countHeld(sql);
      console.log(
        `restored into the ${describeDatabase(target)}: ${held.businesses} businesses, ${held.orders} orders, ${held.alerts} alerts`,
      );
      const { waiting, refusal } = await compareSchema(sql);
      if (refusal !== null) throw new StartError(refusal);
      if (waiting.length > 0) {
        console.log(`it is of an older version: run upgrade (${waiting.length} migrations), then verify`);
        return 0;
      }
    } finally {
      await sql.end({ timeout: 1 });
    }
    const { world, close } = await openWorld(
      { ...config, databaseUrl: target, cells: null },
      { baseUrl: config.publicUrl ?? '', say: line => console.error(`  ${line}`), as: 'command' },
    );
    try {
      const broken = await verifyRules(world, world.sql);
      console.log(broken === 0 ? 'all rules hold' : `${broken} breaches`);
      if (broken > 0) return 1;
    } finally {
      await close();
    }
    const setting = config.cells ? `cell ${cell} of CELLS_FILE` : 'DATABASE_URL';
    if (options['into'] !== undefined) console.log(`put the name ${options['into']} into ${setting}`);
    if (config.cells) console.log(`before anything is started: milaan cells settle ${cell}`);
    console.log(
      'start mail and deliver at once, and web 17 minutes after the lost database took its last order',
    );
    return 0;
  },
};

function cellOf({ cells }: Config, named: string | undefined): number {
  if (!cells && named === undefined) return 0;
  if (!cells) throw new StartError('there is one database: --cell is for several');
  if (named === undefined)
    throw new StartError('there are several databases: say by --cell which one was lost');
  if (cells.urls[Number(named)] === undefined) throw new StartError(`there is no cell ${named}`);
  return Number(named);
}

async function makeDatabase(url: string, name: string): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name))
    throw new StartError('--into must be a name of small letters, digits and _');
  const sql = connect(url, { most: 1 });
  try {
    await sql.unsafe(`create database ${name} template template0`);
  } catch (error) {
    throw new StartError(`the database ${name} cannot be made: ${(error as Error).message}`);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function refuseUsed(sql: Sql, url: string): Promise<void> {
  const [row] = await sql<{ tables: number }[]>`
    select count(*) as tables from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p')`.catch(error => {
    throw new StartError(`the ${describeDatabase(url)} cannot be used: ${(error as Error).message}`);
  });
  if (row && row.tables > 0)
    throw new StartError(`the ${describeDatabase(url)} is not empty: give --into with the name of a new one`);
}

async function pour(target: string, file: string, identity: string): Promise<void> {
  const name = postgresEnvironment(target)['PGDATABASE'] ?? '';
  const opened = startTool('age', ['--decrypt', '--identity', identity], postgresEnvironment(target), [
    openFile(file),
    'pipe',
  ]);
  const restore = startRestore(target, name, 'pipe');
  if (restore.child.stdin) opened.child.stdout?.pipe(restore.child.stdin);
  // What cannot be opened is the reason, and an empty restore only follows from it.
  await opened.done;
  await restore.done;
}

function openFile(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new StartError(`the backup cannot be read: ${(error as Error).message}`);
  }
}
