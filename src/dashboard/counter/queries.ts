import type { Queryable } from '../../base/database/connect.ts';
import { indianMonth } from '../../business/merchants/indian-month.ts';
import type { Order } from '../../orders/order.ts';
import { orderColumns } from '../../orders/sql-fragments.ts';
import { takingsLeft } from '../../payments/matching/queries/takings.ts';
import { indianMidnight } from '../home/queries.ts';

export type CounterOrder = Order & { purpose: string };

/** A customer who pays at midnight is still at the counter, so yesterday ends an hour after its last minute. */
const nightFor = '1 hour';

/** An order made on this screen, with its purpose. Null for a shop server's order, and for one that ended yesterday. */
export async function selectCounterOrder(sql: Queryable, merchantId: number, orderId: string, now: Date) {
  const since = sql`least(${indianMidnight(sql, now)}, ${now}::timestamptz - ${nightFor}::interval)`;
  const [row] = await sql<CounterOrder[]>`
    select ${orderColumns(sql, now)}, u.purpose
    from orders o
      join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id
    where o.merchant_id = ${merchantId} and o.order_id = ${orderId}
      and (o.expires_at >= ${since} or o.paid_at >= ${since})`;
  return row ?? null;
}

export type PaidToday = {
  /** Null for a payment without an order. */
  order_id: string | null;
  alert_id: string;
  received_paise: number;
  paid_at: Date;
  purpose: string | null;
  customer: { name?: string } | null;
  payer: string | null;
  bank_reference: string | null;
  /** The bank's time. */
  alert_time: Date | null;
  /** It was already old when it was counted, for instance after an outage. Nobody may take it for new money. */
  is_earlier: boolean;
  /** So new that it is spoken. */
  is_new: boolean;
};

const shownPayments = 30;

/** A payment whose alert is older than this is not spoken. */
const spokenFor = '3 minutes';

/** Today's payments by India's clock, newest first. */
export async function selectPaidToday(sql: Queryable, merchantId: number, now: Date): Promise<PaidToday[]> {
  const midnight = indianMidnight(sql, now);
  return await sql<PaidToday[]>`
    select o.order_id, o.alert_id, o.received_paise, o.paid_at, u.purpose, o.customer, e.payer, e.bank_reference, e.alert_time,
      coalesce(old.is_earlier, false) as is_earlier,
      coalesce(not old.is_earlier and e.alert_time > ${now}::timestamptz - ${spokenFor}::interval, false) as is_new
    from (
      (select o.merchant_id, o.order_id, o.alert_id, coalesce(o.received_paise, o.payable_paise)::bigint as received_paise,
        o.paid_at, o.customer
      from orders o where o.merchant_id = ${merchantId} and o.paid_at >= ${midnight}
      order by o.paid_at desc, o.order_id limit ${shownPayments})
      union all
      (select t.merchant_id, null, t.alert_id, t.amount_paise, t.counted_at, null
      from ${takingsLeft(sql, now)} and t.merchant_id = ${merchantId} and t.counted_at >= ${midnight}
      order by t.counted_at desc, t.alert_id limit ${shownPayments})
    ) o left join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id
      left join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id
      cross join lateral (select e.alert_time <= o.paid_at - ${spokenFor}::interval
        or names_earlier_day(e.bank_reference, e.alert_time - ${spokenFor}::interval) as is_earlier) as old
    order by o.paid_at desc, o.alert_id limit ${shownPayments}`;
}

/** Whether payments without an order are missing here because the plan's monthly limit is reached. */
export async function areTakingsStopped(sql: Queryable, merchantId: number, now: Date): Promise<boolean> {
  const rows = await sql`
    select from merchants m join plans p on p.plan = m.plan
      join collections c on c.merchant_id = m.merchant_id and c.month = ${indianMonth(sql, now)}
    where m.merchant_id = ${merchantId} and c.collected_paise >= p.monthly_limit_paise and exists (
      select from upi_accounts u where u.merchant_id = m.merchant_id and u.counts_takings and u.removed_at is null)`;
  return rows.length > 0;
}
