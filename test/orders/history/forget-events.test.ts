import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { day, later } from '../../../src/base/clock.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import { keepPartitions } from '../../../src/orders/history/keep-partitions.ts';
import { forgetEvents, selectOldest } from '../../../src/orders/history/queries/leaving.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { attachByHand } from '../../../src/payments/review/decide-by-hand.ts';
import { openTestApi } from '../../support/api.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { settleWindows } from '../../support/settle-windows.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

const api = use(openTestApi);
prepare(() => api.world.sql`insert into plans (plan, history_days) values ('week', 7)`);

let shop: TestMerchant;
beforeEach(async () => {
  const { sql, clock } = api.world;
  clock.set('2026-11-15T06:30:00.000Z');
  shop = await addTestMerchant(api.world, { plan: 'week' });
  // One without an end would keep every week.
  await sql`update merchants set plan = 'week'`;
  await settleWindows(sql);
});

test('events of deleted orders are deleted without reading the thousands that stay', async () => {
  const { sql, clock } = api.world;
  const { merchantId } = shop;
  await api.create({ merchant_order_id: 'one' }, shop.apiKey);
  await sql.begin(async tx => {
    await tx`
      insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_id', 'ML-' || n, 'pay_token', n,
        'merchant_order_id', n, 'created_at', o.created_at + n * interval '1 second'))).*
      from orders o cross join generate_series(1, 3000) n where o.merchant_id = ${merchantId}`;
    await tx`
      insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
      select merchant_id, 'evt_' || order_id, 'payment.paid', order_id, '', created_at from orders
      where merchant_id = ${merchantId}
      union all select ${merchantId}, 'evt_gone', 'payment.paid', 'ML-gone', '', ${later(clock.now(), -1)}`;
    const tomorrow = later(clock.now(), 1 * day);
    const merchant = { merchantId, hidesBefore: tomorrow, leavesBefore: tomorrow, leavesAlone: true };
    const rowsRead = async () => {
      const [row] = await tx<{ rows: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
        where relname in ('orders', 'events')`;
      return row!.rows;
    };
    const before = await rowsRead();
    // This connection may have planned for an empty table, before autovacuum took statistics.
    await tx.unsafe('discard plans');
    const page = { now: later(clock.now(), 60 * day), after: merchantId - 1, limit: 1, longest: 7 };
    assert.deepEqual((await selectOldest(tx, page))[0]?.event_at, later(clock.now(), -1));
    assert.equal(await forgetEvents(tx, merchant, 1000, api.world), 1);
    assert.equal((await selectOldest(tx, page))[0]?.event_at, null);
    const read = (await rowsRead()) - before;
    assert.ok(read < 100, `${read} rows read`);
  });
});

test('an order that waits for a person keeps its event, and old weeks are still dropped', async () => {
  const { world } = api;
  const { sql, clock } = world;
  clock.set('2035-01-01T00:00:00.000Z');
  await keepPartitions(world, false);
  assert.deepEqual(await sql`select to_regclass('event_bodies_20350101') is not null as week`, [
    { week: true },
  ]);
  const { merchantId, apiKey } = shop;
  await sql`update merchants set wanted_events = '{payment.review}' where merchant_id = ${merchantId}`;
  const order = (await api.create({ merchant_order_id: 'undecided' }, apiKey)).json();
  const credit = await storedCredit(world, merchantId, { amount: payableOf({ payable_amount: 5.37 }) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'no_order');
  const who = { merchantId, actor: 'owner@shop.example', address: '203.0.113.9', now: clock.now() };
  const attached = { alertId: credit.alertId, orderId: order.order_id };
  assert.equal(await sql.begin(tx => attachByHand(tx, world, who, attached)), null);
  await sql`delete from delivery_queue where merchant_id = ${merchantId}`;
  // A delivery that waits keeps its event as well, though its order is gone.
  const { apiKey: otherKey, ...other } = await addTestMerchant(world, { plan: 'week' });
  const waiting = (await api.create({ merchant_order_id: 'waiting' }, otherKey)).json();
  assert.equal(
    (await confirmPayment(world, await storedCredit(world, other.merchantId, { amount: payableOf(waiting) })))
      .outcome,
    'paid',
  );
  clock.advance(60 * day);
  const { overdue } = await keepHistory(world);
  assert.equal(overdue, 0);
  assert.ok((await keepPartitions(world, overdue === 0)).dropped > 0);
  assert.deepEqual(await sql`select to_regclass('event_bodies_20350101') as week`, [{ week: null }]);
  const kept = await sql`
    select e.type, b.body is not null as body from events e left join event_bodies b using (merchant_id, event_id)
    where e.merchant_id in ${sql([merchantId, other.merchantId])} order by e.type`;
  assert.deepEqual(
    [...kept],
    [
      { type: 'payment.paid', body: true },
      { type: 'payment.review', body: true },
    ],
  );
});
