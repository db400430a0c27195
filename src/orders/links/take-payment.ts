import type { Transaction } from '../../base/database/connect.ts';
import { ApiError } from '../../base/http/api-error.ts';
import { mostUsualOffset, type Paise } from '../../base/money.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { createOrder } from '../create-order.ts';
import type { Order } from '../order.ts';
import { noAddress } from '../return-url.ts';
import { insertPurpose, selectTillTerms } from './queries.ts';
import type { Visitor } from './visitor.ts';

/** What the ids of such orders begin with; an order of a shop's server may be called so too. */
const tillPrefix = 'till-';

export type TillPayment = {
  merchantId: number;
  amount: Paise;
  purpose: string;
  customerName: string;
  /** A member of the team, or the link by which a customer asked. */
  by: { person: string } | { linkId: string; visitor: Visitor };
};

/**
 * An order without a shop's server: nothing to return to, and told to the business's own webhook address if it has
 * one. Its event is recorded all the same (R8).
 */
export async function takePayment(
  tx: Transaction,
  world: Pick<World, 'clock' | 'config' | 'log' | 'baseUrl'>,
  { merchantId, amount, purpose, customerName, by }: TillPayment,
): Promise<Order> {
  const { webhook_url, cap_added } = await selectTillTerms(tx, merchantId);
  const { order } = await createOrder(
    tx,
    world,
    { merchantId, signedIn: true },
    {
      amount,
      merchantOrderId: `${tillPrefix}${randomBase62(16)}`,
      successUrl: noAddress,
      failureUrl: noAddress,
      webhookUrl: webhook_url ?? noAddress,
      customer: customerName === '' ? null : { name: customerName },
      account: null,
    },
  );
  // More is added only where every amount within 99 paise is held (R6). With the transaction its amount is free again.
  if (cap_added && order.payable_paise - order.amount_paise > mostUsualOffset)
    throw new ApiError('all_payment_slots_busy');
  await insertPurpose(tx, {
    merchant_id: merchantId,
    order_id: order.order_id,
    purpose,
    made_by: 'person' in by ? by.person : null,
    link_id: 'linkId' in by ? by.linkId : null,
    visitor: 'linkId' in by ? by.visitor.browser : null,
    network: 'linkId' in by ? by.visitor.network : null,
    wide_network: 'linkId' in by ? by.visitor.wideNetwork : null,
    created_at: order.created_at,
  });
  return order;
}
