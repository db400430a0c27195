import type { Queryable, Transaction } from '../../../base/database/connect.ts';

/** The merchant_order_id of an order from the first-steps page has this before a random part. */
export const proofPrefix = 'milaan-first-payment-';

/** A wording pays by itself after somebody of the business found this many of its payments in the account. */
export const paymentsOfATrial = 3;

/** Whether alert `e` is from a bank that only reports, or has a wording whose trial the business has not passed. */
export function isOnTrial(sql: Queryable) {
  return sql`(e.trust = 'review_only' or (e.trust = 'trial' and not exists (select from template_payments t
    where t.merchant_id = e.merchant_id and t.bank = e.bank and t.template = e.template
      and t.payments >= ${paymentsOfATrial}))) is true`;
}

/** A person accepted a payment that waited for a check: one more for its wording. The first-steps proof is `most`. */
export async function countPaymentBy(
  tx: Transaction,
  {
    merchantId,
    alertId,
    orderId,
    most,
  }: { merchantId: number; alertId: string; orderId: string; most: number },
): Promise<void> {
  await tx`
    insert into template_payments (merchant_id, bank, template, payments)
    select e.merchant_id, e.bank, e.template, case when starts_with(o.merchant_order_id, ${proofPrefix}) then ${most}::int else 1 end
    from handled_credits h join alerts e on e.merchant_id = h.merchant_id and e.alert_id = h.alert_id
      join orders o on o.merchant_id = h.merchant_id and o.order_id = h.order_id
    where h.merchant_id = ${merchantId} and h.alert_id = ${alertId} and h.order_id = ${orderId} and h.found_by = 'exact'
      and e.bank is not null and e.template is not null
    on conflict (merchant_id, bank, template) do update
      set payments = template_payments.payments + excluded.payments`;
}
