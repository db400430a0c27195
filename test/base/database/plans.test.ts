import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../support/test-database.ts';
import { use } from '../../support/use.ts';

const database = use(openTestDatabase);

test('no function forbids the planner anything: PostgreSQL 15 takes what is left for so dear that it compiles it', async () => {
  const found = await database.sql`
    select proname::text as name, proconfig as settings from pg_proc
    where pronamespace = 'public'::regnamespace and proconfig::text ~ 'enable_|jit'`;
  assert.deepEqual([...found], []);
});

test('a connection compiles nothing', async () => {
  const [row] = await database.sql`select current_setting('jit') as jit`;
  assert.equal(row?.['jit'], 'off');
});
