import assert from 'node:assert/strict';
import { day } from '../../src/base/clock.ts';
import { paise } from '../../src/base/money.ts';
import {
  isForSale,
  nameSeller,
  parsePlans,
  selectPlans,
  storePlans,
} from '../../src/business/merchants/plans.ts';
import { merchantOfToken } from '../../src/orders/order.ts';
import { applySales } from '../../src/orders/sales/apply-sales.ts';
import { keepPeriods } from '../../src/orders/sales/keep-periods.ts';
import { selectPeriods } from '../../src/orders/sales/queries.ts';
import { sellPlan } from '../../src/orders/sales/sell-plan.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { updateHoldNearMisses } from '../../src/payments/matching/queries/payments.ts';
import { acceptCredit } from '../../src/payments/review/decide-by-hand.ts';
import { storedCredit } from './credit.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

/** Silver at ₹10 a day, gold at ₹20, platinum at ₹45; standard takes ₹100 a month and keeps orders for 30 days. */
export const testPlans = {
  standard: { monthly_limit_paise: 100_00, history_days: 30 },
  silver: {
    title: { en: 'Silver', hi: 'सिल्वर' },
    monthly_limit_paise: 1_000_00,
    price_paise: 300_00,
    period_days: 30,
  },
  gold: { title: { en: 'Gold', hi: 'गोल्ड' }, price_paise: 600_00, period_days: 30 },
  platinum: { title: { en: 'Platinum', hi: 'प्लैटिनम' }, price_paise: 900_00, period_days: 20 },
  house: {},
};

export type PlanStage = Awaited<ReturnType<typeof openPlanStage>>;
export type Pressed = { token: string; order_id: string; payable: number; amount: number };

/** An installation that sells plans: one seller, who holds near misses, and buyers on the limited default plan. */
export async function openPlanStage(world?: TestWorld) {
  const stage = world ?? (await openTestWorld());
  const { sql, clock } = stage;
  await storePlans(
    sql,
    parsePlans(JSON.stringify(testPlans), what => new Error(what)),
  );
  const seller = await addTestMerchant(stage, { name: 'Platform', plan: 'house' });
  await updateHoldNearMisses(sql, seller.merchantId, true);
  assert.equal(await sql.begin(tx => nameSeller(tx, seller.merchantId)), null);
  const pressAs = async (buyer: TestMerchant, name: string): Promise<Pressed> => {
    const plan = (await selectPlans(sql)).filter(isForSale).find(one => one.plan === name);
    assert.ok(plan);
    const buying = { buyerId: buyer.merchantId, by: 'owner@shop.example', plan, now: clock.now() };
    const token = await sql.begin(tx => sellPlan(tx, stage, buying));
    assert.ok(token !== null && merchantOfToken(token) === seller.merchantId);
    const [order] = await sql<Omit<Pressed, 'token'>[]>`
      select order_id, payable_paise as payable, amount_paise as amount from orders where pay_token = ${token}`;
    return { ...order!, token };
  };
  const pay = async (amount: number) => {
    const credit = await storedCredit(stage, seller.merchantId, { amount: paise(amount) });
    return { ...credit, ...(await confirmPayment(stage, credit)) };
  };
  return {
    world: stage,
    seller,
    addBuyer: () => addTestMerchant(stage, { name: 'Chai Point' }),
    press: pressAs,
    pay,
    /** The seller says that another sum is right for the order that waits with it. */
    async accept(alertId: string, orderId: string) {
      const who = {
        merchantId: seller.merchantId,
        actor: 'seller@milaan.example',
        address: '',
        now: clock.now(),
      };
      const refusal = await stage.sql.begin(tx =>
        acceptCredit(tx, stage, who, { alertId, orderId, note: 'right' }),
      );
      assert.equal(refusal, null);
    },
    work: async () => {
      await applySales(stage);
      await keepPeriods(stage);
    },
    async buy(buyer: TestMerchant, plan: string) {
      const order = await pressAs(buyer, plan);
      await pay(order.payable);
      await applySales(stage);
      return order;
    },
    async planOf({ merchantId }: TestMerchant): Promise<string> {
      return (await sql`select plan from merchants where merchant_id = ${merchantId}`)[0]!['plan'];
    },
    /** Plan, first and last day counted from a moment. */
    async daysOf({ merchantId }: TestMerchant, from: Date) {
      const at = (moment: Date) => (moment.getTime() - from.getTime()) / day;
      const periods = await selectPeriods(sql, merchantId);
      return periods.map(({ plan, starts_at, ends_at }) => `${plan} ${at(starts_at)} to ${at(ends_at)}`);
    },
    async notified({ merchantId }: TestMerchant): Promise<string[]> {
      const rows = await sql<{ kind: string }[]>`
        select kind from notices where merchant_id = ${merchantId} and kind like 'plan%' order by notice_id`;
      return rows.map(({ kind }) => kind);
    },
    stop: () => stage.stop(),
  };
}
