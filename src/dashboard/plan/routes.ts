import { ApiError } from '../../base/http/api-error.ts';
import type { World } from '../../base/world.ts';
import { isForSale, selectPlans, titleOf } from '../../business/merchants/plans.ts';
import { paymentUrl } from '../../orders/order.ts';
import { OfferChanged, sellPlan } from '../../orders/sales/sell-plan.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, get, post, redirect, type Visit } from '../frame/route.ts';
import { planPage } from './plan-page.ts';
import { saveParty, showReceipt } from './receipts.ts';

const home = '/dashboard/plan';

export const planRoutes = [
  get(home, 'business.read', (world, visit) => planPage(world, visit)),
  post(`${home}/buy`, 'business.change', buyPlan),
  post(`${home}/receipts`, 'business.change', async (world, visit) => {
    if (!(await saveParty(world, visit))) return await planPage(world, visit, 400);
    return redirect(home, visit.texts.labels.saved);
  }),
  get(`${home}/receipts/:order_id`, 'business.read', showReceipt),
];

/** Sells only the plan that was shown. If it has changed since, the page is shown again. */
async function buyPlan(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts, now, user } = visit;
  const plans = await selectPlans(world.sql);
  const plan = plans.filter(isForSale).find(one => one.plan === form.text('plan'));
  const isAsShown =
    plan && form.text('price') === String(plan.price_paise) && form.text('days') === String(plan.period_days);
  if (!isAsShown) return redirect(home, texts.plan.changed);
  try {
    const token = await world.sql.begin(async tx => {
      const shown = Number(form.text('carried'));
      const sold = await sellPlan(tx, world, { buyerId: merchantId, by: user.email, plan, shown, now });
      if (sold)
        await recordChange(tx, visit, {
          action: 'plan.order',
          subject: plan.plan,
          details: titleOf(plan).en,
        });
      return sold;
    });
    return token === null ? redirect(home, texts.plan.nobodySells) : redirect(paymentUrl('', token));
  } catch (error) {
    if (error instanceof OfferChanged) return redirect(home, texts.plan.changed);
    if (!(error instanceof ApiError)) throw error;
    world.log.warn({ err: error }, 'the seller of plans could not take an order');
    return redirect(home, texts.plan.cannotBuy);
  }
}
