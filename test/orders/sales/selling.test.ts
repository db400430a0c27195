import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day, minute } from '../../../src/base/clock.ts';
import { notifyOfLimits } from '../../../src/business/merchants/notify-of-limits.ts';
import { nameSeller, parsePlans, selectPlans, storePlans } from '../../../src/business/merchants/plans.ts';
import { setDisabled, setPlan } from '../../../src/business/merchants/queries.ts';
import { selectRegister, selectSales } from '../../../src/dashboard/operator/queries/sales.ts';
import { setMoved, unsetMoved } from '../../../src/operator/moving/queries.ts';
import { applySales } from '../../../src/orders/sales/apply-sales.ts';
import { keepPeriods } from '../../../src/orders/sales/keep-periods.ts';
import { selectPeriods } from '../../../src/orders/sales/queries.ts';
import { openPlanStage, testPlans } from '../../support/plan-stage.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { use, useEach } from '../../support/use.ts';
import { useRules } from '../../support/use-rules.ts';

const stage = use(openPlanStage);
const buyer = useEach(() => stage.addBuyer());
useRules(stage);

const insertFacts = (change: Record<string, unknown>) =>
  storePlans(
    stage.world.sql,
    parsePlans(JSON.stringify({ ...testPlans, ...change }), what => new Error(what)),
  );

describe('buying', () => {
  test('a plan is given when the seller’s ordinary order is paid, and not before', async () => {
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
    const [period] = await selectPeriods(world.sql, buyer.merchantId);
    assert.equal(period!.receipt.received_paise, order.payable);
    assert.deepEqual(period!.receipt.seller, { name: 'Platform', address: null, gstin: null });
    await stage.work();
    assert.equal((await selectPeriods(world.sql, buyer.merchantId)).length, 1);
  });

  test('pressing twice makes one order, and two workers at once give one period', async () => {
    const [one, other] = await Promise.all([stage.press(buyer, 'gold'), stage.press(buyer, 'gold')]);
    assert.equal(one.token, other.token);
    await stage.pay(one.payable);
    await Promise.all([applySales(stage.world), applySales(stage.world), applySales(stage.world)]);
    assert.equal((await selectPeriods(stage.world.sql, buyer.merchantId)).length, 1);
  });

  test('a business at its own limit can buy, and an order paid ten minutes late counts', async () => {
    const { world } = stage;
    await world.sql`insert into collections (merchant_id, month, collected_paise, removed_paise)
      values (${buyer.merchantId}, '2026-11-01', 100000000, 100000000)`;
    const order = await stage.press(buyer, 'silver');
    world.clock.advance(14 * minute);
    assert.equal((await stage.pay(order.payable)).outcome, 'paid');
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'silver');
  });

  test('a rounded sum waits for the seller, and gives the plan for the received sum when they accept it', async () => {
    const order = await stage.press(buyer, 'gold');
    const credit = await stage.pay(order.payable - (order.payable % 100));
    assert.equal(credit.outcome, 'no_order');
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'standard');
    await stage.world.sql`update orders set status = 'manual_review' where order_id = ${order.order_id}`;
    assert.equal((await stage.press(buyer, 'gold')).order_id, order.order_id, 'it is not sold a second time');
    await stage.world.sql`update orders set status = 'pending' where order_id = ${order.order_id}`;
    stage.world.clock.advance(2 * day);
    await stage.accept(credit.alertId, order.order_id);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'gold');
    const [period] = await selectPeriods(stage.world.sql, buyer.merchantId);
    assert.equal(period!.receipt.received_paise, order.amount);
  });

  test('a plan that changes its price or ends during the payment is sold as it was shown', async () => {
    const order = await stage.press(buyer, 'platinum');
    await insertFacts({ platinum: { ...testPlans.platinum, price_paise: 700_00, period_days: 60 } });
    const { platinum: _, ...without } = testPlans;
    const plans = parsePlans(JSON.stringify(without), what => new Error(what));
    await assert.rejects(storePlans(stage.world.sql, plans), /have bought it or are about to/);
    await stage.pay(order.payable);
    const now = stage.world.clock.now();
    await stage.work();
    assert.deepEqual(await stage.daysOf(buyer, now), ['platinum 0 to 20']);
    await insertFacts({});
  });

  test('a suspended buyer gets the paid plan; a deleted one leaves a receipt and a line for the operator', async () => {
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
    const sales = await selectSales(sql, { after: null, limit: 100 });
    const sale = sales.find(({ order_id }) => order_id === lost.order_id);
    assert.equal(sale?.state, 'no_buyer');
    assert.ok(sale?.receipt_number);
  });

  test('a buyer that is being moved gets the plan when it is back, and nothing of it changes until then', async () => {
    const { sql, clock } = stage.world;
    await stage.buy(buyer, 'silver');
    const order = await stage.press(buyer, 'gold');
    await sql.begin(tx => setMoved(tx, buyer.merchantId, 'inside', clock.now()));
    await sql`insert into collections (merchant_id, month, collected_paise, removed_paise)
      values (${buyer.merchantId}, '2026-11-01', 100000000, 100000000)`;
    const traces = async () => {
      const [row] = await sql`
        select (select count(*) from notices where merchant_id = ${buyer.merchantId})::int as notices,
          (select count(*) from audit_log where merchant_id = ${buyer.merchantId})::int as deeds`;
      return { ...row, plan: await stage.planOf(buyer) };
    };
    const before = await traces();
    await stage.pay(order.payable);
    await stage.work();
    clock.advance(25 * day);
    await stage.work();
    await notifyOfLimits(stage.world);
    assert.deepEqual(await traces(), before);
    assert.equal(await applySales(stage.world), 0);
    await sql.begin(tx => unsetMoved(tx, buyer.merchantId));
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'gold');
  });

  test('buyers whose sale fails delay nobody, nor do businesses whose periods cannot be kept', async () => {
    const { world } = stage;
    const { sql, clock } = world;
    const failing = [buyer, await stage.addBuyer()];
    const last = await stage.addBuyer();
    const refuse = (event: 'insert' | 'update') =>
      sql.unsafe(`
        create or replace function refused() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
        create trigger refused before ${event} on terms for each row
        when (new.merchant_id in (${failing.map(({ merchantId }) => merchantId).join()})) execute function refused()`);
    for (const one of [...failing, last]) {
      await stage.pay((await stage.press(one, 'gold')).payable);
      clock.advance(1000);
    }
    await refuse('insert');
    assert.equal(await applySales(world, 2), 1);
    assert.equal(await stage.planOf(last), 'gold');
    await sql`drop trigger refused on terms`;
    await applySales(world);
    clock.advance(38 * day);
    await refuse('update');
    await keepPeriods(world, 2);
    assert.deepEqual([await stage.planOf(buyer), await stage.planOf(last)], ['gold', 'standard']);
    await sql`drop trigger refused on terms`;
    await keepPeriods(world);
    assert.equal(await stage.planOf(buyer), 'standard');
  });

  test('the register has a line for every receipt, and no name in it becomes a formula', async () => {
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

describe('the selling business', () => {
  test('the seller must be open and on a plan without limits, and keeps such a plan', async () => {
    const { sql, clock } = stage.world;
    const shop = await addTestMerchant(stage.world);
    const name = (merchantId: number) => sql.begin(tx => nameSeller(tx, merchantId));
    assert.match((await name(shop.merchantId)) ?? '', /is on plan "standard", which has limits/);
    assert.match((await name(4)) ?? '', /there is no business 4/);
    await setPlan(sql, shop.merchantId, 'house');
    await setDisabled(sql, shop.merchantId, clock.now());
    assert.match((await name(shop.merchantId)) ?? '', /disabled or leaving/);
    await stage.buy(buyer, 'gold');
    assert.match((await name(buyer.merchantId)) ?? '', /has bought a plan that is not over yet/);
    await assert.rejects(
      insertFacts({ house: { history_days: 90 } }),
      /that of the seller of plans, and must have no limits/,
    );
  });

  test('a pending plan purchase from before does not limit the seller, nor does its end', async () => {
    const { sql, clock } = stage.world;
    const order = await stage.press(buyer, 'silver');
    await setPlan(sql, buyer.merchantId, 'house');
    const name = (merchantId: number) => sql.begin(tx => nameSeller(tx, merchantId));
    assert.equal(await name(buyer.merchantId), null);
    await stage.pay(order.payable);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'house');
    await setPlan(sql, buyer.merchantId, 'gold');
    await sql`update terms set plan = 'gold' where merchant_id = ${buyer.merchantId}`;
    clock.advance(38 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'gold');
    assert.equal(await name(stage.seller.merchantId), null);
  });

  test('the seller’s plans are read with price, period and titles, and unsellable ones are refused', () => {
    const read = (plan: Record<string, unknown>, name = 'gold') =>
      parsePlans(JSON.stringify({ [name]: plan }), what => new Error(what));
    const gold = { title: { en: 'Gold', hi: 'गोल्ड' }, price_paise: 999_00, period_days: 30 };
    assert.equal(read(gold).find(({ plan }) => plan === 'gold')?.title?.hi, 'गोल्ड');
    assert.throws(() => read({ price_paise: 999_00 }), /come together/);
    assert.throws(() => read({ ...gold, period_days: 13 }), /at least 14/);
    assert.throws(() => read({ ...gold, title: { en: 'Gold' } }), /for each of: en, hi/);
    assert.throws(() => read(gold, 'standard'), /cannot be sold/);
  });

  test('the stored plans read back the same, so the same file changes nothing', async () => {
    const stored = await selectPlans(stage.world.sql);
    await insertFacts({});
    assert.deepEqual(await selectPlans(stage.world.sql), stored);
  });
});
