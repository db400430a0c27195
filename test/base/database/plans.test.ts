import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { keepPartitions } from '../../../src/orders/history/keep-partitions.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);

test('no function disables a kind of plan: PostgreSQL 15 would find the others so costly that it compiles them', async () => {
  const found = await world.sql`
    select proname::text as name, proconfig as settings from pg_proc
    where pronamespace = 'public'::regnamespace and proconfig::text ~ 'enable_|jit'`;
  assert.deepEqual([...found], []);
});

test('connections have JIT compilation switched off', async () => {
  const [row] = await world.sql`select current_setting('jit') as jit`;
  assert.equal(row?.['jit'], 'off');
});

test('every table of the businesses, weeks included, is planned for large ones', async () => {
  await keepPartitions(world, false);
  const tables = await world.sql<{ name: string; weeks: boolean; options: string[] | null }[]>`
    select c.relname::text as name, c.relname ~ '_[0-9]{8}$' as weeks, a.attoptions as options
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;
  assert.ok(tables.some(({ weeks }) => weeks));
  const large = ['n_distinct=200', 'n_distinct_inherited=200'];
  const others = tables.filter(({ options }) => !isDeepStrictEqual(options?.toSorted(), large));
  assert.deepEqual(
    others.map(({ name }) => name),
    [],
  );
});
