import type { Transaction } from '../../base/database/connect.ts';
import { paise } from '../../base/money.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { type PlanForSale, titleOf, unapprovedPlan } from '../../business/merchants/plans.ts';
import { lockMerchant } from '../../business/merchants/queries.ts';
import { createOrder } from '../create-order.ts';
import { insertPurpose, selectCounterSettings } from '../links/queries.ts';
import { noAddress } from '../order.ts';
import { computePeriod } from './compute-period.ts';
import {
  countChanges,
  insertSale,
  selectOpenSale,
  selectParty,
  selectPeriods,
  selectPlanOf,
  selectSeller,
} from './queries.ts';

/** `shown`: the unused days that the buyer was promised. */
export type Buying = { buyerId: number; by: string; plan: PlanForSale; shown?: number; now: Date };

/** Fewer days would be carried over than were shown. */
export class OfferChanged extends Error {}

/**
 * Creates an ordinary order of the seller and, in the same transaction, the row that makes it a purchase. Pressing the
 * same offer again leads to the open order. Null if nobody sells, the buyer is the seller, or an operator has not
 * approved the buyer yet. So no plan is a way around that approval.
 */
export async function sellPlan(
  tx: Transaction,
  world: Pick<World, 'clock' | 'config' | 'log' | 'baseUrl'>,
  { buyerId, by, plan, shown = 0, now }: Buying,
): Promise<string | null> {
  const seller = await selectSeller(tx);
  if (!seller || seller.merchant_id === buyerId) return null;
  await lockMerchant(tx, buyerId);
  const buyer = await selectParty(tx, buyerId);
  if (!buyer || (await selectPlanOf(tx, buyerId)) === unapprovedPlan) return null;
  const days = plan.period_days;
  const offer = { price_paise: plan.price_paise, days };
  const sale = {
    merchant_id: seller.merchant_id,
    buyer_id: buyerId,
    buyer,
    plan: plan.plan,
    title: titleOf(plan),
    ...offer,
    carried_days: computePeriod(await selectPeriods(tx, buyerId), offer, now).carried,
    after_changes: await countChanges(tx, buyerId),
    made_by: by,
  };
  if (sale.carried_days < shown) throw new OfferChanged();
  const open = await selectOpenSale(tx, sale, now);
  if (open) return open;
  const back = `${world.baseUrl}/dashboard/plan`;
  const { webhook_url } = await selectCounterSettings(tx, seller.merchant_id);
  const { order } = await createOrder(
    tx,
    world,
    { merchantId: seller.merchant_id, signedIn: true },
    {
      amount: paise(plan.price_paise),
      merchantOrderId: `plan-${randomBase62(16)}`,
      successUrl: back,
      failureUrl: back,
      webhookUrl: webhook_url ?? noAddress,
      customer: { name: buyer.name },
      account: null,
    },
  );
  // The purpose is for buyer and seller to read. The sale's row alone says what was sold.
  await insertPurpose(tx, {
    merchant_id: seller.merchant_id,
    order_id: order.order_id,
    purpose: `${sale.title.en}, ${days} days`,
    created_at: order.created_at,
  });
  await insertSale(tx, { ...sale, order_id: order.order_id, created_at: order.created_at });
  return order.pay_token;
}
