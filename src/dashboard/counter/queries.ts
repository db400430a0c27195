import { later, second } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { payableTime } from '../../base/time-windows.ts';
import { indianMonth } from '../../business/merchants/indian-month.ts';
import type { Order } from '../../orders/order.ts';
import { orderColumns } from '../../orders/sql-fragments.ts';
import { orderlessPayments, receivedMoney } from '../../payments/matching/queries/orderless.ts';
import { proofPrefix } from '../../payments/matching/queries/trials.ts';
import { indianMidnight } from '../home/queries.ts';

export type CounterOrder = Order & { purpose: string; payer: string | null; given_back_paise: number | null };

/** A customer who pays at midnight is still at the counter, so yesterday ends an hour after its last minute. */
const nightFor = '1 hour';

/** An order made on this screen, with its purpose. Null for a shop server's order, and for one that ended yesterday. */
export async function selectCounterOrder(sql: Queryable, merchantId: number, orderId: string, now: Date) {
  const since = sql`least(${indianMidnight(sql, now)}, ${now}::timestamptz - ${nightFor}::interval)`;
  return await sql<CounterOrder[]>`
    select ${counterOrders(sql, now)}
    where o.merchant_id = ${merchantId} and o.order_id = ${orderId}
      and (o.expires_at >= ${since} or o.paid_at >= ${since})`.first();
}

function counterOrders(sql: Queryable, now: Date) {
  return sql`${orderColumns(sql, now)}, u.purpose, e.payer, (select sum(r.amount_paise)::bigint from refunds r
      where r.merchant_id = o.merchant_id and r.order_id = o.order_id) as given_back_paise
    from orders o join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
    join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id
    left join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id`;
}

export type Waiting = {
  order_id: string;
  payable_paise: number;
  expires_at: Date;
  /** It was paid a moment ago, and leaves the strip. */
  is_paid: boolean;
};

/** So long a paid order stays in the strip, in its colour. */
const leavesAfter = 8 * second;
const mostWaiting = 12;

/** The orders that this person made at the counter and that wait for their customers, the oldest first. */
export async function selectWaiting(sql: Queryable, merchantId: number, madeBy: string, now: Date) {
  const mine = sql`join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id and u.made_by = ${madeBy}
    where o.merchant_id = ${merchantId}`;
  return await sql<Waiting[]>`
    select o.order_id, o.payable_paise, o.expires_at, false as is_paid from orders o ${mine}
      and o.status = 'pending' and o.created_at > ${later(now, -payableTime)} and o.expires_at > ${now}
    union all
    select o.order_id, coalesce(o.received_paise, o.payable_paise), o.expires_at, true from orders o ${mine}
      and o.paid_at > ${later(now, -leavesAfter)}
    order by expires_at, order_id limit ${mostWaiting}`;
}

export async function selectUnpaidToday(sql: Queryable, merchantId: number, now: Date) {
  return await sql<CounterOrder[]>`
    select ${counterOrders(sql, now)}
    where o.merchant_id = ${merchantId} and o.created_at >= ${indianMidnight(sql, now)}
      and o.status in ('pending', 'manual_review') and u.made_by is not null
    order by o.created_at desc, o.order_id limit ${mostOfToday}`;
}

/** A cashier sees the counter's, links' and the wall code's payments, and none of the shop's own server. */
export type Whose = { onlyCounter: boolean };

export type PaidToday = {
  order_id: string | null;
  alert_id: string;
  received_paise: number;
  paid_at: Date;
  /** Null for an order of the website. */
  purpose: string | null;
  customer: { name?: string } | null;
  payer: string | null;
  bank_reference: string | null;
  alert_time: Date | null;
  /** It was already old when it was counted, for instance after an outage. Nobody may take it for new money. */
  is_earlier: boolean;
  is_new: boolean;
};

const shownPayments = 30;
export const mostOfToday = 200;

/** A payment whose alert is older than this is not spoken. */
const spokenFor = '3 minutes';

/** Today's payments by India's clock, newest first. */
export async function selectPaidToday(
  sql: Queryable,
  merchantId: number,
  now: Date,
  { onlyCounter, most = shownPayments }: Whose & { most?: number },
): Promise<PaidToday[]> {
  const midnight = indianMidnight(sql, now);
  return await sql<PaidToday[]>`
    select o.order_id, o.alert_id, o.received_paise, o.paid_at, o.customer, e.payer, e.bank_reference, e.alert_time,
      case when starts_with(o.merchant_order_id, ${proofPrefix}) then '' else u.purpose end as purpose,
      coalesce(old.is_earlier, false) as is_earlier,
      coalesce(not old.is_earlier and e.alert_time > ${now}::timestamptz - ${spokenFor}::interval, false) as is_new
    from (
      (select o.merchant_id, o.order_id, o.alert_id, coalesce(o.received_paise, o.payable_paise)::bigint as received_paise,
        o.paid_at, o.customer, o.merchant_order_id
      from orders o where o.merchant_id = ${merchantId} and o.paid_at >= ${midnight} and ${isSeen(sql, onlyCounter)}
      order by o.paid_at desc, o.order_id limit ${most})
      union all
      (select t.merchant_id, null, t.alert_id, t.amount_paise, t.counted_at, null, null
      from ${orderlessPayments(sql, now)} and t.merchant_id = ${merchantId} and t.counted_at >= ${midnight}
      order by t.counted_at desc, t.alert_id limit ${most})
    ) o left join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id
      left join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id
      cross join lateral (select e.alert_time <= o.paid_at - ${spokenFor}::interval
        or names_earlier_day(e.bank_reference, e.alert_time - ${spokenFor}::interval) as is_earlier) as old
    order by o.paid_at desc, o.alert_id limit ${most}`;
}

export async function sumPaidToday(sql: Queryable, merchantId: number, now: Date, { onlyCounter }: Whose) {
  const [row] = await sql<{ count: number; paise: number }[]>`
    select count(*)::int as count, coalesce(sum(o.received_paise), 0)::bigint as paise from ${receivedMoney(sql, now)} o
    where o.merchant_id = ${merchantId} and o.paid_at >= ${indianMidnight(sql, now)}
      and (o.order_id is null or ${isSeen(sql, onlyCounter)})`;
  return row!;
}

function isSeen(sql: Queryable, onlyCounter: boolean) {
  if (!onlyCounter) return sql`true`;
  return sql`exists (select from order_purposes c where c.merchant_id = o.merchant_id and c.order_id = o.order_id)`;
}

/** Whether payments without an order are missing here because the plan's monthly limit is reached. */
export async function isOrderlessStopped(sql: Queryable, merchantId: number, now: Date): Promise<boolean> {
  return await sql`
    select from merchants m join plans p on p.plan = m.plan
      join collections c on c.merchant_id = m.merchant_id and c.month = ${indianMonth(sql, now)}
    where m.merchant_id = ${merchantId} and c.collected_paise >= p.monthly_limit_paise and exists (
      select from upi_accounts u where u.merchant_id = m.merchant_id and u.counts_takings and u.removed_at is null)`.some();
}
