import assert from 'node:assert/strict';
import fc from 'fast-check';
import { day } from '../../../../src/base/clock.ts';
import { setPlan } from '../../../../src/business/merchants/queries.ts';
import { findBreaches } from '../../../../src/operator/verify.ts';
import { applySales } from '../../../../src/orders/sales/apply-sales.ts';
import { endPeriod, keepPeriods } from '../../../../src/orders/sales/keep-periods.ts';
import { selectPeriods } from '../../../../src/orders/sales/queries.ts';
import { openPlanStage, type PlanStage } from '../../plan-stage.ts';
import type { TestMerchant } from '../../test-world.ts';
import { dyingConnection } from '../dying-connection.ts';
import { PlanModel, planNames } from './model.ts';

type Real = { stage: PlanStage; buyer: TestMerchant };
type Step = fc.AsyncCommand<PlanModel, Real>;

function step<P>(name: string, params: P, run: (model: PlanModel, real: Real) => Promise<void>): Step {
  return { check: () => true, run, toString: () => `${name}(${JSON.stringify(params)})` };
}

/** Time goes on by a second with each step, so that what came first is known. */
function pass(model: PlanModel, { stage }: Real, by: number): void {
  stage.world.clock.advance(by);
  model.now += by;
}

const press = fc.constantFrom(...planNames).map(plan =>
  step('press', plan, async (model, real) => {
    pass(model, real, 1000);
    const carried = model.carried(plan);
    const { order_id: order, payable, amount } = await real.stage.press(real.buyer, plan);
    if (model.sales.some(sale => sale.order === order)) return;
    model.sales.push({
      order,
      plan,
      payable,
      amount,
      carried,
      after: model.changes,
      state: 'open',
      alert: null,
    });
  }),
);

/** The right sum in time; the sum without its paise, which waits; or the seller accepts what waits. */
const pay = fc.record({ which: fc.nat({ max: 3 }), exact: fc.boolean() }).map(params =>
  step('pay', params, async (model, real) => {
    const sale = model.sales
      .filter(one => one.state === 'open' || one.state === 'waits')
      .at(-1 - params.which);
    if (!sale) return;
    pass(model, real, 1000);
    if (sale.state === 'waits') {
      await real.stage.accept(sale.alert!, sale.order);
      sale.state = 'paid';
    } else {
      const credit = await real.stage.pay(params.exact ? sale.payable : sale.amount);
      // Without its paise the sum may be another open order's of the same price: whichever waits with it, waits.
      const [held] = await real.stage.world.sql`
        select order_id from handled_credits where alert_id = ${credit.alertId} and state = 'attached'`;
      const waits = model.sales.find(one => one.order === held?.['order_id']);
      if (waits) Object.assign(waits, { state: 'waits', alert: credit.alertId });
      else if (credit.outcome === 'paid') sale.state = 'paid';
    }
    if (sale.state === 'paid') model.queue.push(sale);
  }),
);

/** A round of the worker: alone, three at once, or after one that died on its way. */
const work = fc.oneof(fc.constantFrom('alone', 'together'), fc.nat({ max: 25 })).map(how =>
  step('work', how, async (model, real) => {
    const { world } = real.stage;
    if (typeof how === 'number')
      await applySales({ ...world, sql: dyingConnection(world.sql, how) }).catch(() => {});
    const rounds = how === 'together' ? 3 : 1;
    await Promise.all(Array.from({ length: rounds }, () => applySales(world)));
    await Promise.all(Array.from({ length: rounds }, () => keepPeriods(world)));
    model.work();
    await compare(model, real);
  }),
);

const advance = fc.constantFrom(1, 6, 10, 23, 30, 37, 90).map(days =>
  step('advance', days, async (model, real) => {
    pass(model, real, days * day - 1000);
    // Catch up with businesses that were not looked at for a while.
    await keepPeriods(real.stage.world);
    const queue = model.queue.splice(0);
    model.work();
    model.queue = queue;
    await compare(model, real);
  }),
);

const byHand = fc.constantFrom('standard', 'house', 'gold').map(plan =>
  step('byHand', plan, async (model, real) => {
    await setPlan(real.stage.world.sql, real.buyer.merchantId, plan);
    model.plan = plan;
  }),
);

const end = fc.record({ which: fc.nat({ max: 2 }), days: fc.integer({ min: -3, max: 40 }) }).map(params =>
  step('end', params, async (model, real) => {
    const { merchantId } = real.buyer;
    const { sql, clock } = real.stage.world;
    await keepPeriods(real.stage.world);
    const queue = model.queue.splice(0);
    model.work();
    model.queue = queue;
    const orderId = model.periods[params.which]?.order ?? 'none';
    const endsAt = new Date(model.now + params.days * day);
    const ended = await sql.begin(tx => endPeriod(tx, { merchantId, orderId, endsAt, now: clock.now() }));
    assert.equal(ended !== null, model.end(params.which, endsAt.getTime()));
    await compare(model, real);
  }),
);

async function compare(model: PlanModel, { stage, buyer }: Real): Promise<void> {
  const periods = await selectPeriods(stage.world.sql, buyer.merchantId);
  assert.deepEqual(
    periods.map(({ order_id, starts_at, ends_at }) => [
      order_id,
      starts_at.toISOString(),
      ends_at.toISOString(),
    ]),
    model.periods.map(({ order, start, end }) => [
      order,
      new Date(start).toISOString(),
      new Date(end).toISOString(),
    ]),
  );
  assert.equal(await stage.planOf(buyer), model.plan);
  const all = await selectPeriods(stage.world.sql, buyer.merchantId, { all: true });
  assert.equal(all.length, model.given, 'one term for each purchase that was given');
}

/** Random histories of one buyer against the service and the model. Throws with what to replay where they disagree. */
export async function runPlans({ runs, seed }: { runs: number; seed: number }): Promise<void> {
  const stage = await openPlanStage();
  const steps = [press, press, press, pay, pay, pay, work, work, advance, advance, byHand, end];
  try {
    const histories = fc.commands(steps, { maxCommands: 40, size: 'max' });
    const property = fc.asyncProperty(histories, async history => {
      // Orders of the history before hold no amount any more.
      stage.world.clock.advance(1 * day);
      const real = { stage, buyer: await stage.addBuyer() };
      const model = new PlanModel(stage.world.clock.now().getTime());
      await fc.asyncModelRun(() => ({ model, real }), history);
    });
    await fc.assert(property, { numRuns: runs, seed });
    assert.deepEqual(await findBreaches(stage.world), []);
  } finally {
    await stage.stop();
  }
}
