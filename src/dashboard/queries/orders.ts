import { hasRaw } from '../../alerts/queries/raw.ts';
import { reasonColumn } from '../../alerts/queries/reason.ts';
import type { Queryable } from '../../database/connect.ts';
import { countedReference } from '../../matching/counted-reference.ts';
import type { ListPosition } from '../../orders/list-cursor.ts';
import type { Order, OrderStatus } from '../../orders/order.ts';
import { insideHistory, orderColumns, statusAt } from '../../orders/sql-fragments.ts';
import type { Reason, Verdict } from '../../verdicts.ts';

/** What the Orders screen narrows its list by. Null: not at all. */
export type OrderFilter = {
  status: OrderStatus | null;
  /** Asked for or payable, either. */
  amountPaise: number | null;
  /** An order id, the shop's own id, or the bank's reference, whole. */
  id: string | null;
  /** Indian days, both included, as yyyy-mm-dd. */
  from: string | null;
  to: string | null;
  accountId: string | null;
};

export async function selectOrders(
  sql: Queryable,
  merchantId: number,
  filter: OrderFilter,
  { after, limit, now }: { after: ListPosition | null; limit: number; now: Date },
): Promise<Order[]> {
  return await sql<Order[]>`
    select ${orderColumns(sql, now)}
    from orders o
      join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      join merchants m on m.merchant_id = o.merchant_id
      join plans p on p.plan = m.plan
    where ${matches(sql, merchantId, filter, now)}
      ${after === null ? sql`` : sql`and (o.created_at, o.order_id) < (${after.createdAt}, ${after.orderId})`}
    order by o.created_at desc, o.order_id desc limit ${limit}`;
}

/** Beyond this nobody needs to know exactly, and counting a million for each look at a page would cost its reader. */
const mostCounted = 10_000;

export type OrderCount = { count: number; isExact: boolean };

export async function countOrders(
  sql: Queryable,
  merchantId: number,
  filter: OrderFilter,
  now: Date,
): Promise<OrderCount> {
  const found = sql`select 1
    from orders o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
    where ${matches(sql, merchantId, filter, now)}`;
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from (${found} limit ${mostCounted + 1}) as counted`;
  const count = row?.count ?? 0;
  if (count <= mostCounted) return { count, isExact: true };
  const [plan] = await sql<
    { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]
  >`explain (format json) ${found}`;
  const estimate = Math.max(count, plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? count);
  // What the planner thinks is no more exact than this.
  return { count: Number(estimate.toPrecision(2)), isExact: false };
}

function matches(sql: Queryable, merchantId: number, filter: OrderFilter, now: Date) {
  const { status, amountPaise, id, from, to, accountId } = filter;
  return sql`o.merchant_id = ${merchantId} and ${insideHistory(sql, now)}
    ${status === null ? sql`` : sql`and ${statusAt(sql, now)} = ${status} and o.status = ${stored(status)}`}
    ${amountPaise === null ? sql`` : sql`and ${hasAmount(sql, amountPaise)}`}
    ${id === null ? sql`` : sql`and ${hasId(sql, merchantId, id)}`}
    ${from === null ? sql`` : sql`and o.created_at >= (${from}::date)::timestamp at time zone 'Asia/Kolkata'`}
    ${to === null ? sql`` : sql`and o.created_at < (${to}::date + 1)::timestamp at time zone 'Asia/Kolkata'`}
    ${accountId === null ? sql`` : sql`and o.account_id = ${accountId}`}`;
}

/** The stored status that a computed one comes from, which the index knows (R7). */
function stored(status: OrderStatus): string {
  return status === 'expired' ? 'pending' : status;
}

/** R6: the payable amount lies within 299 paise above the requested one, so one index answers for both. */
function hasAmount(sql: Queryable, amount: number) {
  return sql`o.payable_paise between ${amount}::bigint and ${amount}::bigint + 299
    and (o.payable_paise = ${amount} or o.amount_paise = ${amount})`;
}

function hasId(sql: Queryable, merchantId: number, id: string) {
  return sql`(o.order_id = ${id.toUpperCase()} or o.order_id = ${id}
    or (o.merchant_order_id = ${id} and not o.id_released)
    or o.alert_id = (select r.alert_id from counted_references r
      where r.merchant_id = ${merchantId} and r.bank_reference = ${countedReference(sql, id)}))`;
}

/** What the bank's mail said, for the order it paid and for the list of money that paid none. */
export type AlertEvidence = {
  alert_id: string;
  arrived_at: Date;
  judged_at: Date | null;
  alert_time: Date | null;
  found_in: string;
  bank: string | null;
  template: string | null;
  amount_paise: number | null;
  bank_reference: string | null;
  payer: string | null;
  account_digits: string | null;
  payee_vpa: string | null;
  signing_domain: string | null;
  selector: string | null;
  recipient: string | null;
  raw_kept: boolean;
};

export function evidenceColumns(sql: Queryable) {
  return sql`e.alert_id, e.arrived_at, e.judged_at, e.alert_time, e.found_in, e.bank, e.template, e.amount_paise,
    e.bank_reference, e.payer, e.account_digits, e.payee_vpa, e.signing_domain, e.selector, e.recipient,
    ${hasRaw(sql, sql`e`)} as raw_kept`;
}

export async function selectOneOrder(
  sql: Queryable,
  merchantId: number,
  orderId: string,
  now: Date,
): Promise<Order | null> {
  const [row] = await sql<Order[]>`
    select ${orderColumns(sql, now)}
    from orders o
      join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      join merchants m on m.merchant_id = o.merchant_id
      join plans p on p.plan = m.plan
    where o.merchant_id = ${merchantId} and o.order_id = ${orderId} and ${insideHistory(sql, now)}`;
  return row ?? null;
}

export type OrderAlert = AlertEvidence & { verdict: Verdict; reason: Reason | null };

/** The alert that paid an order, and mails about it that were refused; further money is in `selectMoneyOfOrder`. */
export async function selectAlertsOfOrder(
  sql: Queryable,
  merchantId: number,
  orderId: string,
): Promise<OrderAlert[]> {
  return await sql<OrderAlert[]>`
    select ${evidenceColumns(sql)}, e.verdict, ${reasonColumn(sql)}
    from alerts e
    where e.merchant_id = ${merchantId} and e.alert_id in (
      select o.alert_id from orders o where o.merchant_id = ${merchantId} and o.order_id = ${orderId}
      union all
      select n.alert_id from orders o
        join alerts n on n.merchant_id = o.merchant_id and n.amount_paise = o.payable_paise and n.order_id = o.order_id
      where o.merchant_id = ${merchantId} and o.order_id = ${orderId}
        and n.verdict not in ('no_order', 'too_late', 'extra_payment'))
    order by e.arrived_at limit 50`;
}
