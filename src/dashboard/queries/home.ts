import type { Queryable } from '../../database/connect.ts';
import { indianMonth } from '../../merchants/indian-month.ts';
import { insideHistory } from '../../orders/sql-fragments.ts';

export type HomeFigures = {
  today_paise: number;
  today_orders: number;
  month_paise: number;
  monthly_limit_paise: number | null;
  history_days: number | null;
  upgrade_url: string | null;
};

/** Today and this month as India counts them. The month comes from the counter that the plan's limit is held against. */
export async function selectHomeFigures(
  sql: Queryable,
  merchantId: number,
  now: Date,
): Promise<HomeFigures | null> {
  const [row] = await sql<HomeFigures[]>`
    select today.paise as today_paise, today.orders as today_orders, p.monthly_limit_paise, p.history_days, p.upgrade_url,
      coalesce((select c.collected_paise from collections c
        where c.merchant_id = m.merchant_id and c.month = ${indianMonth(sql, now)}), 0)::bigint as month_paise
    from merchants m join plans p on p.plan = m.plan
      cross join lateral (
        select coalesce(sum(o.received_paise), 0)::bigint as paise, count(*) as orders
        from orders o
        where o.merchant_id = m.merchant_id and o.paid_at >= ${indianMidnight(sql, now)} and ${insideHistory(sql, now)}
      ) today
    where m.merchant_id = ${merchantId}`;
  return row ?? null;
}

export type DayFigure = { day: string; paise: number; orders: number };

/** One row an Indian day, the empty ones too, oldest first. */
export async function selectDays(
  sql: Queryable,
  merchantId: number,
  now: Date,
  days: number,
): Promise<DayFigure[]> {
  return await sql<DayFigure[]>`
    with paid as (
      select (o.paid_at at time zone 'Asia/Kolkata')::date as day, sum(o.received_paise)::bigint as paise, count(*) as orders
      from orders o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
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

export type AlertTiming = { counted: number; median_ms: number | null; p95_ms: number | null };

/** From the alert's arrival in the mailbox to the order being paid, over the newest payments of the last 30 days. */
export async function selectAlertTiming(sql: Queryable, merchantId: number, now: Date): Promise<AlertTiming> {
  const [row] = await sql<AlertTiming[]>`
    select count(*) as counted, round(percentile_cont(0.5) within group (order by took)) as median_ms,
      round(percentile_cont(0.95) within group (order by took)) as p95_ms
    from (
      select greatest(0, extract(epoch from o.paid_at - a.arrived_at) * 1000)::float8 as took
      from orders o
        join alerts a on a.merchant_id = o.merchant_id and a.alert_id = o.alert_id
        join merchants m on m.merchant_id = o.merchant_id
        join plans p on p.plan = m.plan
      where o.merchant_id = ${merchantId} and o.paid_at > ${now}::timestamptz - interval '30 days'
        and ${insideHistory(sql, now)}
      order by o.paid_at desc limit ${mostTimed}
    ) as timed`;
  return row!;
}

const mostTimed = 5000;

/** The moment at which the Indian day of `now` began. */
export function indianMidnight(sql: Queryable, now: Date) {
  return sql`(date_trunc('day', ${now}::timestamptz at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata')`;
}
