import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { day, later } from '../../../src/base/clock.ts';
import { endLease, takeLease } from '../../../src/base/database/process-lease.ts';
import { openMetrics } from '../../../src/base/metrics.ts';
import { setPlan } from '../../../src/business/merchants/queries.ts';
import { keepHistory, startKeepingHistory } from '../../../src/orders/history/keep-history.ts';
import { keepPartitions } from '../../../src/orders/history/keep-partitions.ts';
import { readArchive } from '../../../src/orders/history/queries/archives.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { openTestApi } from '../../support/api.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { settleWindows } from '../../support/settle-windows.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';
import { prepare, use } from '../../support/use.ts';

const api = use(openTestApi);
prepare(async () => {
  await api.world.sql`insert into plans (plan, history_days) values ('week', 7), ('month', 30)`;
  // The weeks of the migration are those of the day on which this runs, which may lie behind the day of the tests.
  api.world.clock.set('2026-11-15T06:30:00.000Z');
  await keepPartitions(api.world, false);
});

let shop: TestMerchant;
beforeEach(async () => {
  const { sql, clock } = api.world;
  clock.set('2026-11-15T06:30:00.000Z');
  for (const { merchant_id } of await sql`select merchant_id from merchants`)
    await setPlan(sql, merchant_id, 'week');
  await settleWindows(sql);
  shop = await addTestMerchant(api.world, { plan: 'week' });
});

async function weeksOf(table: string): Promise<string[]> {
  const rows = await api.world.sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass order by 1`;
  return rows.map(({ name }) => name.slice(table.length + 1)).filter(name => name !== 'default');
}

test('interrupted after every step, archiving continues until everything is archived once', async () => {
  const { world } = api;
  const other = await addTestMerchant(world, { plan: 'week' });
  for (const one of [shop, other])
    for (let number = 0; number < 5; number++)
      await api.create({ merchant_order_id: `cart-${number}` }, one.apiKey);
  await world.sql`
    insert into page_reports (merchant_id, order_id, reported_at, note)
    select merchant_id, order_id, created_at, 'I am Ravi' from orders`;
  world.clock.advance(22 * day);
  const total = { archived: 0, removed: 0 };
  let after = 0;
  for (;;) {
    let looks = 0;
    // The first question lets one step pass, the second ends the turn.
    const kept = await keepHistory(world, { after, isOver: () => looks++ > 1 });
    total.archived += kept.archived;
    total.removed += kept.removed;
    after = kept.after ?? 0;
    if (kept.after === null && kept.overdue === 0) break;
  }
  assert.deepEqual(total, { archived: 10, removed: 10 });
  const [row] =
    await world.sql`select sum(orders)::int as orders from order_archives where merchant_id in ${world.sql([shop.merchantId, other.merchantId])}`;
  assert.equal(row?.['orders'], 10);
  assert.deepEqual([...(await world.sql`select note from page_reports`)], [], 'customers’ words go along');
});

test('an order that is paid after it was archived is archived again, as paid, before it is deleted', async () => {
  const { world } = api;
  const order = (await api.create({ merchant_order_id: 'late' }, shop.apiKey)).json();
  const credit = await storedCredit(world, shop.merchantId, { amount: payableOf(order) });
  world.clock.advance(6 * day);
  assert.equal((await keepHistory(world)).archived, 1);
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  assert.equal((await keepHistory(world)).archived, 1);
  world.clock.advance(15 * day);
  assert.equal((await keepHistory(world)).overdue, 0);
  assert.equal((await api.get(`/orders/${order.order_id}`, shop.apiKey)).statusCode, 404);
  const parts: Buffer[] = [];
  for await (const part of (await readArchive(world, shop.merchantId, '2026-11')) ?? []) parts.push(part);
  const states = gunzipSync(Buffer.concat(parts))
    .toString()
    .match(/,(expired|paid),/g);
  assert.deepEqual(states, [',expired,', ',paid,']);
  assert.equal((await world.sql`select from orders where merchant_id = ${shop.merchantId}`).length, 0);
});

test('partitions for coming weeks exist early, and a row of a week without one is stored separately', async () => {
  const { world } = api;
  const { sql, clock } = world;
  clock.set('2031-05-07T10:00:00.000Z');
  await storedCredit(world, shop.merchantId, { amount: payableOf({ payable_amount: 1.37 }) });
  const { added } = await keepPartitions(world, false);
  assert.deepEqual((await weeksOf('raw_mails')).slice(-3), ['20310512', '20310519', '20310526']);
  assert.deepEqual((await weeksOf('event_bodies')).slice(-4), [
    '20310505',
    '20310512',
    '20310519',
    '20310526',
  ]);
  assert.equal(added, 11, 'one week of mails was put aside already');
  assert.deepEqual(await keepPartitions(world, false), { added: 0, dropped: 0 });
  assert.equal((await sql`select from raw_mails_default`).length, 1);
});

test('a week is dropped two weeks after it left every business’s window, and not a millisecond before', async () => {
  const { world } = api;
  const { sql, clock } = world;
  clock.set('2032-01-05T00:00:00.000Z');
  await keepPartitions(world, false);
  await storedCredit(world, shop.merchantId, { amount: payableOf({ payable_amount: 2.37 }) });
  await sql`update alerts set verdict = 'no_order' where merchant_id = ${shop.merchantId}`;
  const isThere = async () => (await weeksOf('raw_mails')).includes('20320105');
  await setPlan(sql, shop.merchantId, 'month');
  await settleWindows(sql);
  clock.set(later(new Date('2032-01-12T00:00:00.000Z'), (30 + 14) * day - 1));
  await keepPartitions(world, true);
  assert.ok(await isThere());
  clock.advance(1);
  await keepPartitions(world, false);
  assert.ok(await isThere(), 'rows that speak of it are still here');
  await keepPartitions(world, true);
  assert.equal(await isThere(), false);
  assert.equal(
    (await sql`select from alerts where merchant_id = ${shop.merchantId}`).length,
    1,
    'the facts stay',
  );
});

test('separately stored rows are deleted when nobody needs them, also if all have one window', async () => {
  const { world } = api;
  const { sql, clock } = world;
  clock.set('2034-05-01T00:00:00.000Z');
  const order = (await api.create({ merchant_order_id: 'aside' }, shop.apiKey)).json();
  await storedCredit(world, shop.merchantId, { amount: payableOf({ payable_amount: 4.37 }) });
  await confirmPayment(world, await storedCredit(world, shop.merchantId, { amount: payableOf(order) }));
  const kept = async () =>
    (
      await sql`
      select (select count(*) from raw_mails_default where merchant_id = ${shop.merchantId}) as mails,
        (select count(*) from event_bodies_default where merchant_id = ${shop.merchantId}) as bodies`
    )[0];
  const pass = async () => {
    await keepHistory(world);
    await keepPartitions(world, true);
  };
  assert.deepEqual(await kept(), { mails: 2, bodies: 1 });
  clock.advance(20 * day);
  await pass();
  assert.deepEqual(await kept(), { mails: 2, bodies: 1 }, 'still within the two weeks');
  await sql`delete from delivery_queue where merchant_id = ${shop.merchantId}`;
  clock.advance(2 * day);
  await pass();
  assert.deepEqual(await kept(), { mails: 1, bodies: 0 }, 'one mail was never judged');
  await sql`update alerts set verdict = 'no_order' where merchant_id = ${shop.merchantId}`;
  await pass();
  assert.deepEqual(await kept(), { mails: 0, bodies: 0 });
});

test('without a window’s end no partition is dropped, and the rows of shorter windows are deleted to the day', async () => {
  const { world } = api;
  const { sql, clock } = world;
  const forEver = await addTestMerchant(world);
  clock.set('2033-03-07T00:00:00.000Z');
  await keepPartitions(world, false);
  for (const one of [shop, forEver]) {
    await storedCredit(world, one.merchantId, { amount: payableOf({ payable_amount: 3.37 }) });
    await sql`update alerts set verdict = 'no_order' where merchant_id = ${one.merchantId}`;
  }
  clock.advance((7 + 14) * day);
  assert.equal((await keepHistory(world)).mails, 1);
  assert.equal((await keepPartitions(world, true)).dropped, 0);
  assert.equal((await sql`select from raw_mails where merchant_id = ${shop.merchantId}`).length, 0);
  assert.equal((await sql`select from raw_mails where merchant_id = ${forEver.merchantId}`).length, 1);
});

test('a lease belongs to one process until it ends or is returned', async () => {
  const { sql } = api.world;
  assert.equal(await takeLease(sql, 'test', 'one', 60_000), true);
  assert.equal(await takeLease(sql, 'test', 'two', 60_000), false);
  await sql`update leases set leased_until = clock_timestamp() + interval '1 hour' where name = 'test'`;
  assert.equal(await takeLease(sql, 'test', 'two', 60_000), true, 'given before the clock was set back');
  await sql`update leases set holder = 'one' where name = 'test'`;
  assert.equal(await takeLease(sql, 'test', 'one', -1000), true, 'renewed');
  assert.equal(await takeLease(sql, 'test', 'two', 60_000), true, 'it was over');
  await endLease(sql, 'test', 'one');
  assert.equal(await takeLease(sql, 'test', 'one', 60_000), false, 'only its holder gives it back');
  await endLease(sql, 'test', 'two');
  assert.equal(await takeLease(sql, 'test', 'one', 60_000), true);
});

test('if a process dies while it keeps history, another continues when the lease ends, and not ten minutes later', async () => {
  const { world } = api;
  await setPlan(world.sql, shop.merchantId, 'week');
  await api.create({ merchant_order_id: 'old' }, shop.apiKey);
  world.clock.advance(8 * day);
  await takeLease(world.sql, 'history', 'the dead', 1_500);
  const keeper = startKeepingHistory({ ...world, metrics: openMetrics() });
  try {
    await until('the order is archived', async () => {
      const rows = await world.sql`select from order_archives where merchant_id = ${shop.merchantId}`;
      return rows.length === 1;
    });
  } finally {
    await keeper.stop();
  }
});

test('a changed plan or clock starts a history round, which otherwise runs every ten minutes', async () => {
  const { world } = api;
  await setPlan(world.sql, shop.merchantId, 'month');
  await api.create({ merchant_order_id: 'old' }, shop.apiKey);
  world.clock.advance(8 * day);
  const archived = async () =>
    (await world.sql`select from order_archives where merchant_id = ${shop.merchantId}`).length === 1;
  const keeper = startKeepingHistory(world);
  try {
    await until('it has looked once', async () => {
      const rows = await world.sql`select from leases where name = 'history'`;
      return rows.length === 1;
    });
    await sleep(100);
    assert.equal(await archived(), false);
    await setPlan(world.sql, shop.merchantId, 'week');
    await until('the order is archived', archived);
  } finally {
    await keeper.stop();
  }
});

test('a business whose steps fail and use up the round is reported as overdue, and the next round continues after it', async () => {
  const { world } = api;
  const two = [shop, await addTestMerchant(world, { plan: 'week' })];
  for (const { apiKey } of two) await api.create({ merchant_order_id: 'cart' }, apiKey);
  const first = Math.min(...two.map(({ merchantId }) => merchantId));
  world.clock.advance(34 * day);
  await world.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no space'; end $$;
    create trigger refuse before insert on order_archives for each row
      when (new.merchant_id = ${first}) execute function refuse()`);
  const failures: unknown[] = [];
  const log = { ...world.log, error: (what: unknown) => failures.push(what) } as unknown as typeof world.log;
  const stuck = await keepHistory({ ...world, log }, { after: first - 1, isOver: () => failures.length > 0 });
  assert.deepEqual([stuck.after, stuck.overdue > 12 * day], [first, true]);
  const next = await keepHistory(world, { after: stuck.after! });
  const left = () => world.sql`
    select distinct merchant_id as id from orders where merchant_id in ${world.sql(two.map(one => one.merchantId))}`;
  assert.deepEqual([next.after, await left()], [null, [{ id: first }]]);
  await world.sql.unsafe('drop function refuse() cascade');
  await keepHistory(world);
  assert.deepEqual(await left(), []);
});
