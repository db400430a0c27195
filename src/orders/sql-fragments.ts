import { later, mostClockSkew } from '../base/clock.ts';
import type { Queryable } from '../base/database/connect.ts';
import { optionalList } from './optional-fields.ts';
import type { OrderStatus } from './schemas.ts';

/**
 * The status of an order at a moment (R7). A pending order is expired from `expires_at` on, and nothing stores that.
 * Get, list, its filter and the public status all use this expression. An order that seems to come from the future was
 * created by a clock that was set back since. Its payment would not be recognised.
 */
export function statusAt(sql: Queryable, now: Date) {
  return sql`case when o.status = 'pending' and (o.expires_at <= ${now} or o.created_at > ${later(now, mostClockSkew)})
    then 'expired' else o.status end`;
}

/** The computed status, preceded by the stored one and the age it implies, because those two are indexed. */
export function hasStatus(sql: Queryable, status: OrderStatus, now: Date) {
  if (status === 'expired') return sql`o.status = 'pending' and ${statusAt(sql, now)} = 'expired'`;
  if (status !== 'pending') return sql`o.status = ${status}`;
  return sql`o.status = 'pending' and ${statusAt(sql, now)} = 'pending'
    and o.created_at > ${now}::timestamptz - interval '1 hour'`;
}

/** The columns of `Order`; the query joins `orders o` with `upi_accounts a`. */
export function orderColumns(sql: Queryable, now: Date) {
  const optional = optionalList
    .map(([, { column }]) => column(sql))
    .reduce((all, one) => sql`${all}, ${one}`);
  return sql`
    o.merchant_id, o.order_id, o.merchant_order_id, o.amount_paise, o.payable_paise, ${statusAt(sql, now)} as status,
    o.received_paise, o.created_at, o.expires_at, o.paid_at, o.pay_token, o.account_id, o.success_url, o.failure_url, o.webhook_url,
    o.customer, ${optional}, a.vpa, a.payee_name, a.kind as account_kind, a.merchant_code`;
}

/** Orders older than the plan's history window no longer exist for anybody. Joins `orders o` with `plans p`. */
export function insideHistory(sql: Queryable, now: Date) {
  return sql`(p.history_days is null or o.created_at > ${now}::timestamptz - p.history_days * interval '1 day')`;
}
