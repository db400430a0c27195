import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../src/base/database/connect.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const database = use(openTestDatabase);

test('connections of a busy minute close when they are idle, down to five, and none that is in use', async () => {
  const sql = connect(database.url, { most: 9, idleFor: 500, part: 'spike' });
  const open = async () =>
    (await database.sql`select from pg_stat_activity where application_name like '%spike'`).length;
  const [kept, ...spike] = await Promise.all(Array.from({ length: 9 }, () => sql.reserve()));
  assert.equal(await open(), 9);
  await sleep(700);
  assert.equal(await open(), 9, 'while they are used');
  for (const one of spike) one.release();
  await until('the idle ones close', async () => (await open()) === 5);
  await sleep(700);
  assert.equal(await open(), 5);
  assert.deepEqual(await kept!`select 1 as one`, [{ one: 1 }]);
  kept!.release();
  assert.deepEqual(
    await Promise.all(Array.from({ length: 9 }, () => sql`select 1 as one`)),
    Array(9).fill([{ one: 1 }]),
  );
  await sql.end();
});
