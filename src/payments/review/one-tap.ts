import { hour, later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { mostOffset, type Paise } from '../../base/money.ts';
import { isOnTrial } from '../matching/queries/trials.ts';
import { countedReference, namesEarlierDay } from '../matching/sql-fragments.ts';

/** Customers of these orders may still pay, or have paid late. */
const lookBack = 48 * hour;

/**
 * Whether a person who may decide accepts this credit for an order of the counter with one tap and no password (R16).
 * It was a near miss when its mail was checked, differs by less than three rupees, and the order is below the owner's
 * limit. No other order that waits or was created in 48 hours is as near. Nothing else is in question: the wording's
 * trial, the ceiling, another cell's account, a typed or an earlier day's reference, or a second mail about the payment.
 */
export async function fitsOneTap(
  sql: Queryable,
  merchantId: number,
  { alertId, orderId }: { alertId: string; orderId: string },
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    select from alerts e
      join merchants m on m.merchant_id = e.merchant_id
      join orders o on o.merchant_id = e.merchant_id and o.order_id = ${orderId}
      join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id and u.made_by is not null
      join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id and a.same_as is null
    where e.merchant_id = ${merchantId} and e.alert_id = ${alertId}
      and e.verdict = 'no_order' and e.reason_code = 'near_amounts' and e.near_misses @> ${sql.json([{ order_id: orderId }])}
      and o.status in ('pending', 'manual_review') and o.payable_paise < m.one_tap_below_paise
      and abs(e.amount_paise - o.payable_paise) between 1 and ${mostOffset}
      and coalesce(e.amount_paise <= a.review_above_paise, true)
      and e.trust in ('confirmed', 'trial') and not ${isOnTrial(sql)}
      and not ${namesEarlierDay(sql, sql`e.bank_reference`, sql`o.created_at`)}
      and not exists (select from orders x
        where x.merchant_id = e.merchant_id and x.order_id <> o.order_id
          and x.payable_paise between e.amount_paise - ${mostOffset} and e.amount_paise + ${mostOffset}
          and (x.status = 'manual_review' or x.created_at > least(e.alert_time - ${`${lookBack} ms`}::interval, ${later(now, -lookBack)})))
      and not exists (select from claimed_references c
        where c.merchant_id = e.merchant_id and c.bank_reference = ${countedReference(sql, sql`e.bank_reference`)}
          and c.order_id <> o.order_id)
      and not exists (select from credit_twins(e.merchant_id, e.alert_id, null, null))`;
  return rows.length === 1;
}

/** Orders below this sum; null if the owner wants no order accepted with one tap. */
export async function selectOneTapLimit(sql: Queryable, merchantId: number): Promise<Paise | null> {
  const [row] = await sql<{ one_tap_below_paise: Paise | null }[]>`
    select one_tap_below_paise from merchants where merchant_id = ${merchantId}`;
  return row?.one_tap_below_paise ?? null;
}

export async function writeOneTapLimit(sql: Queryable, merchantId: number, below: Paise | null) {
  await sql`update merchants set one_tap_below_paise = ${below} where merchant_id = ${merchantId}`;
}
