import { reasonColumn } from '../../../alerts/queries.ts';
import type { Queryable } from '../../../base/database/connect.ts';
import { paiseFromText } from '../../../base/money.ts';
import { csvLine, orderlessLine } from '../../../orders/history/csv-line.ts';
import type { ListPosition } from '../../../orders/list-orders.ts';
import type { Order } from '../../../orders/order.ts';
import type { OrderStatus } from '../../../orders/schemas.ts';
import { hasStatus, insideHistory, orderColumns } from '../../../orders/sql-fragments.ts';
import { genuineCredits } from '../../../payments/matching/queries/credits.ts';
import { orderlessPayments } from '../../../payments/matching/queries/orderless.ts';
import { countedReference } from '../../../payments/matching/sql-fragments.ts';
import type { Reason, Verdict } from '../../../texts/verdicts.ts';

export type OrderFilter = {
  status: OrderStatus | null;
  /** Any of these: an id or a part of it, rupees, the bank's reference, a customer, a payer, the purpose. */
  search: string | null;
  /** Indian days, both included, as yyyy-mm-dd. */
  from: string | null;
  to: string | null;
  accountId: string | null;
};

/** One line of the list, by which its details are found. `credit` is money without an order. */
export type Entry = { kind: 'order' | 'credit' | 'refund'; id: string; at: Date; paise: number | null };

/** A search reads at most so many orders at once, newest first; the next page continues. */
export const mostSearched = 10_000;

/** `next` is the position of the next page; null at the end. */
export type Lines<Position> = { lines: string; next: Position | null };

/** The filter's orders as CSV, newest first. A search reads the matches among the next `mostSearched` orders. */
export async function selectLines(
  sql: Queryable,
  merchantId: number,
  filter: OrderFilter,
  { after, limit, now }: { after: ListPosition | null; limit: number; now: Date },
): Promise<Lines<ListPosition>> {
  const { search } = filter;
  const [row] = await sql<{ lines: string | null; last_at: Date | null; last_id: string | null }[]>`
    with line as materialized (
      select ${csvLine(sql, now)} as text, o.created_at, o.order_id
      from (
        select o.* from ${narrowed(sql, merchantId, filter, now)} ${behind(sql, after)}
        order by o.created_at desc, o.order_id desc limit ${search === null ? limit : mostSearched}
      ) o ${search === null ? sql`` : sql`${besides(sql)} where ${contains(sql, search)}`}
      order by o.created_at desc, o.order_id desc limit ${limit}
    ), last as (
      select created_at, order_id from line order by created_at desc, order_id desc offset ${limit - 1}
    )
    select string_agg(text, '' order by created_at desc, order_id desc) as lines,
      (select created_at from last) as last_at, (select order_id from last) as last_id from line`;
  const { lines, last_at: createdAt, last_id: orderId } = row!;
  const last = createdAt && orderId !== null ? { createdAt, orderId } : null;
  return { lines: lines ?? '', next: last ?? (await searchFloor(sql, merchantId, { filter, after, now })) };
}

export type OrderlessPosition = { counted_at: Date; alert_id: string };

/** The same days' and account's payments without an order as CSV lines. Statuses and searches exclude them. */
export async function selectOrderlessLines(
  sql: Queryable,
  merchantId: number,
  filter: OrderFilter,
  { after, limit, now }: { after: OrderlessPosition | null; limit: number; now: Date },
): Promise<Lines<OrderlessPosition>> {
  if (filter.status !== null || filter.search !== null) return { lines: '', next: null };
  const rows = await sql<(OrderlessPosition & { line: string })[]>`
    select ${orderlessLine(sql, now)} as line, t.counted_at, t.alert_id
    from ${orderlessPayments(sql, now)} and t.merchant_id = ${merchantId}
      ${ofDays(sql, filter, sql`t.counted_at`)}
      ${filter.accountId === null ? sql`` : sql`and t.account_id = ${filter.accountId}`}
      ${after === null ? sql`` : sql`and (t.counted_at, t.alert_id) < (${after.counted_at}, ${after.alert_id})`}
    order by t.counted_at desc, t.alert_id desc limit ${limit}`;
  return { lines: rows.map(({ line }) => line).join(''), next: rows[limit - 1] ?? null };
}

type Place = { filter: OrderFilter; after: ListPosition | null; now: Date };

/** A search without enough matches continues behind the oldest order that it has read. Null if it has read them all. */
export async function searchFloor(
  sql: Queryable,
  merchantId: number,
  { filter, after, now }: Place,
): Promise<ListPosition | null> {
  if (filter.search === null) return null;
  const [row] = await sql<{ created_at: Date; order_id: string }[]>`
    select o.created_at, o.order_id from ${narrowed(sql, merchantId, filter, now)} ${behind(sql, after)}
    order by o.created_at desc, o.order_id desc offset ${mostSearched - 1} limit 1`;
  return row ? { createdAt: row.created_at, orderId: row.order_id } : null;
}

/**
 * Exact matches that an index finds at once, however old or many the orders are: a complete order id, ours or the
 * shop's, the bank's reference, or the payable rupees.
 */
export async function selectNamed(
  sql: Queryable,
  merchantId: number,
  filter: OrderFilter & { search: string },
  { limit, now }: { limit: number; now: Date },
): Promise<Entry[]> {
  const ids = await selectNamedIds(sql, merchantId, filter.search, limit);
  if (ids.length === 0) return [];
  return await sql<Entry[]>`
    select 'order' as kind, o.order_id as id, o.created_at as at, null as paise
    from ${narrowed(sql, merchantId, filter, now)} and o.order_id = any (${ids}::text[])
    order by o.created_at desc, o.order_id desc limit ${limit}`;
}

/** A separate query: in one query the planner expects many orders and would read them all. */
async function selectNamedIds(sql: Queryable, merchantId: number, search: string, limit: number) {
  const sums = paymentSums(search);
  return await sql<{ order_id: string }[]>`
    select order_id from orders where merchant_id = ${merchantId} and order_id in (${search}, ${search.toUpperCase()})
    union
    select order_id from orders where merchant_id = ${merchantId} and merchant_order_id = ${search} and not id_released
    union
    select order_id from orders where merchant_id = ${merchantId} and alert_id = (select r.alert_id
      from counted_references r where r.merchant_id = ${merchantId} and r.bank_reference = ${countedReference(sql, search)})
    union
    select newest.order_id from generate_series(${sums.from}::bigint, ${sums.to}::bigint) as sum (paise)
      cross join lateral (select s.order_id from orders s
        where s.merchant_id = ${merchantId} and s.payable_paise = sum.paise order by s.created_at desc limit ${limit}) newest`.column();
}

/** The business's own orders with every filter but the search. More conditions may follow. */
export function narrowed(sql: Queryable, merchantId: number, filter: OrderFilter, now: Date) {
  const { status, accountId } = filter;
  return sql`orders o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
    where o.merchant_id = ${merchantId} and ${insideHistory(sql, now)}
    ${status === null ? sql`` : sql`and ${hasStatus(sql, status, now)}`}
    ${ofDays(sql, filter, sql`o.created_at`)}
    ${accountId === null ? sql`` : sql`and o.account_id = ${accountId}`}`;
}

export function ofDays(sql: Queryable, { from, to }: OrderFilter, at: unknown) {
  return sql`
    ${from === null ? sql`` : sql`and ${at} >= (${from}::date)::timestamp at time zone 'Asia/Kolkata'`}
    ${to === null ? sql`` : sql`and ${at} < (${to}::date + 1)::timestamp at time zone 'Asia/Kolkata'`}`;
}

export function behind(sql: Queryable, after: ListPosition | null) {
  return after === null
    ? sql``
    : sql`and (o.created_at, o.order_id) < (${after.createdAt}, ${after.orderId})`;
}

export function besides(sql: Queryable) {
  return sql`join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      left join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id`;
}

/** Line breaks separate the searched fields, so that no match spans two. The purpose is looked up last. */
export function contains(sql: Queryable, search: string) {
  const sums = paymentSums(search);
  return sql`(strpos(lower(concat_ws(chr(10), o.order_id, o.merchant_order_id, o.bank_reference,
        o.customer ->> 'name', o.customer ->> 'email', e.payer)), lower(${search})) > 0
      or o.payable_paise between ${sums.from} and ${sums.to} or o.amount_paise = ${sums.from}
      or o.received_paise = ${sums.from}
      or strpos(lower((select u.purpose from order_purposes u
        where u.merchant_id = o.merchant_id and u.order_id = o.order_id)), lower(${search})) > 0)`;
}

/** Rupees without paise match every amount with those rupees. Text that is no amount is an empty range. */
export function paymentSums(search: string): { from: number; to: number } {
  const from = paiseFromText(search);
  if (from === null) return { from: 0, to: -1 };
  return { from, to: /\.\d/.test(search) ? from : from + 99 };
}

export type ListedOrder = Order & {
  alert_id: string | null;
  payer: string | null;
  purpose: string | null;
  is_link: boolean;
  given_back_paise: number;
};

/** An order's columns and tables for its row and its page, each found by its key. */
function selectDetails(sql: Queryable, now: Date) {
  return sql`select ${orderColumns(sql, now)}, o.alert_id, e.payer, u.purpose, u.link_id is not null as is_link,
      coalesce((select sum(r.amount_paise) from refunds r
        where r.merchant_id = o.merchant_id and r.order_id = o.order_id), 0)::bigint as given_back_paise
    from orders o ${besides(sql)}
      left join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id`;
}

export async function selectListed(
  sql: Queryable,
  merchantId: number,
  orderIds: readonly string[],
  now: Date,
) {
  if (orderIds.length === 0) return [];
  return await sql<ListedOrder[]>`
    ${selectDetails(sql, now)}
    where o.merchant_id = ${merchantId} and o.order_id = any (${[...orderIds]}::text[])
    order by array_position(${[...orderIds]}::text[], o.order_id)`;
}

/** The bank mail's facts, for the order it paid and for the list of money that paid none. */
export type AlertEvidence = {
  alert_id: string;
  arrived_at: Date;
  judged_at: Date | null;
  alert_time: Date | null;
  bank: string | null;
  amount_paise: number | null;
  bank_reference: string | null;
  payer: string | null;
  erasure_id: string | null;
  account_digits: string | null;
  payee_vpa: string | null;
  signing_domain: string | null;
  selector: string | null;
  recipient: string | null;
};

export function evidenceColumns(sql: Queryable) {
  return sql`e.alert_id, e.arrived_at, e.judged_at, e.alert_time, e.bank, e.amount_paise, e.bank_reference, e.payer, e.erasure_id,
    e.account_digits, e.payee_vpa, e.signing_domain, e.selector, e.recipient`;
}

export function orderTables(sql: Queryable) {
  return sql`orders o join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
    join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan`;
}

export async function selectOneOrder(sql: Queryable, merchantId: number, orderId: string, now: Date) {
  return await sql<ListedOrder[]>`
    ${selectDetails(sql, now)}
      join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
    where o.merchant_id = ${merchantId} and o.order_id = ${orderId} and ${insideHistory(sql, now)}`.first();
}

export type OrderAlert = AlertEvidence & { verdict: Verdict; reason: Reason | null };

/** The alert that paid the order, and refused mails about it. Further money is in `selectMoneyOfOrder`. */
export async function selectAlertsOfOrder(sql: Queryable, merchantId: number, orderId: string) {
  return await sql<OrderAlert[]>`
    select ${evidenceColumns(sql)}, e.verdict, ${reasonColumn(sql)}
    from alerts e
    where e.merchant_id = ${merchantId} and e.alert_id in (
      select o.alert_id from orders o where o.merchant_id = ${merchantId} and o.order_id = ${orderId}
      union all
      select n.alert_id from orders o
        join alerts n on n.merchant_id = o.merchant_id and n.amount_paise = o.payable_paise and n.order_id = o.order_id
      where o.merchant_id = ${merchantId} and o.order_id = ${orderId}
        and n.verdict <> 'paid' and n.verdict not in ${genuineCredits})
    order by e.arrived_at limit 50`;
}
