import type { Queryable } from '../../base/database/connect.ts';
import { cell, lineOf, money } from '../../orders/history/csv-line.ts';

/** The number of payments and their sum in paise, for one account in one Indian month. */
export type RegisterRow = {
  month: string;
  /** Null for money without a UPI account, and for orders deleted before accounts were recorded. */
  vpa: string | null;
  orders: number;
  orders_paise: number;
  takings: number;
  takings_paise: number;
  collected_paise: number;
  back: number;
  back_paise: number;
  kept: number;
  kept_paise: number;
  missing: number;
  missing_paise: number;
  /** Given back of paid orders. */
  refunds: number;
  refunds_paise: number;
};

/** Whole months: the first day of the first one, and of the one after the last. */
export type Period = { from: string; to: string };

export async function selectRegister(sql: Queryable, merchantId: number, period: Period) {
  return await sql<RegisterRow[]>`
    select r.* from ${register(sql, merchantId, period)} r order by r.month, r.vpa nulls last`;
}

export const registerHeader =
  'month,upi_id,orders,orders_amount,takings,takings_amount,collected_amount,given_back,given_back_amount,kept,kept_amount,not_in_statement,not_in_statement_amount,refunds,refunds_amount\r\n';

/** One line per row, safe against spreadsheet formulas like all our CSV files. */
export async function selectRegisterLines(sql: Queryable, merchantId: number, period: Period) {
  const line = lineOf(sql, [
    sql`r.month`,
    cell(sql, sql`r.vpa`),
    ...[sql`r.orders::text`, money(sql, sql`r.orders_paise`)],
    ...[sql`r.takings::text`, money(sql, sql`r.takings_paise`), money(sql, sql`r.collected_paise`)],
    ...[sql`r.back::text`, money(sql, sql`r.back_paise`), sql`r.kept::text`, money(sql, sql`r.kept_paise`)],
    ...[sql`r.missing::text`, money(sql, sql`r.missing_paise`)],
    ...[sql`r.refunds::text`, money(sql, sql`r.refunds_paise`)],
  ]);
  const rows = await sql<{ line: string }[]>`
    select ${line} as line from ${register(sql, merchantId, period)} r order by r.month, r.vpa nulls last`;
  return rows.map(row => row.line);
}

/**
 * A month's orders and payments without an order add up to `collections`, to the paisa. A payment without an order
 * stays in its month, also if an order gets it later. Money given back or kept is in the month of that decision, and
 * so are refunds of paid orders.
 */
function register(sql: Queryable, merchantId: number, { from, to }: Period) {
  const within = (moment: unknown) => sql`${moment} >= ${from}::date::timestamp at time zone 'Asia/Kolkata'
    and ${moment} < ${to}::date::timestamp at time zone 'Asia/Kolkata'`;
  const monthOf = (moment: unknown) => sql`date_trunc('month', ${moment} at time zone 'Asia/Kolkata')::date`;
  return sql`(
    with came (month, account_id, orders, orders_paise, takings, takings_paise, back, back_paise, kept, kept_paise, missing, missing_paise, refunds, refunds_paise) as (
      select ${monthOf(sql`o.paid_at`)}, o.account_id, count(*) filter (where t.alert_id is null),
        coalesce(sum(o.received_paise) filter (where t.alert_id is null), 0), 0, 0, 0, 0, 0, 0,
        count(k.order_id), coalesce(sum(o.received_paise) filter (where k.order_id is not null), 0), 0, 0
      from orders o
        left join takings t on t.merchant_id = o.merchant_id and t.alert_id = o.alert_id
        -- Each by its key: by their state, all that are missing would be read for each order.
        left join lateral (select k.order_id, k.state from statement_marks k
          where k.merchant_id = o.merchant_id and k.order_id = o.order_id offset 0) k on k.state = 'missing'
      where o.merchant_id = ${merchantId} and ${within(sql`o.paid_at`)} group by 1, 2
      union all
      select month, account_id, orders, paise, 0, 0, 0, 0, 0, 0, missing, missing_paise, 0, 0 from removed_orders
      where merchant_id = ${merchantId} and month >= ${from}::date and month < ${to}::date
      union all
      select month, null, 0, removed_paise - coalesce((select sum(r.paise) from removed_orders r
        where r.merchant_id = c.merchant_id and r.month = c.month), 0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
      from collections c where merchant_id = ${merchantId} and month >= ${from}::date and month < ${to}::date
      union all
      select ${monthOf(sql`t.counted_at`)}, t.account_id, 0, 0, count(*), sum(t.amount_paise), 0, 0, 0, 0, 0, 0, 0, 0
      from takings t where t.merchant_id = ${merchantId} and ${within(sql`t.counted_at`)} group by 1, 2
      union all
      select ${monthOf(sql`h.done_at`)}, coalesce(o.account_id, t.account_id, fits.account_id), 0, 0, 0, 0,
        count(*) filter (where h.state = 'given_back'), coalesce(sum(e.amount_paise) filter (where h.state = 'given_back'), 0),
        count(*) filter (where h.state = 'kept'), coalesce(sum(e.amount_paise) filter (where h.state = 'kept'), 0), 0, 0, 0, 0
      from handled_credits h join alerts e on e.merchant_id = h.merchant_id and e.alert_id = h.alert_id
        left join orders o on o.merchant_id = h.merchant_id and o.order_id = h.order_id
        left join takings t on t.merchant_id = h.merchant_id and t.alert_id = h.alert_id
        -- A mail names no UPI ID: the oldest one of the account that it is of.
        left join lateral (select u.account_id from upi_accounts u
          where u.merchant_id = h.merchant_id and u.bank = e.bank and lower(coalesce(e.payee_vpa, u.vpa)) = lower(u.vpa)
            and coalesce(right(e.account_digits, length(u.account_digits)) = right(u.account_digits, length(e.account_digits)), true)
          order by u.removed_at is not null, u.created_at, u.account_id limit 1) fits on true
      where h.merchant_id = ${merchantId} and h.state in ('given_back', 'kept') and ${within(sql`h.done_at`)} group by 1, 2
      union all
      select ${monthOf(sql`b.done_at`)}, b.account_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*), sum(b.amount_paise)
      from refunds b where b.merchant_id = ${merchantId} and ${within(sql`b.done_at`)} group by 1, 2
    )
    select to_char(c.month, 'YYYY-MM') as month, u.vpa, sum(c.orders)::bigint as orders, sum(c.orders_paise)::bigint as orders_paise,
      sum(c.takings)::bigint as takings, sum(c.takings_paise)::bigint as takings_paise, sum(c.back)::bigint as back,
      sum(c.back_paise)::bigint as back_paise, sum(c.kept)::bigint as kept, sum(c.kept_paise)::bigint as kept_paise,
      sum(c.missing)::bigint as missing, sum(c.missing_paise)::bigint as missing_paise,
      sum(c.refunds)::bigint as refunds, sum(c.refunds_paise)::bigint as refunds_paise,
      sum(c.orders_paise + c.takings_paise)::bigint as collected_paise
    from came c left join upi_accounts u on u.merchant_id = ${merchantId} and u.account_id = c.account_id
    group by c.month, u.vpa
    having sum(c.orders + c.orders_paise + c.takings + c.back + c.kept + c.missing + c.refunds) > 0)`;
}
