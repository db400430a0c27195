import type { Queryable, Sql } from '../database/connect.ts';
import type { PresentedKey } from '../merchants/api-key.ts';
import { type Caller, callerOf, isDisabled } from '../merchants/queries.ts';
import type { Paise } from '../money.ts';
import type { Order, OrderStatus } from './order.ts';
import { insideHistory, orderColumns, statusAt } from './sql-fragments.ts';

export type NewOrder = {
  order_id: string;
  merchant_order_id: string;
  amount_paise: Paise;
  created_at: Date;
  expires_at: Date;
  held_until: Date;
  pay_token: string;
  /** Null: the business's default account. */
  account_id: string | null;
  success_url: string;
  failure_url: string;
  webhook_url: string;
  customer: { email?: string; name?: string } | null;
};

type CreateOutcome =
  | 'created'
  | 'replay'
  | 'id_outside_history'
  | 'merchant_disabled'
  | 'invalid_payment_account'
  | 'upi_not_configured'
  | 'payment_account_paused'
  | 'plan_limit_reached'
  | 'all_payment_slots_busy';

export type CreateRow = {
  outcome: CreateOutcome;
  upgrade_url: string | null;
  limit_paise: number | null;
  collected_paise: number;
  /** When the first of the held amounts becomes free again. */
  next_free_at: Date | null;
} & (Order | { [column in keyof Order]: null });

/**
 * The whole create in one statement: who calls, was the id used, on which account, within the plan, which amount is
 * free, reserve it, insert. No row: the key is unknown. `created` without an order: another create took the chosen
 * amount between our look and our insert; look again.
 *
 * Among the free amounts one that was never used is taken, at random, so that simultaneous creates spread; else the
 * least recently used, where `skip locked` lets each of them take another row. Why an earlier order is locked,
 * `selectReplay` tells.
 */
export function insertOrder(sql: Sql, key: Caller, order: NewOrder) {
  const { merchantId } = key;
  const now = order.created_at;
  const amount = order.amount_paise;
  return sql<CreateRow[]>`
    with caller as materialized (${callerOf(sql, key)}),
    earlier as materialized (
      select o.order_id, ${insideHistory(sql, now)} as inside from orders o, caller p
      where o.merchant_id = ${merchantId} and o.merchant_order_id = ${order.merchant_order_id} and not o.id_released
      for key share of o
    ),
    account as materialized (
      select account_id, is_default, row_number() over (order by created_at, account_id) as place
      from upi_accounts where merchant_id = ${merchantId} and removed_at is null
    ),
    chosen as materialized (
      select account_id, place from account
      where case when ${order.account_id}::text is null then is_default else account_id = ${order.account_id} end
    ),
    collected as materialized (
      select coalesce(sum(collected_paise), 0)::bigint as paise from collections
      where merchant_id = ${merchantId} and month = ${indianMonth(sql, now)}
    ),
    used as materialized (
      select payable_paise - ${amount}::bigint as slot, held_until, held_until > ${now} as held from amounts
      where merchant_id = ${merchantId}
        and payable_paise between ${amount}::bigint + 1 and ${amount}::bigint + 299
    ),
    span as materialized (
      -- R6: offsets of 1…99 paise, and 100…299 only when all of those are held.
      select first, last, held = last - first + 1 as is_full
      from (select count(*) filter (where held and slot <= 99) = 99 as narrow_is_full from used) as look
        cross join lateral (select case when narrow_is_full then 100 else 1 end as first,
          case when narrow_is_full then 299 else 99 end as last) as bounds
        cross join lateral (select count(*) as held from used where held and slot between first and last) as counted
    ),
    never_used as materialized (
      select slots.slot from span, generate_series(first, last) as slots (slot)
      where not exists (select from used where used.slot = slots.slot)
      order by random() limit 1
    ),
    least_recently_used as materialized (
      select payable_paise - ${amount}::bigint as slot from amounts
      where merchant_id = ${merchantId} and held_until <= ${now}
        and payable_paise between ${amount}::bigint + (select first from span) and ${amount}::bigint + (select last from span)
        and not exists (select from never_used)
      order by held_until, payable_paise limit 1 for update skip locked
    ),
    verdict as materialized (
      select case
          when caller.disabled then 'merchant_disabled'
          when earlier.inside then 'replay'
          when not earlier.inside then 'id_outside_history'
          when chosen.account_id is null and ${order.account_id}::text is not null then 'invalid_payment_account'
          when chosen.account_id is null then 'upi_not_configured'
          when chosen.place > caller.account_limit then 'payment_account_paused'
          when collected.paise >= caller.monthly_limit_paise then 'plan_limit_reached'
          when span.is_full then 'all_payment_slots_busy'
          else 'created' end as outcome,
        caller.upgrade_url, caller.monthly_limit_paise as limit_paise, collected.paise as collected_paise,
        chosen.account_id
      from caller cross join collected cross join span left join earlier on true left join chosen on true
    ),
    reserved as (
      insert into amounts (merchant_id, payable_paise, held_until, order_id)
      select ${merchantId}::bigint, ${amount}::bigint + picked.slot, ${order.held_until}::timestamptz, ${order.order_id}::text
      from verdict, (select slot from never_used union all select slot from least_recently_used) as picked
      where verdict.outcome = 'created'
      on conflict (merchant_id, payable_paise) do update set held_until = excluded.held_until, order_id = excluded.order_id
        where amounts.held_until <= ${now}
      returning payable_paise
    ),
    inserted as (
      insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
        expires_at, pay_token, account_id, success_url, failure_url, webhook_url, customer)
      select ${merchantId}::bigint, ${order.order_id}::text, ${order.merchant_order_id}::text, ${amount}::bigint,
        reserved.payable_paise, 'pending', ${now}::timestamptz, ${order.expires_at}::timestamptz,
        ${order.pay_token}::text, verdict.account_id, ${order.success_url}::text, ${order.failure_url}::text,
        ${order.webhook_url}::text, ${order.customer === null ? null : sql.json(order.customer)}::jsonb
      from reserved, verdict
      returning *
    ),
    -- Somebody has to tell the owner; see mailboxes/tell-unconfirmable.ts.
    unwatched as (
      insert into unconfirmable (merchant_id, since)
      select inserted.merchant_id, inserted.created_at from inserted
      where not exists (select from mailboxes b where b.merchant_id = ${merchantId} and b.read_until is null)
      on conflict (merchant_id) do nothing
    ),
    answer as (
      select * from inserted
      union all
      select o.* from orders o
      where o.merchant_id = ${merchantId}
        and o.order_id = (select earlier.order_id from earlier, verdict where verdict.outcome = 'replay')
    )
    select verdict.outcome, verdict.upgrade_url, verdict.limit_paise, verdict.collected_paise,
      case when verdict.outcome = 'all_payment_slots_busy' then (select min(held_until) from used) end as next_free_at,
      ${orderColumns(sql, now)}
    from verdict
      left join answer o on true
      left join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id`;
}

/** The first day of the calendar month in Asia/Kolkata that a moment falls in. */
export function indianMonth(sql: Queryable, moment: Date) {
  return sql`date_trunc('month', ${moment}::timestamptz at time zone 'Asia/Kolkata')::date`;
}

/**
 * An order that left the history window gives its merchant_order_id free (design: it answers as if it never was).
 * Only such a one: another create may have released it before us and used the id for a new order already (R5).
 */
export async function releaseMerchantOrderId(
  sql: Queryable,
  merchantId: number,
  merchantOrderId: string,
  now: Date,
): Promise<void> {
  await sql`
    update orders o set id_released = true
    from merchants m join plans p on p.plan = m.plan
    where o.merchant_id = ${merchantId} and o.merchant_order_id = ${merchantOrderId} and not o.id_released
      and m.merchant_id = o.merchant_id and not ${insideHistory(sql, now)}`;
}

type CallerAnd<T> = { disabled: boolean } & (T | { [column in keyof T]: null });

/**
 * A replay promises the order once more, so its row is locked, for the sake of the commit that this makes: with a
 * synchronous standby a create that was given up while it waited for the standby stands on the primary alone, and
 * only a commit behind it waits until the standby has both.
 */
export function selectReplay(sql: Sql, key: PresentedKey, merchantOrderId: string, now: Date) {
  return sql<CallerAnd<Order>[]>`
    with p as materialized (${callerOf(sql, key)}),
    found as materialized (
      select o.* from orders o, p
      where o.merchant_id = p.merchant_id and o.merchant_order_id = ${merchantOrderId}
        and not o.id_released and ${insideHistory(sql, now)}
      for key share of o
    )
    select p.disabled, ${orderColumns(sql, now)}
    from p
      left join found o on true
      left join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id`;
}

/** Who asks for which order. */
export type OrderQuestion = { key: PresentedKey; orderId: string };

/**
 * Several callers, each with the one order it asks for (R12). No row at a place, counted from 1: the key is unknown.
 */
export function selectOrders(sql: Sql, asked: readonly OrderQuestion[], now: Date) {
  return sql<({ place: number } & CallerAnd<Order>)[]>`
    select asked.place, ${isDisabled(sql)} as disabled, ${orderColumns(sql, now)}
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
  /** The last order of the page before; the next page starts behind it. */
  after: { createdAt: Date; orderId: string } | null;
  limit: number;
};

/** One order more than the page holds, so that `has_more` needs no second query. */
export function selectPage(sql: Sql, key: PresentedKey, filter: ListFilter, now: Date) {
  const { status, merchantOrderId, after, limit } = filter;
  return sql<CallerAnd<Order>[]>`
    with p as materialized (${callerOf(sql, key)})
    select p.disabled, page.*
    from p left join lateral (
      select ${orderColumns(sql, now)}
      from orders o join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      where o.merchant_id = p.merchant_id and ${insideHistory(sql, now)}
        ${status === null ? sql`` : sql`and ${hasStatus(sql, status, now)}`}
        ${merchantOrderId === null ? sql`` : sql`and o.merchant_order_id = ${merchantOrderId} and not o.id_released`}
        ${after === null ? sql`` : sql`and (o.created_at, o.order_id) < (${after.createdAt}, ${after.orderId})`}
      order by o.created_at desc, o.order_id desc limit ${limit + 1}
    ) page on true`;
}

/** The computed status, led by the stored one and the age it implies, which the index knows. */
function hasStatus(sql: Sql, status: OrderStatus, now: Date) {
  if (status === 'expired') return sql`o.status = 'pending' and ${statusAt(sql, now)} = 'expired'`;
  if (status !== 'pending') return sql`o.status = ${status}`;
  return sql`o.status = 'pending' and ${statusAt(sql, now)} = 'pending'
    and o.created_at > ${now}::timestamptz - interval '1 hour'`;
}
