import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { day, minute, second } from '../../src/clock.ts';
import { exportOrders } from '../../src/dashboard/export-orders.ts';
import { selectMoneyToDo, sumMoneyToDo } from '../../src/dashboard/queries/money.ts';
import {
  countOrders,
  type OrderFilter,
  selectAlertsOfOrder,
  selectOneOrder,
  selectOrders,
} from '../../src/dashboard/queries/orders.ts';
import { noFilter, readOrderFilter, writeOrderFilter } from '../../src/dashboard/read-order-filter.ts';
import { confirmPayment } from '../../src/matching/confirm-payment.ts';
import { paise } from '../../src/money.ts';
import { addTestOrder } from '../support/checkout-site.ts';
import { storedCredit } from '../support/credit.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from '../support/test-world.ts';

let world: TestWorld;
let shop: TestMerchant;
let stranger: TestMerchant;

before(async () => {
  world = await openTestWorld();
  shop = await addTestMerchant(world);
  stranger = await addTestMerchant(world, { name: 'Someone else' });
});
after(() => world.stop());

async function found(change: Partial<OrderFilter>, merchantId = shop.merchantId): Promise<string[]> {
  const rows = await selectOrders(
    world.sql,
    merchantId,
    { ...noFilter, ...change },
    { after: null, limit: 100, now: world.clock.now() },
  );
  return rows.map(row => row.order_id);
}

test('each filter finds its orders, of this business alone', async () => {
  const old = await addTestOrder(world, shop, { payable: 150_37, age: 3 * day });
  const paid = await addTestOrder(world, shop, { payable: 250_37 });
  const open = await addTestOrder(world, shop, { payable: 350_37, merchantOrderId: 'cart-77' });
  const foreign = await addTestOrder(world, stranger, { payable: 350_37, merchantOrderId: 'cart-77' });
  await confirmPayment(
    world,
    await storedCredit(world, shop.merchantId, { amount: paise(250_37), reference: '012345678901' }),
  );
  assert.deepEqual(await found({ status: 'paid' }), [paid.orderId]);
  assert.deepEqual(await found({ status: 'pending' }), [open.orderId]);
  assert.deepEqual(await found({ status: 'expired' }), [old.orderId]);
  assert.deepEqual(await found({ amountPaise: 350_37 }), [open.orderId]);
  assert.deepEqual(await found({ amountPaise: 350_00 }), [open.orderId]);
  assert.deepEqual(await found({ id: 'cart-77' }), [open.orderId]);
  assert.deepEqual(await found({ id: open.orderId.toLowerCase() }), [open.orderId]);
  for (const reference of ['012345678901', '12345678901', '0012345678901'])
    assert.deepEqual(await found({ id: reference }), [paid.orderId], reference);
  assert.deepEqual(await found({ id: foreign.orderId }), []);
  assert.deepEqual(await found({ to: '2026-11-12' }), [old.orderId]);
  assert.deepEqual(await found({ from: '2026-11-15', to: '2026-11-15', status: 'pending' }), [open.orderId]);
  assert.deepEqual(await found({ accountId: stranger.accountId }), []);
  assert.equal((await found({ accountId: shop.accountId })).length, 3);
  assert.deepEqual(await countOrders(world.sql, shop.merchantId, noFilter, world.clock.now()), {
    count: 3,
    isExact: true,
  });
});

test('an order of another business is not there', async () => {
  const foreign = await addTestOrder(world, stranger, { payable: 360_37 });
  const now = world.clock.now();
  assert.equal(await selectOneOrder(world.sql, shop.merchantId, foreign.orderId, now), null);
  assert.deepEqual(await selectAlertsOfOrder(world.sql, shop.merchantId, foreign.orderId), []);
  assert.ok(await selectOneOrder(world.sql, stranger.merchantId, foreign.orderId, now));
});

test('the export holds every order once, in many batches, with cells made harmless', async () => {
  const big = await addTestMerchant(world, { name: 'Big' });
  const total = 2345;
  await world.sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
    select ${big.merchantId}, 'BIG-' || lpad(n::text, 10, '0'), '=cmd' || n, 10000, 10037, 'pending',
      ${world.clock.now()}::timestamptz - (n / 3) * interval '1 second', ${world.clock.now()}::timestamptz, 'big' || n,
      ${big.accountId}, 'https://s', 'https://f', 'https://w'
    from generate_series(1, ${total}::int) as n`;
  let text = '';
  for await (const part of exportOrders(world, big.merchantId, noFilter, world.clock.now())) text += part;
  const lines = text.trimEnd().split('\r\n');
  assert.equal(lines.length, total + 1);
  assert.equal(new Set(lines).size, total + 1);
  assert.ok(lines[1]?.includes(",'=cmd"));
});

test('a filter in the address comes back as it went, and nonsense filters nothing', () => {
  const query = {
    status: 'paid',
    amount: '₹1,499.30',
    id: ' cart 7&8 ',
    from: '2026-11-01',
    to: '2026-11-15',
    account: 'acc_1',
  };
  const { filter, ignored } = readOrderFilter(query);
  assert.deepEqual(ignored, []);
  assert.equal(filter.amountPaise, 1499_30);
  const again = readOrderFilter(Object.fromEntries(new URLSearchParams(writeOrderFilter(filter))));
  assert.deepEqual(again.filter, filter);
  const bad = readOrderFilter({
    status: 'stolen',
    amount: '1e9',
    id: 'a\u0000',
    from: '2026-02-30',
    to: ['x', 'y'],
    account: "' or 1",
  });
  assert.deepEqual(bad.filter, noFilter);
  assert.deepEqual(bad.ignored, ['status', 'amount', 'id', 'from', 'account']);
});

test('money to look at is each credit that paid nothing, with its near misses, and never one that paid', async () => {
  const tea = await addTestMerchant(world, { name: 'Tea' });
  const order = await addTestOrder(world, tea, { payable: 450_37 });
  await confirmPayment(world, await storedCredit(world, tea.merchantId, { amount: paise(450_00) }));
  world.clock.advance(second);
  await confirmPayment(world, await storedCredit(world, tea.merchantId, { amount: paise(450_37) }));
  world.clock.advance(second);
  await confirmPayment(world, await storedCredit(world, tea.merchantId, { amount: paise(450_37) }));
  world.clock.advance(20 * minute);
  await confirmPayment(world, await storedCredit(world, tea.merchantId, { amount: paise(450_37) }));
  const now = world.clock.now();
  const all = await selectMoneyToDo(world.sql, tea.merchantId, { after: null, limit: 10, now });
  assert.deepEqual(
    all.map(alert => [alert.verdict, alert.order_id]),
    [
      ['extra_payment', order.orderId],
      ['extra_payment', order.orderId],
      ['no_order', null],
    ],
  );
  assert.deepEqual(all[2]?.near_misses, [
    { order_id: order.orderId, payable_paise: 450_37, slip: 'base', is_paid: true },
  ]);
  const after = { arrivedAt: all[0]!.arrived_at, alertId: all[0]!.alert_id };
  assert.equal((await selectMoneyToDo(world.sql, tea.merchantId, { after, limit: 10, now })).length, 2);
  assert.deepEqual(await sumMoneyToDo(world.sql, tea.merchantId, now), { count: 3, paise: 1350_74 });
  assert.deepEqual(await sumMoneyToDo(world.sql, stranger.merchantId, now), { count: 0, paise: 0 });
});

test('beyond ten thousand the number of orders is an estimate', async () => {
  const big = await addTestMerchant(world, { name: 'Big' });
  const { sql, clock } = world;
  await sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
    select ${big.merchantId}::bigint, 'BIG-' || n, n, 10000, 10037, 'pending', ${clock.now()}, ${clock.now()}, 't' || n, ${big.accountId}::text, '', '', ''
    from generate_series(1, 12345) n`;
  await sql`analyze orders`;
  const { count, isExact } = await countOrders(sql, big.merchantId, noFilter, clock.now());
  assert.equal(isExact, false);
  assert.ok(count >= 10_000 && count < 16_000, String(count));
  await sql`delete from orders where merchant_id = ${big.merchantId}`;
});
