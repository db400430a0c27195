import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../src/base/database/connect.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { use } from '../../support/use.ts';

const database = use(openTestDatabase);

test('only a patient transaction has no limit for its statements', async () => {
  const sql = connect(database.url, { most: 1, statementTimeout: 50 });
  const slow = () => sql`select 1 as one from pg_sleep(0.2)`.value();
  await assert.rejects(slow, { code: '57014' });
  assert.equal(await sql.begin(tx => tx`select 1 as one from pg_sleep(0.2)`.value(), { patient: true }), 1);
  await assert.rejects(slow, { code: '57014' });
  await sql.end();
});
