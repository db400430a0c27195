import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { day, minute, second } from '../../../src/base/clock.ts';
import { setPlan } from '../../../src/business/merchants/queries.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import { listDeliveries } from '../../../src/outbox/webhooks/queries/deliveries.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { keepMerchant, lockOrder } from '../../../src/payments/matching/queries/credits.ts';
import { openTestApi } from '../../support/api.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';
import { prepare, use, useEach } from '../../support/use.ts';

const api = use(openTestApi);
prepare(async () => {
  await api.world
    .sql`insert into plans (plan, history_days) values ('gold', 365), ('month', 30), ('week', 7)`;
});

beforeEach(async () => {
  await api.world.sql`update plans set history_days = 365 where plan = 'gold'`;
});
const shop = useEach(() => addTestMerchant(api.world, { plan: 'gold' }));

const stored = async () =>
  (await api.world.sql`select from orders where merchant_id = ${shop.merchantId}`).length;
const visible = async () => (await api.get('/orders', shop.apiKey)).json().data.length;
const onPlan = (plan: string) => setPlan(api.world.sql, shop.merchantId, plan);

async function paidOrder(id: string) {
  const order = (await api.create({ merchant_order_id: id }, shop.apiKey)).json();
  const credit = await storedCredit(api.world, shop.merchantId, { amount: payableOf(order) });
  assert.equal((await confirmPayment(api.world, credit)).outcome, 'paid');
  return order;
}

describe('a window that shrinks hides at once and deletes two weeks later', () => {
  test('a window of 36 instead of 365 days, corrected, brings every order back', async () => {
    const { world } = api;
    await paidOrder('cart');
    world.clock.advance(100 * day);
    await keepHistory(world);
    await world.sql`update plans set history_days = 36 where plan = 'gold'`;
    for (let hour = 0; hour < 4; hour++) {
      await keepHistory(world);
      world.clock.advance(3 * day);
    }
    assert.deepEqual([await stored(), await visible()], [1, 0]);
    const mails = await world.sql`select from raw_mails where merchant_id = ${shop.merchantId}`;
    assert.equal(mails.length, 1, 'its mail is still here too');
    await world.sql`update plans set history_days = 365 where plan = 'gold'`;
    await keepHistory(world);
    assert.deepEqual([await stored(), await visible()], [1, 1]);
    world.clock.advance(20 * day);
    await keepHistory(world);
    assert.deepEqual([await stored(), await visible()], [1, 1]);
  });

  test('45 seconds on a smaller plan lose no order and free no id', async () => {
    const { world } = api;
    const paid = await paidOrder('paid cart');
    world.clock.advance(100 * day);
    await keepHistory(world);
    await onPlan('week');
    await keepHistory(world);
    world.clock.advance(45 * second);
    await keepHistory(world);
    const again = await api.create({ merchant_order_id: 'paid cart' }, shop.apiKey);
    assert.deepEqual([again.statusCode, again.json().order_id], [200, paid.order_id]);
    assert.equal(again.json().status, 'paid');
    await onPlan('gold');
    assert.deepEqual([await stored(), await visible()], [1, 1]);
  });

  test('hidden orders are deleted after fourteen days, and each further shrinking restarts the count', async () => {
    const { world } = api;
    await api.create({ merchant_order_id: 'old' }, shop.apiKey);
    world.clock.advance(70 * day);
    await api.create({ merchant_order_id: 'younger' }, shop.apiKey);
    world.clock.advance(20 * day);
    await keepHistory(world);
    await onPlan('month');
    await keepHistory(world);
    world.clock.advance(10 * day);
    await onPlan('week');
    await keepHistory(world);
    world.clock.advance(14 * day - minute);
    await keepHistory(world);
    assert.deepEqual([await stored(), await visible()], [2, 0]);
    world.clock.advance(minute);
    await keepHistory(world);
    assert.equal(await stored(), 0);
  });

  test('an imported business’s deletion is paused first, even if it has a plan here', async () => {
    const { world } = api;
    await api.create({ merchant_order_id: 'moved' }, shop.apiKey);
    await onPlan('week');
    await world.sql`delete from history_progress where merchant_id = ${shop.merchantId}`;
    world.clock.advance(100 * day);
    await keepHistory(world);
    assert.equal(await stored(), 1);
    world.clock.advance(14 * day);
    await keepHistory(world);
    assert.equal(await stored(), 0);
  });

  test('the owner is notified once of a shrinking window, with the day and the way to the CSV, and not of a growing one', async () => {
    const { world } = api;
    const notified = () => world.sql<{ facts: Record<string, unknown> }[]>`
      select facts from notices where merchant_id = ${shop.merchantId} and kind = 'history_shorter'`;
    await keepHistory(world);
    assert.deepEqual(await notified(), []);
    await onPlan('month');
    await keepHistory(world);
    await keepHistory(world);
    const [notice, ...more] = await notified();
    assert.deepEqual([notice?.facts['days'], more.length], [30, 0]);
    assert.equal(notice?.facts['link'], 'https://pay.example.in/dashboard/orders');
    await onPlan('gold');
    await keepHistory(world);
    assert.equal((await notified()).length, 1);
  });
});

test('a hidden order’s event is hidden too, and comes back with it', async () => {
  const { world } = api;
  await paidOrder('told');
  const body = async () => (await listDeliveries(world, shop.merchantId)).deliveries[0]!.body;
  assert.match((await body())!, /payment\.paid/);
  world.clock.advance(8 * day);
  await onPlan('week');
  assert.equal(await body(), null);
  await onPlan('month');
  assert.match((await body())!, /payment\.paid/);
});

test('a person who decides about an order and the archive that deletes it do not wait for each other', async () => {
  const { world } = api;
  const { order_id: orderId } = (await api.create({ merchant_order_id: 'both' }, shop.apiKey)).json();
  await onPlan('week');
  world.clock.advance(8 * day);
  let isOver = false;
  let archiving: Promise<unknown> | undefined;
  await world.sql.begin(async tx => {
    assert.ok(await keepMerchant(tx, shop.merchantId));
    archiving = keepHistory(world, { after: shop.merchantId - 1 }).finally(() => {
      isOver = true;
    });
    await until('it is done, or waits for us', async () => {
      const waiting = await world.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return isOver || waiting.length > 0;
    });
    assert.ok(await lockOrder(tx, shop.merchantId, orderId, world.clock.now()));
  });
  await archiving;
  const [order] = await world.sql`select archived_at from orders where order_id = ${orderId}`;
  assert.ok(order?.['archived_at']);
});

describe('the merchant_order_id of a deleted order', () => {
  test('a deleted order’s merchant_order_id is free if it was unpaid, and taken for a year if it was paid: 400 says so', async () => {
    const { world } = api;
    await onPlan('week');
    await keepHistory(world);
    world.clock.advance(14 * day);
    await paidOrder('paid');
    await api.create({ merchant_order_id: 'unpaid' }, shop.apiKey);
    await keepHistory(world);
    world.clock.advance(21 * day);
    await keepHistory(world);
    assert.equal(await stored(), 0);
    assert.equal((await api.create({ merchant_order_id: 'unpaid' }, shop.apiKey)).statusCode, 201);
    const taken = await api.create({ merchant_order_id: 'paid' }, shop.apiKey);
    assert.deepEqual([taken.statusCode, taken.json().error], [400, 'invalid_request']);
    assert.match(taken.json().details, /merchant_order_id was used for an order that was paid/);
    const other = await addTestMerchant(world);
    assert.equal((await api.create({ merchant_order_id: 'paid' }, other.apiKey)).statusCode, 201, 'R12');
    assert.deepEqual(await findBreaches(world), []);

    world.clock.advance(365 * day - 1);
    assert.equal((await api.create({ merchant_order_id: 'paid' }, shop.apiKey)).statusCode, 400);
    world.clock.advance(1);
    await keepHistory(world);
    assert.deepEqual(await world.sql`select from spent_order_ids where merchant_id = ${shop.merchantId}`, []);
    assert.equal((await api.create({ merchant_order_id: 'paid' }, shop.apiKey)).statusCode, 201);
  });
});
