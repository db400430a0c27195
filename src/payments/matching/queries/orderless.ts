import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { indianMonth } from '../../../business/merchants/indian-month.ts';
import { isDisabled } from '../../../business/merchants/queries.ts';
import type { Credit } from '../credit.ts';
import { countedReference } from '../sql-fragments.ts';
import { genuineCredits } from './credits.ts';
import type { Recorded } from './payments.ts';
import { isOnTrial } from './trials.ts';

/** `counts`: its owner counts payments without an order, the plan allows one more, and the sum is below the limit. */
export type OrderlessAccount = Recorded & { account_id: string; counts: boolean };

/** The accounts of an open business below its plan's limit, oldest first. New orders are refused by the same rules. */
export async function selectOrderlessAccounts(
  tx: Transaction,
  { merchantId, amount }: Credit,
  now: Date,
): Promise<OrderlessAccount[]> {
  return await tx<OrderlessAccount[]>`
    select u.account_id, u.vpa, u.bank, u.account_digits, u.counts_takings and u.same_as is null and not ${isDisabled(tx)}
      and coalesce(${amount} <= u.review_above_paise, true)
      and coalesce(row_number() over (order by u.created_at, u.account_id) <= p.account_limit, true)
      and coalesce(p.monthly_limit_paise > coalesce((select c.collected_paise from collections c
        where c.merchant_id = m.merchant_id and c.month = ${indianMonth(tx, now)}), 0), true) as counts
    from upi_accounts u join merchants m on m.merchant_id = u.merchant_id join plans p on p.plan = m.plan
    where u.merchant_id = ${merchantId} and u.removed_at is null
    order by u.created_at, u.account_id`;
}

/** If a bank reports one payment twice, to two addresses or in two wordings, both mails come within this time. */
const repeatedWithin = '3 minutes';

/**
 * Whether a person has to look before it counts as money. Its wording may not be trusted so far, or the bank may have
 * reported one payment twice. Two references are two payments, and so are two printed minutes. The account's bank and
 * the UPI app's bank may also report one credit, with references that are equal or one digit apart.
 */
export async function isDoubtful(tx: Transaction, credit: Credit): Promise<boolean> {
  const {
    merchantId,
    alertId,
    bank,
    template,
    trust,
    amount,
    alertTime,
    accountDigits,
    reference,
    printedAt = null,
  } = credit;
  const [row] = await tx<{ is_doubtful: boolean }[]>`
    select ${isOnTrial(tx)} or exists (select from alerts o
      where o.merchant_id = ${merchantId} and o.amount_paise = ${amount} and o.alert_id <> ${alertId} and o.bank = ${bank}
        and (o.bank_reference is null or ${reference}::text is null)
        and coalesce(o.printed_at = ${printedAt}, o.alert_time between ${alertTime}::timestamptz - ${repeatedWithin}::interval
          and ${alertTime}::timestamptz + ${repeatedWithin}::interval)
        and coalesce(o.account_digits = ${accountDigits}, true)
        and (o.verdict = 'paid' or o.verdict in ${genuineCredits}))
      or exists (select from alerts o
      where o.merchant_id = ${merchantId} and o.amount_paise = ${amount} and o.bank <> ${bank}
        and o.alert_time between ${alertTime}::timestamptz - ${repeatedWithin}::interval
          and ${alertTime}::timestamptz + ${repeatedWithin}::interval
        and o.arrived_at between ${alertTime}::timestamptz - ${repeatedWithin}::interval and ${alertTime}::timestamptz + interval '1 day'
        and (o.bank_reference is null or ${reference}::text is null or one_digit_apart(o.bank_reference, ${reference}))
        and (o.verdict = 'paid' or o.verdict in ${genuineCredits}))
      or exists (select from possible_references p
        where p.merchant_id = ${merchantId} and p.bank_reference = ${countedReference(tx, tx`${reference}::text`)}) as is_doubtful
    from (select ${merchantId}::bigint as merchant_id, ${bank}::text as bank, ${template}::text as template,
      ${trust}::text as trust) e`;
  return row!.is_doubtful;
}

/** Counts it in this month, once, whatever becomes of it later. Nobody has to act. */
export async function countOrderless(
  tx: Transaction,
  { merchantId, alertId, amount }: Credit,
  accountId: string,
  now: Date,
): Promise<void> {
  await tx`
    with taken as (
      insert into takings (merchant_id, alert_id, account_id, amount_paise, counted_at)
      values (${merchantId}, ${alertId}, ${accountId}, ${amount}, ${now}) on conflict do nothing
      returning merchant_id, amount_paise
    ), added as (
      insert into collections as c (merchant_id, month, collected_paise)
      select merchant_id, ${indianMonth(tx, now)}, amount_paise from taken
      on conflict (merchant_id, month) do update set collected_paise = c.collected_paise + excluded.collected_paise
    )
    select from taken`;
  await tx`update alerts set is_ended = true where merchant_id = ${merchantId} and alert_id = ${alertId}`;
}

/**
 * Payments without an order, as `takings t` with alerts `e`, in the history window. Left out are those moved to an
 * order, given back, or taken for an order of another business with the same account and mail.
 */
export function orderlessPayments(sql: Queryable, now: Date) {
  return sql`takings t join merchants m on m.merchant_id = t.merchant_id join plans p on p.plan = m.plan
    -- The offset makes it find each by its key. By their verdict, all the business's mails would be read.
    join lateral (select e.* from alerts e where e.merchant_id = t.merchant_id and e.alert_id = t.alert_id offset 0) e
      on e.verdict in ${genuineCredits}
    left join handled_credits h on h.merchant_id = t.merchant_id and h.alert_id = t.alert_id
    -- One row by its key, however many other signatures there are.
    where (select s.merchant_id = t.merchant_id and s.alert_id = t.alert_id from counted_signatures s
        where s.signature_id = e.signature_id)
      and coalesce(h.state, 'open') <> 'given_back'
      and (p.history_days is null or t.counted_at > ${now}::timestamptz - p.history_days * interval '1 day')`;
}

/** All received money as if it were paid orders `o`: what paid an order, and payments without one. */
export function receivedMoney(sql: Queryable, now: Date) {
  return sql`(
    select o.merchant_id, o.created_at, o.paid_at, o.received_paise, o.account_id, o.order_id from orders o
    union all
    select t.merchant_id, t.counted_at, t.counted_at, t.amount_paise, t.account_id, null from ${orderlessPayments(sql, now)})`;
}
