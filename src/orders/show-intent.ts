import { addTo } from '../base/database/add-to.ts';
import type { Queryable } from '../base/database/connect.ts';

/**
 * The customer of this order, by its id or the token of its page, shows that they mean to pay it: a tap on an app, "I
 * have paid", a typed reference. Kept once. It proves nothing and pays nothing; but their money may come late, so
 * their amount is given away again as late as possible (`create_order`).
 */
export async function showIntent(
  sql: Queryable,
  {
    merchantId,
    now,
    ...order
  }: { merchantId: number; now: Date } & ({ orderId: string } | { token: string }),
): Promise<void> {
  const which = 'orderId' in order ? sql`order_id = ${order.orderId}` : sql`pay_token = ${order.token}`;
  await sql`
    with shown as (
      update orders set intent_at = ${now}
      where merchant_id = ${merchantId} and ${which} and intent_at is null and status <> 'paid'
      returning merchant_id, order_id, payable_paise, created_at)
    update amounts a set clear_at = greatest(a.doubted_until, ${addTo(sql, sql`shown.created_at`, '48 hours')}) from shown
    where a.merchant_id = shown.merchant_id and a.payable_paise = shown.payable_paise and a.order_id = shown.order_id`;
}
