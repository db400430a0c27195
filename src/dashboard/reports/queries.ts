import type { Queryable } from '../../base/database/connect.ts';
import { cell, lineOf, money } from '../../orders/history/csv-line.ts';
import { proofPrefix } from '../../payments/matching/queries/trials.ts';

/**
 * Counts of payments and their sums. `given` is what was given back, of paid orders and of other payments. `missing`
 * are orders that a bank's statement should list and does not, `confirmed` those of `orders` that it lists.
 */
export const figureNames = [
  ...(['count', 'collected_paise', 'given', 'given_paise', 'kept', 'kept_paise'] as const),
  ...(['missing', 'missing_paise', 'orders', 'confirmed'] as const),
];
export type Figures = Record<(typeof figureNames)[number], number>;

/** How payments came: `removed` are orders that were deleted since, of which only sums are kept. */
export const sources = ['counter', 'links', 'website', 'takings', 'removed'] as const;

/** Days of India as YYYY-MM-DD: the first one, and the one after the last. */
export type Period = { from: string; to: string };

/**
 * Null where it was not asked for, or is unknown: money that was only given back or kept came from nowhere, deleted
 * orders have no day, and money without a UPI account has no `vpa`.
 */
export type ReportRow = Figures & Record<Part, string | null>;
type Part = 'month' | 'day' | 'source' | 'vpa';

export async function selectReport(sql: Queryable, merchantId: number, period: Period, by: readonly Part[]) {
  return await sql<ReportRow[]>`
    select r.* from ${report(sql, merchantId, period, by)} r order by r.month, r.day, r.source, r.vpa nulls last`;
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
  return await sql<{ line: string }[]>`
    select ${line} as line from ${report(sql, merchantId, period, ['month', 'vpa'])} r order by r.month, r.vpa nulls last`.column();
}

function report(sql: Queryable, merchantId: number, period: Period, by: readonly Part[]) {
  const parts = {
    month: sql`to_char(c.month, 'YYYY-MM')`,
    day: sql`to_char(c.day, 'YYYY-MM-DD')`,
    source: sql`c.source`,
    vpa: sql`u.vpa`,
  };
  const part = (name: Part) => (by.includes(name) ? parts[name] : sql`null::text`);
  return sql`(${came(sql, merchantId, period)}
    select ${part('month')} as month, ${part('day')} as day, ${part('source')} as source, ${part('vpa')} as vpa, ${figures(sql)}
    from came c left join upi_accounts u on u.merchant_id = ${merchantId} and u.account_id = c.account_id
    group by 1, 2, 3, 4 having sum(c.count) filter (where c.kind <> 'confirmed') > 0 or sum(c.paise) > 0)`;
}

/** `figureNames`, and the parts of some that the register has. */
function figures(sql: Queryable) {
  const of = (value: unknown, kinds: string[]) =>
    sql`coalesce(sum(${value}) filter (where c.kind in ${sql(kinds)}), 0)::bigint`;
  const count = (...kinds: string[]) => of(sql`c.count`, kinds);
  const paise = (...kinds: string[]) => of(sql`c.paise`, kinds);
  return sql`${count('orders', 'takings')} as count, ${paise('orders', 'takings')} as collected_paise,
    ${count('orders')} as orders, ${paise('orders')} as orders_paise,
    ${count('takings')} as takings, ${paise('takings')} as takings_paise,
    ${count('back', 'refunds')} as given, ${paise('back', 'refunds')} as given_paise,
    ${count('back')} as back, ${paise('back')} as back_paise, ${count('refunds')} as refunds, ${paise('refunds')} as refunds_paise,
    ${count('kept')} as kept, ${paise('kept')} as kept_paise, ${count('missing')} as missing,
    ${paise('missing')} as missing_paise, ${count('confirmed')} as confirmed`;
}

/**
 * A month's orders and payments without an order add up to `collections`, to the paisa. A payment without an order
 * stays in its month, also if an order gets it later. Money given back or kept is in the month of that decision, and
 * so are refunds of paid orders. Deleted orders have only a month, so a period of days is without them.
 */
function came(sql: Queryable, merchantId: number, { from, to }: Period) {
  const within = (moment: unknown) => sql`${moment} >= ${from}::date::timestamp at time zone 'Asia/Kolkata'
    and ${moment} < ${to}::date::timestamp at time zone 'Asia/Kolkata'`;
  const dayOf = (moment: unknown) => sql`(${moment} at time zone 'Asia/Kolkata')::date`;
  const isMonths = from.endsWith('-01') && to.endsWith('-01');
  const inMonths = sql`${isMonths}::boolean and month >= ${from}::date and month < ${to}::date`;
  return sql`
    with parts (day, source, account_id, kind, count, paise, month) as (
      select g.day, g.source, g.account_id, v.kind, v.count, v.paise, null::date
      from (
        select ${dayOf(sql`o.paid_at`)} as day, o.account_id,
          case when u.link_id is not null then 'links'
            when u.made_by is not null or starts_with(o.merchant_order_id, ${proofPrefix}) then 'counter' else 'website' end as source,
          count(*) filter (where t.alert_id is null) as orders,
          coalesce(sum(o.received_paise) filter (where t.alert_id is null), 0) as orders_paise,
          count(*) filter (where k.state = 'missing') as missing,
          coalesce(sum(o.received_paise) filter (where k.state = 'missing'), 0) as missing_paise,
          count(*) filter (where k.state = 'confirmed' and t.alert_id is null) as confirmed
        from orders o
          left join takings t on t.merchant_id = o.merchant_id and t.alert_id = o.alert_id
          -- Each by its key: by their state, all that are missing would be read for each order.
          left join lateral (select k.state from statement_marks k
            where k.merchant_id = o.merchant_id and k.order_id = o.order_id offset 0) k on true
          left join lateral (select u.link_id, u.made_by from order_purposes u
            where u.merchant_id = o.merchant_id and u.order_id = o.order_id offset 0) u on true
        where o.merchant_id = ${merchantId} and ${within(sql`o.paid_at`)} group by 1, 2, 3
      ) g cross join lateral (values ('orders', g.orders, g.orders_paise), ('missing', g.missing, g.missing_paise),
        ('confirmed', g.confirmed, 0)) v (kind, count, paise)
      union all
      select null, 'removed', account_id, v.kind, v.count, v.paise, month
      from removed_orders cross join lateral (values ('orders', orders, paise), ('missing', missing, missing_paise)) v (kind, count, paise)
      where merchant_id = ${merchantId} and ${inMonths}
      union all
      select null, 'removed', null, 'orders', 0, removed_paise - coalesce((select sum(r.paise) from removed_orders r
        where r.merchant_id = c.merchant_id and r.month = c.month), 0), month
      from collections c where merchant_id = ${merchantId} and removed_paise > 0 and ${inMonths}
      union all
      select ${dayOf(sql`t.counted_at`)}, 'takings', t.account_id, 'takings', count(*), sum(t.amount_paise), null
      from takings t where t.merchant_id = ${merchantId} and ${within(sql`t.counted_at`)} group by 1, 3
      union all
      select ${dayOf(sql`h.done_at`)}, null, coalesce(o.account_id, t.account_id, fits.account_id),
        case h.state when 'kept' then 'kept' else 'back' end, count(*), sum(e.amount_paise), null
      from handled_credits h join alerts e on e.merchant_id = h.merchant_id and e.alert_id = h.alert_id
        left join orders o on o.merchant_id = h.merchant_id and o.order_id = h.order_id
        left join takings t on t.merchant_id = h.merchant_id and t.alert_id = h.alert_id
        -- A mail names no UPI ID: the oldest one of the account that it is of.
        left join lateral (select u.account_id from upi_accounts u
          where u.merchant_id = h.merchant_id and u.bank = e.bank and lower(coalesce(e.payee_vpa, u.vpa)) = lower(u.vpa)
            and coalesce(right(e.account_digits, length(u.account_digits)) = right(u.account_digits, length(e.account_digits)), true)
          order by u.removed_at is not null, u.created_at, u.account_id limit 1) fits on true
      where h.merchant_id = ${merchantId} and h.state in ('given_back', 'kept') and ${within(sql`h.done_at`)} group by 1, 3, 4
      union all
      select ${dayOf(sql`b.done_at`)}, null, b.account_id, 'refunds', count(*), sum(b.amount_paise), null
      from refunds b where b.merchant_id = ${merchantId} and ${within(sql`b.done_at`)} group by 1, 3
    ), came as (select p.day, p.source, p.account_id, p.kind, p.count, p.paise,
      coalesce(p.month, date_trunc('month', p.day)::date) as month from parts p)`;
}
