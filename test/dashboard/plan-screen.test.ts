import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '../../src/base/clock.ts';
import { setDisabled } from '../../src/business/merchants/queries.ts';
import { setMoved, unsetMoved } from '../../src/operator/moving/queries.ts';
import { addTestUser, callAs, openDashboard } from '../support/dashboard-site.ts';
import { openPlanStage } from '../support/plan-stage.ts';
import { use } from '../support/use.ts';

const stage = use(openPlanStage);
const site = use(() => openDashboard(stage.world));

const gold = { plan: 'gold', price: '60000', days: '30' };
const signIn = async (merchantId: number, role: 'owner' | 'support' | 'operator') =>
  callAs(site, stage.world, await addTestUser(stage.world, merchantId, role));

test('an owner chooses a plan, pays the seller’s order, and finds plan and receipt on the screen', async () => {
  const buyer = await stage.addBuyer();
  const owner = await signIn(buyer.merchantId, 'owner');
  assert.match((await owner.get('/dashboard/plan')).body, /Gold, ₹600 for 30 days/);
  assert.equal(
    (await owner.post('/dashboard/plan/receipts', { address: '', gstin: '27AAPFU0939F1ZX' })).statusCode,
    400,
  );
  const party = { address: '4 MG Road, Pune', gstin: '27aapfu0939f1zv' };
  assert.equal((await owner.post('/dashboard/plan/receipts', party)).statusCode, 303);
  const pressed = await owner.post('/dashboard/plan/buy', gold);
  const token = /^\/pay\/(.+)$/.exec(String(pressed.headers.location))?.[1];
  const [order] = await stage.world
    .sql`select order_id, payable_paise from orders where pay_token = ${token}`;
  assert.match((await owner.get('/dashboard/plan')).body, /Go on to the payment/);
  const [bought] = await stage.world
    .sql`select purpose from order_purposes where order_id = ${order!['order_id']}`;
  assert.equal(bought!['purpose'], 'Gold, 30 days');
  await stage.pay(order!['payable_paise']);
  assert.match((await owner.get('/dashboard/plan')).body, /paid; you have it in a moment/);
  await stage.work();
  assert.match((await owner.get('/dashboard/plan')).body, /Gold: from .* until /);
  const receipt = await owner.get(`/dashboard/plan/receipts/${order!['order_id']}`);
  assert.match(
    receipt.body,
    /Platform.*Chai Point.*4 MG Road, Pune.*GSTIN 27AAPFU0939F1ZV.*Gold.*₹600\.\d\d/s,
  );
});

test('at the limit the counter and New payment lead to the plan', async () => {
  const { sql, clock } = stage.world;
  const buyer = await stage.addBuyer();
  const owner = await signIn(buyer.merchantId, 'owner');
  await sql`update plans set monthly_limit_paise = 1 where plan = 'standard'`;
  await sql`insert into collections (merchant_id, month, collected_paise)
    values (${buyer.merchantId}, date_trunc('month', ${clock.now()}::timestamptz at time zone 'Asia/Kolkata')::date, 1)`;
  for (const path of ['/dashboard/counter', '/dashboard/pay'])
    assert.match(
      (await owner.post(path, { amount: '50' })).body,
      /limit\. <a href="\/dashboard\/plan">/,
      path,
    );
  await sql`update plans set monthly_limit_paise = null where plan = 'standard'`;
});

test('a buyer who is suspended, lacks the right, is the seller or saw another price gets no order', async () => {
  const { sql, clock } = stage.world;
  const buyer = await stage.addBuyer();
  const owner = await signIn(buyer.merchantId, 'owner');
  const seller = await signIn(stage.seller.merchantId, 'owner');
  const support = await signIn(buyer.merchantId, 'support');
  const orders = async () =>
    (await sql`select from sales where buyer_id in (${buyer.merchantId}, ${stage.seller.merchantId})`).length;
  assert.equal(
    (await owner.post('/dashboard/plan/buy', { ...gold, price: '1' })).headers.location,
    '/dashboard/plan',
  );
  assert.equal((await seller.post('/dashboard/plan/buy', gold)).headers.location, '/dashboard/plan');
  assert.equal((await support.post('/dashboard/plan/buy', gold)).statusCode, 403);
  await setDisabled(sql, buyer.merchantId, clock.now());
  assert.equal((await owner.post('/dashboard/plan/buy', gold)).statusCode, 403);
  assert.equal(await orders(), 0);
});

test('a press with fewer days left than the card showed returns to the card', async () => {
  const buyer = await stage.addBuyer();
  const owner = await signIn(buyer.merchantId, 'owner');
  await stage.buy(buyer, 'silver');
  const card = /value="gold"[\s\S]*?name="carried" value="(\d+)"/.exec(
    (await owner.get('/dashboard/plan')).body,
  );
  assert.equal(card?.[1], '15');
  stage.world.clock.advance(2 * day);
  const pressed = await owner.post('/dashboard/plan/buy', { ...gold, carried: '15' });
  assert.equal(pressed.headers.location, '/dashboard/plan');
  assert.match(
    String((await owner.post('/dashboard/plan/buy', { ...gold, carried: '14' })).headers.location),
    /^\/pay\//,
  );
});

test('while the seller moves or takes no new orders the plan cannot be bought', async () => {
  const { sql, clock } = stage.world;
  const { merchantId } = stage.seller;
  const owner = await signIn((await stage.addBuyer()).merchantId, 'owner');
  const isSold = async () => (await owner.get('/dashboard/plan')).body.includes('/dashboard/plan/buy');
  assert.ok(await isSold());
  await setDisabled(sql, merchantId, clock.now(), { reason: 'papers', onlyNewOrders: true });
  assert.ok(!(await isSold()));
  assert.equal((await owner.post('/dashboard/plan/buy', gold)).headers.location, '/dashboard/plan');
  await setDisabled(sql, merchantId, null);
  await sql.begin(tx => setMoved(tx, merchantId, 'inside', clock.now()));
  assert.ok(!(await isSold()));
  await sql.begin(tx => unsetMoved(tx, merchantId));
  assert.ok(await isSold());
});

test('the operator sees the sales, has the register, and ends a plan period at the end of a day', async () => {
  const buyer = await stage.addBuyer();
  const order = await stage.buy(buyer, 'gold');
  const operator = await signIn(0, 'operator');
  assert.match((await operator.get('/dashboard/operator/sales')).body, /Sold by: .*Platform.*Chai Point/s);
  assert.match((await operator.get('/dashboard/operator/sales/register')).body, new RegExp(order.order_id));
  const page = `/dashboard/operator/businesses/${buyer.merchantId}`;
  const shown = (await operator.get(page)).body;
  assert.match(shown, /Plan periods that were bought/);
  assert.match(
    shown,
    /name="day" type="text" value=""/,
    'no browser turns it round to mm/dd, and no day is filled in',
  );
  await operator.post(`${page}/end-term`, { order: order.order_id, day: '2026-11-20' });
  const [period] = await stage.world.sql<
    { ends_at: Date }[]
  >`select ends_at from terms where order_id = ${order.order_id}`;
  assert.equal(period!.ends_at.toISOString(), '2026-11-20T18:30:00.000Z');
  await operator.post(`${page}/end-term`, { order: order.order_id, day: '2026-11-01' });
  assert.equal(await stage.planOf(buyer), 'standard');
});
