import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { connect } from '../../../src/base/database/connect.ts';
import { tryWriting } from '../../../src/base/database/try-writing.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { use } from '../../support/use.ts';

const database = use(openTestDatabase);

const stateOf = async (sql = database.sql) => await tryWriting({ sql, clock: systemClock })();

test('a database that commits and has space is ready, and the check leaves one row', async () => {
  for (let look = 0; look < 3; look++) assert.equal(await stateOf(), 'ok');
  const rows =
    await database.sql`select trial, length(filling) as filling, written_at > '2026-06-01' as fresh from write_trials`;
  assert.deepEqual([...rows], [{ trial: 1, filling: 0, fresh: true }]);
});

test('a read-only database is not ready, nor is one whose commits hang', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  const reading = connect(database.url, { most: 2 });
  assert.equal(await stateOf(reading), 'cannot be written: it is read-only, or a standby');
  await reading.end();
  await database.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);

  const holder = await database.sql.reserve();
  await holder`begin`;
  await holder`lock table write_trials in access exclusive mode`;
  assert.equal(
    await stateOf(),
    'cannot be written: no commit in time; a lock, or a synchronous standby that is down',
  );
  await holder`rollback`;
  holder.release();
  assert.equal(await stateOf(), 'ok');
});

test('a database that a backup reads is ready', async () => {
  const holder = await database.sql.reserve();
  await holder`begin`;
  await holder`lock table write_trials, orders, amounts in access share mode`;
  assert.equal(await stateOf(), 'ok');
  await holder`rollback`;
  holder.release();
});

test('a database that is missing or not migrated is reported as such', async () => {
  await database.sql`insert into migrations (name) values ('x') on conflict do nothing`;
  const [last] =
    await database.sql`delete from migrations where name = (select max(name) from migrations where name <> 'x') returning name`;
  assert.equal(await stateOf(), 'migrations are missing');
  await database.sql`insert into migrations (name) values (${last?.['name']})`;
  await database.sql`delete from migrations where name = 'x'`;
  const away = connect('postgres://milaan@127.0.0.1:1/milaan', { most: 1 });
  assert.equal(await stateOf(away), 'not reachable');
  await away.end();
});

test('many checks within seconds cost one query', async () => {
  const now = systemClock.now();
  const state = tryWriting({ sql: database.sql, clock: { now: () => now } });
  await state();
  await database.sql`update write_trials set written_at = 'epoch'`;
  await Promise.all([state(), state(), state()]);
  const [row] = await database.sql`select written_at = 'epoch' as untouched from write_trials`;
  assert.equal(row?.['untouched'], true);
});
