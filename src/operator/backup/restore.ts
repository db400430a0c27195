import { openSync } from 'node:fs';
import { basename } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { hasTable } from '../../base/database/applied-migrations.ts';
import { compareSchema } from '../../base/database/compare-schema.ts';
import { connect, type Sql } from '../../base/database/connect.ts';
import type { Config } from '../../base/settings/config.ts';
import { StartError } from '../../base/start-error.ts';
import type { Command } from '../command.ts';
import { openWorld } from '../open-world.ts';
import { countHeld } from '../queries.ts';
import { describeDatabase } from '../running/describe-installation.ts';
import { verifyRules } from '../verify.ts';
import { liveDatabase, momentOf, ours } from './backup.ts';
import { postgresEnvironment, startTool } from './postgres-tools.ts';
import { collectStatistics, startRestore } from './write-backup.ts';

/** Restores only into an empty database: existing data is never overwritten, because it may be the only copy. */
export const restoreCommand: Command = {
  needs: 'settings',
  summary: 'restore a backup into an empty or a new database, and verify it',
  positionals: { file: 'the backup, a file that the command backup wrote' },
  options: {
    identity: { meaning: 'the file that age-keygen wrote', required: true },
    into: { meaning: "create a database with this name; without it, DATABASE_URL's is used" },
    cell: { meaning: 'with several databases, the number of the lost one' },
  },
  async run(config, options) {
    const cell = cellOf(config, options['cell']);
    const url = new URL(config.cells?.urls[cell] ?? liveDatabase(config));
    if (options['into'] !== undefined) {
      await makeDatabase(url.href, options['into']);
      url.pathname = `/${options['into']}`;
    }
    const sayNext = (older?: string) => {
      const setting = config.cells ? `cell ${cell} of CELLS_FILE` : 'DATABASE_URL';
      if (options['into'] !== undefined) console.log(`write the name ${options['into']} into ${setting}`);
      if (older !== undefined) console.log(older);
      console.log(
        'start mail and deliver at once, and web 17 minutes after the lost database took its last order',
      );
      return 0;
    };
    const target = url.href;
    const sql = connect(target, { most: 2 });
    try {
      await refuseUsed(sql, target);
      await pour(target, options['file'] ?? '', options['identity'] ?? '');
      await collectStatistics(sql);
      const held = await countHeld(sql);
      console.log(
        `restored into the ${describeDatabase(target)}: ${held.businesses} businesses, ${held.orders} orders, ${held.alerts} alerts`,
      );
      for (const line of await describeGap(sql, options['file'] ?? '', systemClock.now())) console.log(line);
      const { waiting, refusal } = await compareSchema(sql);
      if (refusal !== null) throw new StartError(refusal);
      if (waiting.length > 0)
        return sayNext(
          `the backup is from an older version: run upgrade (${waiting.length} migrations), then verify`,
        );
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
    return sayNext();
  },
};

/** Says which data is missing from the backup. Forwarded alerts cannot be read again from any mailbox. */
export async function describeGap(sql: Sql, file: string, now: Date, mostNames = 20): Promise<string[]> {
  const name = basename(file);
  const from = ours.test(name) ? `${momentOf(name).toISOString()} (the backup)` : 'the moment of the backup';
  const lost = `not in it: everything from ${from} until the database was lost, ${now.toISOString()} (now) at the latest`;
  if (!(await hasTable(sql, 'forward_addresses'))) return [lost];
  const [found] = await sql<{ count: number; names: string[] | null }[]>`
    select count(*) as count, (array_agg(concat_ws(' ', merchant_id, name) order by merchant_id))[:${mostNames}] as names
    from merchants b where deletion_requested_at is null and moved_at is null
      and exists (select from forward_addresses f where f.merchant_id = b.merchant_id)
      and not exists (select from mailboxes m where m.merchant_id = b.merchant_id)`;
  if (!found?.names) return [lost];
  const more = found.count > mostNames ? `, and ${found.count - mostNames} more` : '';
  return [
    lost,
    `mailboxes are read again; ${found.count} businesses receive alerts by forwarding only, and those of that time are lost: ${found.names.join(', ')}${more}`,
    "ask their owners to compare the bank's statement of that time (docs/back-up.md)",
  ];
}

function cellOf({ cells }: Config, named: string | undefined): number {
  if (!cells && named === undefined) return 0;
  if (!cells) throw new StartError('there is one database: --cell is for several');
  if (named === undefined) throw new StartError('there are several databases: name the lost one with --cell');
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
  // If pg_restore fails, nobody reads age's output any more, and age would wait forever.
  restore.done.catch(() => opened.child.kill());
  await Promise.allSettled([opened.done, restore.done]);
  // Report age's error first: an empty restore is only its consequence.
  if (opened.child.signalCode === null) await opened.done;
  await restore.done;
}

function openFile(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new StartError(`the backup cannot be read: ${(error as Error).message}`);
  }
}
