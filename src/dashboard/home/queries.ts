import type { Queryable } from '../../base/database/connect.ts';
import { indianMonth } from '../../business/merchants/indian-month.ts';
import { insideHistory } from '../../orders/sql-fragments.ts';
import { receivedMoney, takingsLeft } from '../../payments/matching/queries/takings.ts';

export type HomeFigures = {
  today_paise: number;
  /** Payments, and how many of them came without an order. */
  today_orders: number;
  today_takings: number;
  /** The same weekday a week ago, up to the same time of day; null if the business did not exist yet. */
  before_paise: number | null;
  month_paise: number;
  monthly_limit_paise: number | null;
};

/** Today and this month by India's clock. The month comes from the counter that the plan's limit uses. */
export async function selectHomeFigures(sql: Queryable, merchantId: number, now: Date) {
  const midnight = indianMidnight(sql, now);
  const collected = (from: unknown, to: unknown) => sql`
    select coalesce(sum(o.received_paise), 0)::bigint as paise, count(*) as orders,
      count(*) filter (where o.order_id is null) as takings from ${receivedMoney(sql, now)} o
    where o.merchant_id = m.merchant_id and o.paid_at >= ${from} and o.paid_at <= ${to} and ${insideHistory(sql, now)}`;
  const [row] = await sql<HomeFigures[]>`
    select today.paise as today_paise, today.orders as today_orders, today.takings as today_takings, p.monthly_limit_paise,
      case when m.created_at < ${midnight} - interval '7 days' and coalesce(p.history_days, 8) > 7
        then before.paise end as before_paise,
      coalesce((select c.collected_paise from collections c
        where c.merchant_id = m.merchant_id and c.month = ${indianMonth(sql, now)}), 0)::bigint as month_paise
    from merchants m join plans p on p.plan = m.plan
      cross join lateral (${collected(midnight, now)}) today
      cross join lateral (${collected(
        sql`${midnight} - interval '7 days'`,
        sql`${now}::timestamptz - interval '7 days'`,
      )}) before
    where m.merchant_id = ${merchantId}`;
  return row ?? null;
}

export type LatestPayment = {
  /** Null if it came without an order. */
  order_id: string | null;
  alert_id: string;
  received_paise: number;
  paid_at: Date;
  merchant_order_id: string;
  customer: { name?: string; email?: string } | null;
  payer: string | null;
};

export async function selectLatestPayments(sql: Queryable, merchantId: number, now: Date, limit: number) {
  return await sql<LatestPayment[]>`
    (select o.order_id, o.alert_id, o.received_paise, o.paid_at, o.merchant_order_id, o.customer, e.payer
    from orders o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
      left join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id
    where o.merchant_id = ${merchantId} and o.paid_at is not null and ${insideHistory(sql, now)}
    order by o.paid_at desc, o.order_id limit ${limit})
    union all
    (select null, t.alert_id, t.amount_paise, t.counted_at, '', null, e.payer from ${takingsLeft(sql, now)}
      and t.merchant_id = ${merchantId}
    order by t.counted_at desc, t.alert_id limit ${limit})
    order by paid_at desc, order_id limit ${limit}`;
}

export type DayFigure = { day: string; paise: number; orders: number };

/** One row per Indian day, including empty days, oldest first. */
export async function selectDays(sql: Queryable, merchantId: number, now: Date, days: number) {
  return await sql<DayFigure[]>`
    with paid as (
      select (o.paid_at at time zone 'Asia/Kolkata')::date as day, sum(o.received_paise)::bigint as paise, count(*) as orders
      from ${receivedMoney(sql, now)} o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
      where o.merchant_id = ${merchantId} and ${insideHistory(sql, now)}
        and o.paid_at >= ${indianMidnight(sql, now)} - ${days - 1}::int * interval '1 day'
      group by 1
    )
    select to_char(wanted.day, 'YYYY-MM-DD') as day, coalesce(paid.paise, 0)::bigint as paise,
      coalesce(paid.orders, 0)::bigint as orders
    from generate_series(
        (${now}::timestamptz at time zone 'Asia/Kolkata')::date - ${days - 1}::int,
        (${now}::timestamptz at time zone 'Asia/Kolkata')::date, interval '1 day') as wanted (day)
      left join paid on paid.day = wanted.day::date
    order by wanted.day`;
}

/** The start of the Indian day that contains `now`. */
export function indianMidnight(sql: Queryable, now: Date) {
  return sql`(date_trunc('day', ${now}::timestamptz at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata')`;
}

/** Income in this Indian financial year, and this month's on personal UPI IDs; null if there is none. */
export async function selectInflow(sql: Queryable, merchantId: number, now: Date) {
  const month = indianMonth(sql, now);
  const kinds = (kind: string) =>
    sql`exists (select from upi_accounts u where u.merchant_id = ${merchantId} and u.kind = ${kind})`;
  const collected = (since: unknown) => sql`
    (select coalesce(sum(c.collected_paise), 0)::bigint from collections c
      where c.merchant_id = ${merchantId} and c.month >= ${since})`;
  const [row] = await sql<{ year_paise: number; personal_paise: number | null }[]>`
    select ${collected(sql`date_trunc('year', ${month} - interval '3 months') + interval '3 months'`)} as year_paise,
      case when not ${kinds('personal')} then null when not ${kinds('merchant')} then ${collected(month)}
        else (select coalesce(sum(o.received_paise), 0)::bigint
          from ${receivedMoney(sql, now)} o join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
          where o.merchant_id = ${merchantId} and u.kind = 'personal'
            and o.paid_at >= ${month}::timestamp at time zone 'Asia/Kolkata') end as personal_paise`;
  return row!;
}
