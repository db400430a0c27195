import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, minute, second } from '../../../src/base/clock.ts';
import { parseForm } from '../../../src/base/http/form.ts';
import { paise } from '../../../src/base/money.ts';
import { exportOrders } from '../../../src/dashboard/payments/export-orders.ts';
import { noFilter, readOrderFilter, writeOrderFilter } from '../../../src/dashboard/payments/order-filter.ts';
import { selectMoneyToDo, sumMoneyToDo } from '../../../src/dashboard/payments/queries/credits.ts';
import { selectEntries } from '../../../src/dashboard/payments/queries/entries.ts';
import {
  mostSearched,
  type OrderFilter,
  searchFloor,
  selectAlertsOfOrder,
  selectNamed,
  selectOneOrder,
} from '../../../src/dashboard/payments/queries/orders.ts';
import { csvHeader, csvLine } from '../../../src/orders/history/csv-line.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const shop = use(() => addTestMerchant(world));
const stranger = use(() => addTestMerchant(world, { name: 'Someone else' }));

async function found(change: Partial<OrderFilter>, merchantId = shop.merchantId): Promise<string[]> {
  const filter = { ...noFilter, ...change };
  const asked = { view: 'orders', filter, after: null, limit: 100, now: world.clock.now() } as const;
  return (await selectEntries(world.sql, merchantId, asked)).map(row => row.id);
}

async function named(search: string): Promise<string[]> {
  const filter = { ...noFilter, search };
  const rows = await selectNamed(world.sql, shop.merchantId, filter, { limit: 25, now: world.clock.now() });
  return rows.map(row => row.id);
}

test('each filter finds only its orders, of this business', async () => {
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
  assert.deepEqual(await named('cart-77'), [open.orderId]);
  assert.deepEqual(await named(open.orderId.toLowerCase()), [open.orderId]);
  for (const sum of ['350.37', '350', '₹350.3', '350.00'])
    assert.deepEqual(await named(sum), ['350.37', '350'].includes(sum) ? [open.orderId] : [], sum);
  for (const reference of ['012345678901', '12345678901', '0012345678901'])
    assert.deepEqual(await named(reference), [paid.orderId], reference);
  assert.deepEqual(await named(foreign.orderId), []);
  assert.deepEqual(await found({ to: '2026-11-12' }), [old.orderId]);
  assert.deepEqual(await found({ from: '2026-11-15', to: '2026-11-15', status: 'pending' }), [open.orderId]);
  assert.deepEqual(await found({ accountId: stranger.accountId }), []);
  assert.equal((await found({ accountId: shop.accountId })).length, 3);
});

test('one box finds an order by any part of an id, its sum, the UTR, the customer, the payer and its purpose', async () => {
  const sari = await addTestMerchant(world, { name: 'Saree' });
  const order = await addTestOrder(world, sari, { payable: 1499_37, merchantOrderId: 'Web/2026-31' });
  const customer = world.sql.json({ name: 'Asha Rao_%', email: 'asha@mail.example' });
  await world.sql`update orders set customer = ${customer} where merchant_id = ${sari.merchantId}`;
  const other = await addTestOrder(world, sari, { payable: 88_12 });
  const credit = { amount: paise(1499_37), reference: '692012345678' };
  await confirmPayment(world, await storedCredit(world, sari.merchantId, credit));
  await world.sql`update alerts set payer = 'RAVI ravi.k@okaxis' where merchant_id = ${sari.merchantId}`;
  for (const [{ merchantId }, { orderId }, purpose] of [
    [sari, order, 'Blue saree, 6 yards'],
    [stranger, await addTestOrder(world, stranger, { payable: 61_12 }), 'blue saree for a stranger'],
  ] as const)
    await world.sql`insert into order_purposes ${world.sql({ merchant_id: merchantId, order_id: orderId, purpose, created_at: world.clock.now() })}`;
  const search = (text: string) => found({ search: text }, sari.merchantId);
  for (const text of [
    order.orderId,
    order.orderId.slice(-5),
    'web/2026',
    '1499',
    '1499.37',
    '1,499.37',
    '692012345678',
    '345678',
    'ASHA rao_',
    'asha@mail',
    'ravi.k@okaxis',
    'BLUE saree',
  ])
    assert.deepEqual(await search(text), [order.orderId], text);
  for (const text of ['1499.38', 'Asha Raox', '%', '\\', 'asha rao_%asha', '88.13'])
    assert.deepEqual(await search(text), text === '%' ? [order.orderId] : [], text);
  assert.deepEqual(await search('88'), [other.orderId]);
  for (const text of ['asha', 'okaxis', 'blue saree', '1499', order.orderId, '692012345678'])
    assert.deepEqual([...(await found({ search: text })), ...(await named(text))], [], `a stranger: ${text}`);
  assert.deepEqual(await found({ search: 'asha', status: 'pending' }, sari.merchantId), []);
});

test('a search reads a bounded number of orders and continues where it stopped; a whole id is always found', async () => {
  const big = await addTestMerchant(world, { name: 'Big' });
  const { sql, clock } = world;
  const total = mostSearched + 300;
  await sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url, customer)
    select ${big.merchantId}::bigint, 'BIG-' || n, 'own-' || n, 10000, 10037, 'pending', ${clock.now()}::timestamptz - n * interval '1 second',
      ${clock.now()}, 't' || n, ${big.accountId}::text, '', '', '', jsonb_build_object('name', 'Nobody ' || (n % 100))
    from generate_series(1, ${total}::int) n`;
  const filter = { ...noFilter, search: `own-${total - 1}` };
  const now = clock.now();
  const first = { view: 'orders', filter, after: null, limit: 25, now } as const;
  assert.deepEqual(await selectEntries(sql, big.merchantId, first), []);
  const floor = await searchFloor(sql, big.merchantId, first);
  assert.equal(floor?.orderId, `BIG-${mostSearched}`);
  const further = await selectEntries(sql, big.merchantId, { ...first, after: floor });
  assert.deepEqual(
    further.map(order => order.id),
    [`BIG-${total - 1}`],
  );
  assert.equal(await searchFloor(sql, big.merchantId, { ...first, after: floor }), null);
  assert.equal((await selectNamed(sql, big.merchantId, filter, { limit: 25, now })).length, 1);
  let rows = 0;
  for await (const part of exportOrders(world, big.merchantId, { ...noFilter, search: 'nobody 7' }, now))
    rows += part.split('\r\n').length - 1;
  // Nobody 7 and 70 to 79 are eleven of each hundred.
  assert.equal(rows, 1 + (total / 100) * 11);
  await sql`delete from orders where merchant_id = ${big.merchantId}`;
});

test('another business’s order is not found', async () => {
  const foreign = await addTestOrder(world, stranger, { payable: 360_37 });
  const now = world.clock.now();
  assert.equal(await selectOneOrder(world.sql, shop.merchantId, foreign.orderId, now), null);
  assert.deepEqual(await selectAlertsOfOrder(world.sql, shop.merchantId, foreign.orderId), []);
  assert.ok(await selectOneOrder(world.sql, stranger.merchantId, foreign.orderId, now));
});

test('the export has every order once, in many batches, with harmless cells', async () => {
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

test('a spreadsheet takes no cell of the export as a formula', async () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', ' =1', '\u00a0=1', '＝1', '"=1'];
  for (const name of formulas) {
    const cells = [...(await lineOf(name)).matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,"\r\n]*)/g)].map(
      ([, cell = '']) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell),
    );
    for (const cell of [cells[1], cells[10]]) assert.match(cell ?? '', /^['"]/, JSON.stringify(name));
  }
});

test('a line of the export is, byte for byte, the order by RFC 4180 and the rule against formulas', async () => {
  // Each optional field of an order has a further cell at the end.
  const further = ','.repeat(csvHeader.split('purpose')[1]!.split(',').length - 1);
  const times = '2026-11-15T06:30:00.000Z,2026-11-15T06:30:00.000Z,';
  for (const [name, cell] of [
    ['cart-77', 'cart-77'],
    ['cart 7, 8', '"cart 7, 8"'],
    ['the "big" one', '"the ""big"" one"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1,"2"', `"'=1,""2""${'"'}`],
    ['\u3000＋1', "'\u3000＋1"],
    ['\ufeff@x', "'\ufeff@x"],
    ['मीरा -1', 'मीरा -1'],
    ["'", "'"],
    ['', ''],
  ] as const) {
    const line = `ML-0000000001,${cell},1000000.00,0.07,expired,${times},acc_1,,${cell},,12.30,${further}\r\n`;
    assert.equal(await lineOf(name), line);
  }
});

async function lineOf(name: string): Promise<string> {
  const { sql, clock } = world;
  const now = clock.now();
  const [row] = await sql<{ line: string }[]>`
    select ${csvLine(sql, now)} as line
    from jsonb_populate_record(null::orders, ${sql.json({
      merchant_id: 1,
      order_id: 'ML-0000000001',
      merchant_order_id: name,
      amount_paise: 100000000,
      payable_paise: 7,
      status: 'pending',
      created_at: now,
      expires_at: now,
      account_id: 'acc_1',
      received_paise: 1230,
      customer: { name },
    })}) o`;
  return row!.line;
}

test('a filter in the address comes back unchanged, and nonsense filters nothing', () => {
  const read = (query: string) => readOrderFilter(parseForm(query)!);
  const { filter, ignored } = read('status=paid&q=+cart+7%268+&from=2026-11-01&to=2026-11-15&account=acc_1');
  assert.deepEqual(ignored, []);
  assert.equal(filter.search, 'cart 7&8');
  assert.deepEqual(read(writeOrderFilter(filter).slice(1)).filter, filter);
  assert.deepEqual(read('days=2026-11-01..2026-11-15&from=2026-10-01').filter, {
    ...noFilter,
    from: '2026-11-01',
    to: '2026-11-15',
  });
  const bad = read(`status=stolen&q=${'a'.repeat(1000)}&from=2026-02-30&to=x&to=y&account=${"' or 1"}`);
  assert.deepEqual(bad.filter, noFilter);
  assert.deepEqual(bad.ignored, ['status', 'q', 'from', 'account']);
});

test('money to decide is each credit that paid nothing, with its near misses, and never one that paid', async () => {
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
  const all = await selectMoneyToDo(world.sql, tea.merchantId, { limit: 10, now });
  assert.deepEqual(
    all.map(alert => [alert.verdict, alert.order_id]),
    [
      ['extra_payment', order.orderId],
      ['extra_payment', order.orderId],
      ['no_order', null],
    ],
  );
  assert.deepEqual(all[2]?.near_misses, [
    { order_id: order.orderId, payable_paise: 450_37, slip: 'base', is_paid: true, said_paid: false },
  ]);
  assert.equal((await selectMoneyToDo(world.sql, tea.merchantId, { limit: 2, now })).length, 2);
  assert.deepEqual(await sumMoneyToDo(world.sql, tea.merchantId, now), { count: 3, paise: 1350_74 });
  assert.deepEqual(await sumMoneyToDo(world.sql, stranger.merchantId, now), { count: 0, paise: 0 });
});
