import { addDuration } from '../base/database/add-duration.ts';
import type { Queryable } from '../base/database/connect.ts';
import type { PresentedKey } from '../business/merchants/api-key.ts';
import { type Caller, callerOf, type Standing, whyRefused } from '../business/merchants/queries.ts';
import type { Order, OrderFields } from './order.ts';
import type { OrderStatus } from './schemas.ts';
import { hasStatus, insideHistory, orderColumns } from './sql-fragments.ts';

export type NewOrder = OrderFields & {
  held_until: Date;
  /** If null, the business's default account is used. */
  account_id: string | null;
  optional?: Record<string, unknown> | null;
};

export type Created = { outcome: 'created' } & Pick<
  Order,
  'payable_paise' | 'account_id' | 'vpa' | 'payee_name' | 'account_kind' | 'merchant_code'
>;

export type Refusal = {
  outcome:
    | 'service_unavailable'
    | 'merchant_disabled'
    | 'invalid_payment_account'
    | 'upi_not_configured'
    | 'payment_account_paused'
    | 'plan_limit_reached'
    | 'all_payment_slots_busy';
  upgrade_url: string | null;
  limit_paise: number | null;
  collected_paise: number | null;
  /** When the first held amount becomes free again. */
  next_free_at: Date | null;
};

export type CreateAnswer = Created | Refusal | { outcome: 'replay' | 'id_spent' | 'lost_race' };

export type Creation = { caller: Caller; order: NewOrder };

/**
 * Several creates in one query and one commit, each seeing those before it (see `create_order`). If another create
 * takes one of the ids at the same time, all are rolled back. A missing place, counted from 1, means an unknown key.
 * PostgreSQL plans one row of `values` like a plain call. With arrays, a single create took 7 % more processor time.
 */
export function insertOrders(sql: Queryable, creations: readonly Creation[]) {
  const rows = creations
    .map(
      ({ caller, order }, index) => sql`(${index + 1}::int, ${caller.merchantId}::bigint,
        ${'signedIn' in caller ? null : caller.hash}::bytea, ${order.order_id}::text, ${order.merchant_order_id}::text,
        ${order.amount_paise}::bigint, ${order.created_at}::timestamptz, ${order.expires_at}::timestamptz,
        ${order.held_until}::timestamptz, ${order.pay_token}::text, ${order.account_id}::text,
        ${order.success_url}::text, ${order.failure_url}::text, ${order.webhook_url}::text,
        ${order.customer && sql.json(order.customer)}::jsonb, ${order.optional ? sql.json(order.optional) : null}::jsonb)`,
    )
    .reduce((before, row) => sql`${before}, ${row}`);
  return sql<({ place: number } & CreateAnswer)[]>`
    select n.place, c.*, note_shop(n.business, n.key_hash, n.order_id, c.outcome),
      case when c.outcome = 'created' and n.optional is not null
        then write_optional_fields(n.business, n.order_id, n.optional) end
    from (values ${rows}) as n (place, business, key_hash, order_id, merchant_order_id, amount, created_at, expires_at,
        held_until, pay_token, account_id, success_url, failure_url, webhook_url, customer, optional)
      cross join lateral create_order(n.business, n.key_hash, n.order_id, n.merchant_order_id, n.amount, n.created_at,
        n.expires_at, n.held_until, n.pay_token, n.account_id, n.success_url, n.failure_url, n.webhook_url, n.customer) c
    where c.outcome is not null`;
}

type CallerAnd<T> = Standing & (T | { [column in keyof T]: null });

/**
 * Includes an order that the plan's window hides, until it is deleted, so that nobody is charged twice under one id.
 * A replay promises the order again, so it locks the row to force a commit. With a synchronous standby, a create that
 * was given up while it waited may exist on the primary only. A later commit waits until the standby has both.
 */
export function selectReplay(sql: Queryable, key: Caller, merchantOrderId: string, now: Date) {
  return sql<CallerAnd<Order>[]>`
    with p as materialized (${callerOf(sql, key)}),
    found as materialized (
      select o.* from orders o, p
      where o.merchant_id = p.merchant_id and o.merchant_order_id = ${merchantOrderId}
        and not o.id_released
      for key share of o
    )
    select p.refusal, ${orderColumns(sql, now)}
    from p
      left join found o on true
      left join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id`;
}

export type OrderQuestion = { key: PresentedKey; orderId: string };

/** Several callers, each with the order it asks for (R12). A missing place, counted from 1, means an unknown key. */
export function selectOrders(sql: Queryable, asked: readonly OrderQuestion[], now: Date) {
  return sql<({ place: number } & CallerAnd<Order>)[]>`
    select asked.place, ${whyRefused(sql)} as refusal, ${orderColumns(sql, now)}
    from unnest(${asked.map(({ key }) => key.merchantId)}::bigint[], ${asked.map(({ key }) => key.hash)}::bytea[],
        ${asked.map(({ orderId }) => orderId)}::text[]) with ordinality as asked (merchant_id, key_hash, order_id, place)
      join api_keys k on k.merchant_id = asked.merchant_id and k.key_hash = asked.key_hash and k.revoked_at is null
      join merchants m on m.merchant_id = k.merchant_id
      join plans p on p.plan = m.plan
      left join orders o on o.merchant_id = k.merchant_id and o.order_id = asked.order_id and ${insideHistory(sql, now)}
      left join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id`;
}

export type ListFilter = {
  status: OrderStatus | null;
  merchantOrderId: string | null;
  /** The last order of the previous page; the next page starts after it. */
  after: { createdAt: Date; orderId: string } | null;
  limit: number;
};

/**
 * Reads one order more than the page holds, so that `has_more` needs no second query. The page is selected before its
 * accounts are joined. Otherwise PostgreSQL would read and sort all orders of the business.
 */
export function selectPage(sql: Queryable, key: PresentedKey, filter: ListFilter, now: Date) {
  const { status, merchantOrderId, after, limit } = filter;
  return sql<CallerAnd<Order>[]>`
    with p as materialized (${callerOf(sql, key)})
    select p.refusal, ${orderColumns(sql, now)}
    from p left join lateral (
      select o.* from orders o
      where o.merchant_id = p.merchant_id and ${insideHistory(sql, now)}
        ${status === null ? sql`` : sql`and ${hasStatus(sql, status, now)}`}
        ${merchantOrderId === null ? sql`` : sql`and o.merchant_order_id = ${merchantOrderId} and not o.id_released`}
        ${after === null ? sql`` : sql`and (o.created_at, o.order_id) < (${after.createdAt}, ${after.orderId})`}
      order by o.created_at desc, o.order_id desc limit ${limit + 1}
    ) o on true left join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
    order by o.created_at desc, o.order_id desc`;
}

/**
 * The customer showed that they mean to pay: a tap on an app, "I have paid", or a typed reference. It is stored once,
 * and pays nothing. But their money may come late, so their amount is given away again as late as possible
 * (`create_order`).
 */
export async function showIntent(
  sql: Queryable,
  {
    merchantId,
    now,
    ...order
  }: { merchantId: number; now: Date } & ({ orderId: string } | { token: string }),
): Promise<void> {
  const which = 'orderId' in order ? sql`order_id = ${order.orderId}` : sql`pay_token = ${order.token}`;
  await sql`
    with shown as (
      update orders set intent_at = ${now}
      where merchant_id = ${merchantId} and ${which} and intent_at is null and status <> 'paid'
      returning merchant_id, order_id, payable_paise, created_at)
    update amounts a set clear_at = greatest(a.doubted_until, ${addDuration(sql, sql`shown.created_at`, '48 hours')}) from shown
    where a.merchant_id = shown.merchant_id and a.payable_paise = shown.payable_paise and a.order_id = shown.order_id`;
}
