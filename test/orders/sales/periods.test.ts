import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day, hour, later, minute } from '../../../src/base/clock.ts';
import { setPlan } from '../../../src/business/merchants/queries.ts';
import { endPeriod, keepPeriods } from '../../../src/orders/sales/keep-periods.ts';
import { countChanges } from '../../../src/orders/sales/queries.ts';
import { openPlanStage } from '../../support/plan-stage.ts';
import { use, useEach } from '../../support/use.ts';
import { useRules } from '../../support/use-rules.ts';

const stage = use(openPlanStage);
const buyer = useEach(() => stage.addBuyer());
useRules(stage);

describe('days', () => {
  test('a dearer plan begins at once, with the unused days in the ratio of daily prices, rounded up', async () => {
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

  test('the shown days are given also if fewer are left when it is paid', async () => {
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

  test('two purchases that both showed the same unused days add them once', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'silver');
    const [gold, platinum] = [await stage.press(buyer, 'gold'), await stage.press(buyer, 'platinum')];
    await stage.pay(gold.payable);
    clock.advance(1000);
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

  test('days of a period that an operator ended, and a purchase then used, are not promised a second time', async () => {
    const { clock, sql } = stage.world;
    const { merchantId } = buyer;
    const { order_id } = await stage.buy(buyer, 'gold');
    await stage.buy(buyer, 'silver');
    const now = clock.now();
    await sql.begin(tx => endPeriod(tx, { merchantId, orderId: order_id, endsAt: later(now, 5 * day), now }));
    const order = await stage.press(buyer, 'platinum');
    const before = await countChanges(sql, merchantId);
    await stage.pay(order.payable);
    await stage.work();
    // 30 silver days at ₹10 are 7 at ₹45.
    assert.deepEqual(await stage.daysOf(buyer, now), ['platinum 0 to 27']);
    assert.ok((await countChanges(sql, merchantId)) > before);
  });

  test('a cheaper plan follows at the end, and an early renewal of the dearer one goes before it', async () => {
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
    assert.deepEqual(await stage.notified(buyer), [], 'no notice of an end that another period follows');
  });
});

describe('the end of a term', () => {
  test('the end of a plan period is notified a week before, a day before and on the day; after a week of grace the default plan returns', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'gold');
    const steps: [by: number, notified: string[], plan: string][] = [
      [23 * day - 1, [], 'gold'],
      [1, ['plan_ending'], 'gold'],
      [6 * day, ['plan_ending', 'plan_ending'], 'gold'],
      [1 * day, ['plan_ending', 'plan_ending', 'plan_ended'], 'gold'],
      [7 * day - 1, ['plan_ending', 'plan_ending', 'plan_ended'], 'gold'],
      [1, ['plan_ending', 'plan_ending', 'plan_ended', 'plan_over'], 'standard'],
    ];
    for (const [by, notified, plan] of steps) {
      clock.advance(by);
      await Promise.all([keepPeriods(stage.world), keepPeriods(stage.world)]);
      assert.deepEqual(await stage.notified(buyer), notified);
      assert.equal(await stage.planOf(buyer), plan);
    }
    const now = clock.now();
    await stage.buy(buyer, 'gold');
    assert.deepEqual(await stage.daysOf(buyer, now), ['gold 0 to 30']);
  });

  test('a period renewed in its grace continues from its end; a dearer plan begins on the day', async () => {
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

  test('days of grace come once in 90 days: letting each period end and buying again gives no more', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'gold');
    clock.advance(37 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'standard');
    const again = clock.now();
    await stage.buy(buyer, 'gold');
    clock.advance(30 * day - 1);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'gold');
    clock.advance(1);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'standard');
    assert.deepEqual((await stage.notified(buyer)).slice(-2), ['plan_ending', 'plan_over']);
    clock.advance(1 * day);
    await stage.buy(buyer, 'silver');
    await stage.buy(buyer, 'silver');
    await stage.buy(buyer, 'silver');
    assert.deepEqual((await stage.daysOf(buyer, again)).at(-1), 'silver 91 to 121');
    clock.advance(96 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'silver', 'the last one ran out 91 days before this end');
    // A dearer one in the days of grace begins on the day: those that were lent are not paid for.
    await stage.buy(buyer, 'gold');
    clock.advance(30 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'standard');
  });

  test('an ended period is processed at the next check, however late, and reported once', async () => {
    const { clock } = stage.world;
    await stage.buy(buyer, 'gold');
    await stage.buy(buyer, 'silver');
    clock.advance(200 * day);
    await stage.work();
    assert.equal(await stage.planOf(buyer), 'standard');
    assert.deepEqual(await stage.notified(buyer), ['plan_over']);
  });

  test('the end of a period does not replace a plan that an operator set by hand', async () => {
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

  test('after a refund a period ends on the operator’s date without grace, and the next one begins earlier', async () => {
    const { clock, sql } = stage.world;
    const now = clock.now();
    const { merchantId } = buyer;
    const gold = await stage.buy(buyer, 'gold');
    const silver = await stage.buy(buyer, 'silver');
    const end = (orderId: string, endsAt: Date) =>
      sql.begin(tx => endPeriod(tx, { merchantId, orderId, endsAt, now: clock.now() }));
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
