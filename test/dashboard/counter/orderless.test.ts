import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { later, minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { indianDay } from '../../../src/dashboard/frame/indian-days.ts';
import { sumDays } from '../../../src/dashboard/payments/queries/entries.ts';
import { readDay } from '../../../src/dashboard/reports/day-report.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { enterReference } from '../../../src/payments/review/enter-reference.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { payableOf } from '../../support/credit.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../../support/dashboard-site.ts';
import { reviewShop } from '../../support/review-shop.ts';

const shop = reviewShop();
let site: DashboardSite;
beforeEach(async () => {
  site ??= await openDashboard(shop.api.world);
});
after(() => site?.stop());

const as = async (role: Parameters<typeof addTestUser>[2] = 'owner') =>
  callAs(site, shop.api.world, await addTestUser(shop.api.world, shop.merchant.merchantId, role));
const now = () => shop.api.world.clock.now();

async function came(rupees: number, change: Partial<Credit> = {}): Promise<string> {
  const recipient = 'shop@example.in';
  return await shop.stray({
    amount: paise(Math.round(rupees * 100)),
    payer: 'Ravi Kumar',
    recipient,
    ...change,
  });
}

async function counting(): Promise<Awaited<ReturnType<typeof as>>> {
  const owner = await as();
  const path = `/dashboard/upi-accounts/${shop.merchant.accountId}/takings`;
  assert.equal((await owner.post(path, { takings: 'on' })).statusCode, 303);
  return owner;
}

const lines = (body: string) => [
  ...body.matchAll(
    /(?<=<li>(?:(?!<li>).)*)data-payment="(\w+)"(?: data-earlier)?( data-say="[^"]*")?>(.*?)<\/li>/gs,
  ),
];
const hrefs = (body: string) => [...body.matchAll(/<a class="row" href="([^"]+)"/g)].map(match => match[1]);

test('an owner turns payments without an order on and off, a manager may not; the page explains it, the log says who', async () => {
  const account = `/dashboard/upi-accounts/${shop.merchant.accountId}`;
  const path = `${account}/takings`;
  assert.equal((await (await as('manager')).post(path, { takings: 'on' })).statusCode, 403);
  const owner = await as();
  assert.match((await owner.get(account)).body, /Wait for your decision/);
  assert.match((await owner.get(path)).body, /counts to your plan’s month, as payments of orders do/);
  assert.equal((await owner.post(path, { takings: 'perhaps' })).statusCode, 404);
  await counting();
  assert.match((await owner.get(account)).body, /Counted and announced/);
  assert.match((await owner.get('/dashboard/audit')).body, /without an order are counted/);
  assert.equal((await owner.post(path, { takings: 'off' })).statusCode, 303);
  assert.match((await owner.get('/dashboard/audit')).body, /without an order are not counted/);
});

test('a payment without an order is on the counter with payer and reference, is spoken, and moves when accepted', async () => {
  const owner = await counting();
  const alertId = await came(250, { reference: '690000000250' });
  const { body } = await owner.get('/dashboard/counter/live');
  const [first] = lines(body);
  assert.equal(first![1], alertId);
  assert.match(first![2]!, /Received 250 rupees/);
  assert.match(first![3]!, /Ravi Kumar.*Without order<\/bdi> …0250/s);
  assert.deepEqual(hrefs(body), [`/dashboard/money/${alertId}`]);
  const seen = (await (await as('cashier')).get('/dashboard/counter/live')).body;
  assert.equal(lines(seen).length, 1);
  assert.deepEqual(hrefs(seen), [], 'a cashier has no page of it to be led to');
  const created = await shop.order({ amount: 300 });
  assert.equal(await shop.accept(alertId, created.order_id), null);
  const moved = lines((await owner.get('/dashboard/counter/live')).body);
  assert.deepEqual(
    moved.map(line => line[1]),
    [alertId],
    'under the same name, so that nothing is said twice',
  );
  assert.doesNotMatch(moved[0]![3]!, /Without order/);
});

test('the day’s sum, list and report have a payment without an order once, before and after it moves', async () => {
  const owner = await counting();
  const alertId = await came(250);
  const summed = async () => {
    const home = (await owner.get('/dashboard')).body;
    const { merchantId } = shop.merchant;
    const [sum] = await sumDays(shop.api.world.sql, merchantId, [indianDay(now())], now());
    const { total } = await readDay(shop.api.world.sql, merchantId, indianDay(now()), now());
    return {
      home,
      sum: [sum!.paise, sum!.count],
      report: [total.collected_paise, total.count, total.given_paise],
    };
  };
  const before = await summed();
  assert.match(before.home, /<p class="figure"><span class="money">₹250<span class="paise">\.00</);
  assert.match(before.home, new RegExp(`href="/dashboard/money/${alertId}"`));
  assert.deepEqual(before, { ...before, sum: [250_00, 1], report: [250_00, 1, 0] });
  const created = await shop.order({ amount: 300 });
  await shop.accept(alertId, created.order_id);
  const after_ = await summed();
  assert.ok(!after_.home.includes(`href="/dashboard/money/${alertId}"`), 'it is the order now');
  assert.deepEqual(after_, { ...after_, sum: [250_00, 1], report: [250_00, 1, 0] });
  await shop.end(await came(99), 'given_back');
  const { sum, report } = await summed();
  assert.deepEqual(sum, [250_00, 1], 'what was given back is no money of the day');
  assert.deepEqual(report, [349_00, 2, 99_00], 'the report has both sides');
});

test('a payment without an order needs no decision, is among the paid ones, and can be given to an order', async () => {
  const owner = await counting();
  const alertId = await came(250);
  const link = `href="/dashboard/money/${alertId}"`;
  const listed = async (view: string) =>
    (await owner.get(`/dashboard/payments?view=${view}`)).body.includes(link);
  assert.deepEqual([await listed('all'), await listed('paid'), await listed('decide')], [true, true, false]);
  const own = (await owner.get(`/dashboard/money/${alertId}`)).body;
  assert.doesNotMatch(own, /\/keep"/);
  assert.match(own, /There is nothing to do, unless it belongs to an order/);
  const created = await shop.order({ amount: 300 });
  await owner.post(`/dashboard/money/${alertId}/orders/${created.order_id}/accept`, { note: '' });
  assert.equal(await shop.statusOf(created.order_id), 'paid');
  assert.equal(await listed('paid'), false);
});

test('the export has payments without an order as their own kind, with payer and reference, by days and account', async () => {
  const owner = await counting();
  const paid = await shop.order({ amount: 100 });
  await shop.confirm(await shop.credit({ amount: payableOf(paid) }));
  await came(250, { reference: '690000000999', payer: '=Ravi' });
  const csv = async (query = '') =>
    (await owner.get(`/dashboard/orders/export.csv${query}`)).body.split('\r\n');
  const [header, , orderless] = await csv();
  const cells = Object.fromEntries(orderless!.split(',').map((cell, at) => [header!.split(',')[at], cell]));
  const { status, bank_reference, customer_name, received_amount, payment_account_id } = cells;
  assert.deepEqual(
    { status, bank_reference, customer_name, received_amount, payment_account_id },
    {
      status: 'taking',
      bank_reference: '690000000999',
      customer_name: "'=Ravi",
      received_amount: '250.00',
      payment_account_id: shop.merchant.accountId,
    },
  );
  assert.equal(orderless!.split(',').length, header!.split(',').length);
  const count = async (query: string) => (await csv(query)).filter(line => line.includes(',taking,')).length;
  assert.deepEqual(
    await Promise.all(
      ['', '?from=2020-01-01', '?to=2020-01-01', '?status=paid', '?account=acc_other'].map(count),
    ),
    [1, 1, 0, 0, 0],
  );
});

test('after a ten-minute outage all payments are listed, and only those of the last three minutes are spoken', async () => {
  const owner = await counting();
  const orders = [];
  for (let at = 0; at < 3; at++) orders.push(await shop.order({ amount: 400 + at }));
  const began = now();
  shop.api.world.clock.advance(10 * minute);
  const ages = [10 * minute, 5 * minute, 3 * minute, 3 * minute - second, minute, 0];
  const reported = [];
  for (const age of ages) reported.push(await came(250, { alertTime: later(now(), -age) }));
  for (const [at, order] of orders.entries()) {
    const credit = await shop.credit({
      amount: payableOf(order),
      alertTime: later(began, at * 4.5 * minute),
    });
    assert.equal((await shop.confirm(credit)).outcome, 'paid');
    reported.push(credit.alertId);
  }
  const spoken = async () =>
    lines((await owner.get('/dashboard/counter/live')).body)
      .filter(line => line[2])
      .map(line => line[1]);
  assert.deepEqual((await spoken()).sort(), [reported[3], reported[4], reported[5], reported[8]].sort());
  const shown = lines((await owner.get('/dashboard/counter/live')).body);
  assert.equal(shown.length, 9);
  assert.equal(shown.filter(line => line[3]!.includes('Earlier')).length, 5);
  // A tab that slept stays silent too, and its new payments are not shown as earlier ones.
  shop.api.world.clock.advance(3 * minute);
  assert.deepEqual(await spoken(), []);
  assert.equal((await owner.get('/dashboard/counter/live')).body.match(/Earlier/g)!.length, 5);
});

test('when the plan’s month is full, the counter says that it no longer announces payments without an order', async () => {
  const owner = await counting();
  const { sql } = shop.api.world;
  await sql`insert into plans (plan, monthly_limit_paise) values ('little', 10000) on conflict do nothing`;
  await sql`update merchants set plan = 'little' where merchant_id = ${shop.merchant.merchantId}`;
  await connectedMailbox(shop.api.world, shop.merchant.merchantId);
  const body = async () => (await owner.get('/dashboard/counter/live')).body;
  assert.doesNotMatch(await body(), /data-blind="full"/);
  await came(100);
  await came(101);
  assert.match(await body(), /data-blind="full"/);
  assert.equal(lines(await body()).length, 1);
});

test('a bank’s time without seconds makes money look older, never newer', async () => {
  shop.api.world.clock.set(new Date('2027-03-05T06:32:59Z'));
  const owner = await counting();
  const [fresh, old] = [
    await came(250, { alertTime: new Date('2027-03-05T06:30:00Z') }),
    await came(251, { alertTime: new Date('2027-03-05T06:29:00Z') }),
  ];
  const shown = lines((await owner.get('/dashboard/counter/live')).body);
  assert.deepEqual(
    [fresh, old].map(id => shown.find(line => line[1] === id)?.[2] !== undefined),
    [true, false],
  );
});

test('a reference from an earlier day is listed as earlier, and is counted', async () => {
  shop.api.world.clock.set(new Date('2027-03-05T06:30:00Z'));
  const owner = await counting();
  const alertId = await came(250, { reference: '706300000001' });
  const [line] = lines((await owner.get('/dashboard/counter/live')).body);
  assert.deepEqual([line![1], line![2]], [alertId, undefined]);
  assert.match(line![3]!, /Earlier/);
  assert.equal(await shop.collected(), 250_00);
});

test('a person who matches it to an order reads that it was counted and shown at the counter', async () => {
  const owner = await counting();
  const alertId = await came(500);
  const { order_id: orderId } = await shop.order({ amount: 640 });
  const path = `/dashboard/money/${alertId}/orders/${orderId}`;
  assert.match((await owner.get(path)).body, /counted as a payment without order and stood at the Counter/);
  await owner.post(`${path}/attach`, {});
  for (const shown of [path, `/dashboard/orders/${orderId}`])
    assert.match((await owner.get(shown)).body, /counted as a payment without order/, shown);
});

test('if it is on for one UPI ID, it is on for every UPI ID of the same bank account', async () => {
  const { sql } = shop.api.world;
  const { merchantId, accountId } = shop.merchant;
  const second = `${accountId}_2`;
  await sql`
    insert into upi_accounts select (jsonb_populate_record(u, jsonb_build_object('account_id', ${second}::text,
      'vpa', 'second@okaxis', 'is_default', false))).* from upi_accounts u where account_id = ${accountId}`;
  await counting();
  const [row] =
    await sql`select counts_takings from upi_accounts where merchant_id = ${merchantId} and account_id = ${second}`;
  assert.equal(row!['counts_takings'], true);
});

test('money that two customers claim stays in To do when a person says that it is not one customer’s', async () => {
  const owner = await counting();
  const alertId = await came(77, { reference: '690000000077' });
  const [first, other] = [await shop.order({ amount: 600 }), await shop.order({ amount: 700 })];
  for (const { order_id: orderId } of [first, other])
    await enterReference(shop.api.world, {
      merchantId: shop.merchant.merchantId,
      orderId,
      reference: '690000000077',
      now: now(),
    });
  const isToDo = async () =>
    (await owner.get('/dashboard/payments?view=decide')).body.includes(`/money/${alertId}`);
  assert.equal(await isToDo(), true);
  await owner.post(`/dashboard/money/${alertId}/orders/${first.order_id}/attach`, {});
  await owner.post(`/dashboard/money/${alertId}/reopen`, {});
  assert.equal(await isToDo(), true);
  assert.deepEqual(await findBreaches(shop.api.world), []);
});
