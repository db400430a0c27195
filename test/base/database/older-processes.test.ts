import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { systemClock } from '../../../src/base/clock.ts';
import { compareSchema } from '../../../src/base/database/compare-schema.ts';
import { connect } from '../../../src/base/database/connect.ts';
import { migrate, SchemaRefused } from '../../../src/base/database/migrate.ts';
import { migrationNames } from '../../../src/base/database/migration-files.ts';
import { connectionName } from '../../../src/base/database/program-name.ts';
import { tryWriting } from '../../../src/base/database/try-writing.ts';
import { version } from '../../../src/base/version.ts';
import { needs } from '../../support/needs.ts';
import { startPgBouncer } from '../../support/pgbouncer.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const database = await openTestDatabase({ most: 4 });
const { sql } = database;
const folder = mkdtempSync(join(tmpdir(), 'milaan-migrations-'));
const place = pathToFileURL(`${folder}/`);
const may = '-- The release before may run beside it.\n';
after(async () => {
  rmSync(folder, { recursive: true });
  await database.stop();
});

/** The schema of this version, and behind it what a later one would bring. */
beforeEach(async () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const name of migrationNames()) write(name, readFileSync(`migrations/${name}`, 'utf8'));
  await sql`delete from migrations where name like '9%'`;
  await sql`delete from processes`;
});
function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
const run = (options = {}) => migrate(sql, () => {}, { folder: place, ...options });
const state = async () => await tryWriting({ sql, clock: systemClock })();

/** A process whose connections bear this name. */
async function beside(name: string, work: () => Promise<void>, url = database.url): Promise<void> {
  const other = new pg.Client({ connectionString: url, application_name: name });
  await other.connect();
  await work().finally(() => other.end());
}
const reportsOf = (who: RegExp) => (error: Error) => {
  assert.ok(error instanceof SchemaRefused);
  assert.match(error.message, who);
  return true;
};

test('every migration since release 0.1.0 says whether the previous release may run next to it', () => {
  for (const name of migrationNames().filter(name => name > '0023')) {
    const first = readFileSync(`migrations/${name}`, 'utf8').split('\n').slice(0, 8);
    const said = first.filter(line =>
      /^-- The release before may (not )?run beside it( where there is one database)?\.$/.test(line),
    );
    assert.equal(said.length, 1, `${name} says neither or both`);
  }
});

test('a migration that forbids the previous release is refused while one of its processes runs', async () => {
  write('9001_apart.sql', 'select 1');
  await beside('milaan', async () => {
    await assert.rejects(run(), reportsOf(/version 0\.1\.0, 1 connections.* as "milaan"/));
  });
  await beside(`milaan ${version} (0002) web`, async () => {
    await assert.rejects(run(), reportsOf(/1 connections.* as "milaan .* \(0002\) web"/));
  });
  await beside('psql', async () => {
    assert.deepEqual((await run()).applied, ['9001_apart.sql']);
  });
});

test('a process that has the migration does not prevent it, and --stopped is believed', async () => {
  write('9001_apart.sql', 'select 1');
  await beside(`milaan ${version} (9001) mail`, async () => {
    assert.deepEqual((await run()).applied, ['9001_apart.sql']);
  });
  write('9002_apart.sql', 'select 1');
  await beside('milaan', async () => {
    assert.deepEqual((await run({ olderStopped: true })).applied, ['9002_apart.sql']);
  });
});

test('a migration that allows the previous release is applied, unless a process is older than that', async () => {
  write('9001_beside.sql', `-- Why.\n${may}select 1`);
  await beside(`milaan ${version} (0002) web`, async () => {
    assert.deepEqual((await run()).applied, ['9001_beside.sql']);
  });
  write('9002_beside.sql', `-- Why.\n${may}select 1`);
  await beside('milaan 0.0.9 (0002) web', async () => {
    await assert.rejects(run(), reportsOf(/version 0\.0\.9/));
  });
});

test('a process that is only in the table of processes counts only with a recent entry', async () => {
  write('9001_apart.sql', 'select 1');
  const report = (age: number) => sql`
    insert into processes values ('shop:8080 web', '0.1.0', clock_timestamp() - ${age} * interval '1 second', 0, 0, 0, 0)
    on conflict (process) do update set told_at = excluded.told_at`;
  await report(20);
  await assert.rejects(run(), reportsOf(/version 0\.1\.0, process shop:8080 web/));
  await report(60);
  assert.deepEqual((await run()).applied, ['9001_apart.sql']);
});

needs('PgBouncer').test(
  'behind a pooler that hides who is connected somebody has to say that all are stopped',
  async () => {
    write('9001_apart.sql', 'select 1');
    const pooler = await startPgBouncer(database.url, { mode: 'transaction' });
    const pooled = connect(pooler.url, { most: 2, pooling: 'by transaction' });
    try {
      const refused = migrate(pooled, () => {}, { folder: place });
      await assert.rejects(refused, reportsOf(/a pooler hides who is connected: .*upgrade --stopped/));
      const { applied } = await migrate(pooled, () => {}, { folder: place, olderStopped: true });
      assert.deepEqual(applied, ['9001_apart.sql']);
    } finally {
      await pooled.end();
      await pooler.stop();
    }
  },
);

test('an older process is not ready while the schema forbids it, and is ready again once it does not', async () => {
  assert.equal(await state(), 'ok');
  write('9001_beside.sql', `-- Why.\n${may}select 1`);
  await run();
  assert.equal(await state(), 'ok');
  // The older version starts: it does not know the last migration.
  assert.deepEqual((await migrate(sql)).applied, []);
  write('9002_apart.sql', 'select 1');
  await run();
  assert.equal(await state(), 'migrated by a newer version, beside which this one may not run');
  await assert.rejects(
    migrate(sql),
    reportsOf(/migrated by another build of version .* \(9002_apart\.sql\)/),
  );
});

test('a connection’s name has the version, the newest migration and the program’s role', async () => {
  const mine = connect(database.url, { most: 1, part: 'web mail' });
  const [row] = await mine`select current_setting('application_name') as name`;
  await mine.end();
  assert.equal(row?.['name'], connectionName('web mail'));
  assert.match(row?.['name'], /^milaan \d+\.\d+\.\d+ \(\d{4}\) web mail$/);
});

test('the upgrade’s text about a migration names no decision record', async () => {
  await sql`delete from migrations where name like '0014%' or name like '0028%'`;
  const { waiting } = await compareSchema(sql);
  assert.equal(waiting.length, 2);
  for (const { why } of waiting) assert.doesNotMatch(why, /decision|\d/);
  await sql`insert into migrations (name) values ('0014_create_order.sql'), ('0028_sending_webhooks.sql')`;
});
