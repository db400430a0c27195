import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { day, hour, minute } from '../../../src/base/clock.ts';
import { nameSeller, parsePlans, selectPlans, storePlans } from '../../../src/business/merchants/plans.ts';
import { setDisabled, setPlan } from '../../../src/business/merchants/queries.ts';
import { selectRegister, selectSales } from '../../../src/dashboard/operator/queries/sales.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { applySales } from '../../../src/orders/sales/apply-sales.ts';
import { endTerm } from '../../../src/orders/sales/end-term.ts';
import { keepTerms } from '../../../src/orders/sales/keep-terms.ts';
import { selectTerms } from '../../../src/orders/sales/queries.ts';
import { openPlanStage, type PlanStage, testPlans } from '../../support/plan-stage.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';

let stage: PlanStage;
let buyer: TestMerchant;
before(async () => {
  stage = await openPlanStage();
});
beforeEach(async () => {
  buyer = await stage.addBuyer();
});
after(async () => {
  assert.deepEqual(await findBreaches(stage.world), []);
  await stage.stop();
});

const put = (change: Record<string, unknown>) =>
  storePlans(
    stage.world.sql,
    parsePlans(JSON.stringify({ ...testPlans, ...change }), what => new Error(what)),
  );

describe('buying', () => {
  test('a plan is given once the ordinary order of the seller is paid, and not before', async () => {
    const { world } = stage;
    const order = await stage.press(buyer, 'gold');
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'standard');
    assert.equal((await stage.pay(order.payable)).outcome, 'paid');
    assert.equal(await stage.planOf(buyer), 'standard', 'paying itself knows nothing of plans');
    const now = world.clock.now();
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'gold');
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 0 to 30']);
    const [term] = await selectTerms(world.sql, buyer.merchantId);
    assert.equal(term!.receipt.received_paise, order.payable);
    assert.deepEqual(term!.receipt.seller, { name: 'Platform', address: null, gstin: null });
    await stage.work();
    assert.equal((await selectTerms(world.sql, buyer.merchantId)).length, 1);
  });

  test('pressing twice leads to one order, and two workers at once give one term', async () => {
    const [one, other] = await Promise.all([stage.press(buyer, 'gold'), stage.press(buyer, 'gold')]);
    assert.equal(one.token, other.token);
    await stage.pay(one.payable);
    await Promise.all([applySales(stage.world), applySales(stage.world), applySales(stage.world)]);
    assert.equal((await selectTerms(stage.world.sql, buyer.merchantId)).length, 1);
  });

  test('whoever is at their own limit can buy, and an order paid ten minutes late counts', async () => {
    const { world } = stage;
    await world.sql`insert into collections (merchant_id, month, collected_paise, removed_paise)
      values (${buyer.merchantId}, '2026-11-01', 100000000, 100000000)`;
    const order = await stage.press(buyer, 'silver');
    world.clock.advance(14 * minute);
    assert.equal((await stage.pay(order.payable)).outcome, 'paid');
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'silver');
  });

  test('a rounded sum waits for the seller, and gives the plan with what was received when they accept it', async () => {
    const order = await stage.press(buyer, 'gold');
    const credit = await stage.pay(order.payable - (order.payable % 100));
    assert.equal(credit.outcome, 'no_order');
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'standard');
    stage.world.clock.advance(2 * day);
    await stage.accept(credit.alertId, order.order_id);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'gold');
    const [term] = await selectTerms(stage.world.sql, buyer.merchantId);
    assert.equal(term!.receipt.received_paise, order.amount);
  });

  test('a plan that changes its price or leaves while somebody pays is sold as it was pressed', async () => {
    const order = await stage.press(buyer, 'platinum');
    await put({ platinum: { ...testPlans.platinum, price_paise: 700_00, period_days: 60 } });
    const { platinum: _, ...without } = testPlans;
    const plans = parsePlans(JSON.stringify(without), what => new Error(what));
    await assert.rejects(storePlans(stage.world.sql, plans), /have bought it or are about to/);
    await stage.pay(order.payable);
    const now = stage.world.clock.now();
    await stage.work();
    assert.deepEqual(await stage.daysOf(buyer, now), ['platinum 0 to 20']);
    await put({});
  });

  test('a suspended buyer gets what they paid for; one that is gone leaves a receipt and a line for the operator', async () => {
    const { sql, clock } = stage.world;
    const order = await stage.press(buyer, 'gold');
    await setDisabled(sql, buyer.merchantId, clock.now());
    await stage.pay(order.payable);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'gold');
    const leaver = await stage.addBuyer();
    const lost = await stage.press(leaver, 'gold');
    await sql`update merchants set removal_began_at = now() where merchant_id = ${leaver.merchantId}`;
    await stage.pay(lost.payable);
    await sql`delete from api_keys where merchant_id = ${leaver.merchantId}`;
    await sql`delete from upi_accounts where merchant_id = ${leaver.merchantId}`;
    await sql`delete from history_progress where merchant_id = ${leaver.merchantId}`;
    await sql`delete from merchants where merchant_id = ${leaver.merchantId}`;
    await stage.work();
    await stage.work();
    const sales = await selectSales(sql, { before: null, limit: 100 });
    const sale = sales.find(({ order_id }) => order_id === lost.order_id);
    assert.equal(sale?.state, 'no_buyer');
    assert.ok(sale?.receipt_number);
  });

  test('the register has a line for every receipt, and no name in it is a formula', async () => {
    const { sql } = stage.world;
    await sql`update merchants set name = '=1+1', receipt_address = 'A, "B"' where merchant_id = ${buyer.merchantId}`;
    const order = await stage.buy(buyer, 'gold');
    const lines = (await selectRegister(sql)).split('\r\n');
    const line = lines.find(one => one.includes(order.order_id));
    assert.match(line ?? '', /^R-\d+,/);
    assert.ok(
      line?.includes(`,'=1+1,"A, ""B""",,gold,30,0,600.00,${(order.payable / 100).toFixed(2)},`),
      line,
    );
    assert.equal(lines.length - 2, (await sql`select from sales where receipt_number is not null`).length);
  });
});

describe('days', () => {
  test('a dearer plan begins at once with the unused days at the ratio of daily prices, rounded up', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'silver');
    await stage.buy(buyer, 'silver');
    clock.advance(9 * day + hour);
    const now = clock.now();
    // 51 days at ₹10 are 25.5 at ₹20: 21 of the running one make 11, 30 of the next make 15.
    await stage.buy(buyer, 'gold');
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 0 to 56']);
    assert.equal(await stage.planOf(buyer), 'gold');
  });

  test('the days that were shown are given also when fewer are left by the time it is paid', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'silver');
    clock.advance(10 * day - 5 * minute);
    const order = await stage.press(buyer, 'gold');
    const credit = await stage.pay(order.amount);
    clock.advance(5 * day);
    await stage.accept(credit.alertId, order.order_id);
    const now = clock.now();
    await stage.work();
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 0 to 41']);
  });

  test('two purchases that both showed the same unused days carry them once', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'silver');
    const [gold, platinum] = [await stage.press(buyer, 'gold'), await stage.press(buyer, 'platinum')];
    await stage.pay(gold.payable);
    await stage.pay(platinum.payable);
    const now = clock.now();
    await stage.work();
    // 30 silver days become 15 of gold; those 45 become 20 of platinum.
    assert.deepEqual(await stage.daysOf(buyer, now), ['platinum 0 to 40']);
    const again = await stage.press(buyer, 'platinum');
    await stage.pay(again.payable);
    await stage.work();
    assert.deepEqual(await stage.daysOf(buyer, now), ['platinum 0 to 40', 'platinum 40 to 60']);
  });

  test('a cheaper plan follows at the end, and renewing the dearer one early goes before it', async () => {
    const { clock } = stage.world;
    const now = clock.now();
    await stage.buy(buyer, 'gold');
    await stage.buy(buyer, 'silver');
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 0 to 30', 'silver 30 to 60']);
    await stage.buy(buyer, 'gold');
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 0 to 30', 'gold 30 to 60', 'silver 60 to 90']);
    clock.advance(61 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'silver');
    assert.deepEqual(await stage.told(buyer), [], 'nobody is told of an end behind which something stands');
  });
});

describe('the end of a term', () => {
  test('is told a week and a day before and on the day; after a week of grace the default plan is back', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'gold');
    const steps: [by: number, told: string[], plan: string][] = [
      [23 * day - 1, [], 'gold'],
      [1, ['plan_ending'], 'gold'],
      [6 * day, ['plan_ending', 'plan_ending'], 'gold'],
      [1 * day, ['plan_ending', 'plan_ending', 'plan_ended'], 'gold'],
      [7 * day - 1, ['plan_ending', 'plan_ending', 'plan_ended'], 'gold'],
      [1, ['plan_ending', 'plan_ending', 'plan_ended', 'plan_over'], 'standard'],
    ];
    for (const [by, told, plan] of steps) {
      clock.advance(by);
      await Promise.all([keepTerms(stage.world), keepTerms(stage.world)]);
      assert.deepEqual(await stage.told(buyer), told);
      assert.equal(await stage.planOf(buyer), plan);
    }
    const now = clock.now();
    await stage.buy(buyer, 'gold');
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 0 to 30']);
  });

  test('renewed in the grace a term goes on from its end; a dearer plan begins on the day', async () => {
    const { clock } = stage.world;
    const now = clock.now();
    await stage.buy(buyer, 'silver');
    clock.advance(33 * day);
    await stage.work();
    await stage.buy(buyer, 'silver');
    assert.deepEqual(await stage.daysOf(buyer, now), ['silver 30 to 60']);
    clock.advance(30 * day);
    await stage.buy(buyer, 'gold');
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 63 to 93']);
  });

  test('is caught up with by whoever looks next, however late, and told once', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'gold');
    await stage.buy(buyer, 'silver');
    clock.advance(200 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'standard');
    assert.deepEqual(await stage.told(buyer), ['plan_over']);
  });

  test('leaves a plan alone that an operator set by hand meanwhile', async () => {
    const { clock, sql } = stage.world;
    await stage.buy(buyer, 'gold');
    await stage.buy(buyer, 'silver');
    await setPlan(sql, buyer.merchantId, 'house');
    clock.advance(40 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'house');
    clock.advance(40 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'house');
  });

  test('comes at the operator’s date without grace when money was given back, and the next term comes sooner', async () => {
    const { clock, sql } = stage.world;
    const now = clock.now();
    const { merchantId } = buyer;
    const gold = await stage.buy(buyer, 'gold');
    const silver = await stage.buy(buyer, 'silver');
    const end = (orderId: string, endsAt: Date) =>
      sql.begin(tx => endTerm(tx, { merchantId, orderId, endsAt, now: clock.now() }));
    assert.equal(await end(gold.order_id, new Date(now.getTime() + 31 * day)), null);
    assert.ok(await end(gold.order_id, new Date(now.getTime() + 10 * day)));
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 0 to 10', 'silver 10 to 40']);
    clock.advance(10 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'silver');
    assert.ok(await end(silver.order_id, clock.now()));
    assert.equal(await stage.planOf(buyer), 'standard');
    assert.equal(await end(silver.order_id, clock.now()), null);
  });
});

describe('whoever sells', () => {
  test('must be open and on a plan without limits, and keeps such a plan', async () => {
    const { sql, clock } = stage.world;
    const shop = await addTestMerchant(stage.world);
    const name = (merchantId: number) => sql.begin(tx => nameSeller(tx, merchantId));
    assert.match((await name(shop.merchantId)) ?? '', /is on plan "standard", which has limits/);
    assert.match((await name(4)) ?? '', /there is no business 4/);
    await setPlan(sql, shop.merchantId, 'house');
    await setDisabled(sql, shop.merchantId, clock.now());
    assert.match((await name(shop.merchantId)) ?? '', /disabled or leaving/);
    await assert.rejects(
      put({ house: { history_days: 90 } }),
      /that of the seller of plans, and must have no limits/,
    );
  });

  test('reads a plan’s price, period and titles, and refuses what cannot be sold', () => {
    const read = (plan: Record<string, unknown>, name = 'gold') =>
      parsePlans(JSON.stringify({ [name]: plan }), what => new Error(what));
    const gold = { title: { en: 'Gold', hi: 'गोल्ड' }, price_paise: 999_00, period_days: 30 };
    assert.equal(read(gold).find(({ plan }) => plan === 'gold')?.title?.hi, 'गोल्ड');
    assert.throws(() => read({ price_paise: 999_00 }), /come together/);
    assert.throws(() => read({ ...gold, period_days: 13 }), /at least 14/);
    assert.throws(() => read({ ...gold, title: { en: 'Gold' } }), /for each of: en, hi/);
    assert.throws(() => read(gold, 'standard'), /cannot be sold/);
  });

  test('reads back what was stored, so that the same file changes nothing', async () => {
    const stored = await selectPlans(stage.world.sql);
    await put({});
    assert.deepEqual(await selectPlans(stage.world.sql), stored);
  });
});
