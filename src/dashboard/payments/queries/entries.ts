import type { Queryable } from '../../../base/database/connect.ts';
import type { Query } from '../../../base/database/query.ts';
import type { ListPosition } from '../../../orders/list-orders.ts';
import { orderlessPayments, receivedMoney } from '../../../payments/matching/queries/orderless.ts';
import { isToDo } from './credits.ts';
import {
  behind,
  besides,
  contains,
  type Entry,
  mostSearched,
  narrowed,
  type OrderFilter,
  ofDays,
  paymentSums,
  searchFloor,
} from './orders.ts';
import { insideWindow } from './refused.ts';

/** The list's views. `kept` and `orders` are chosen in the filter menu, the others are tabs. */
export const views = ['all', 'paid', 'waiting', 'decide', 'returned', 'kept', 'orders'] as const;
export type View = (typeof views)[number];

type Asked = { view: View; filter: OrderFilter; after: ListPosition | null; limit: number; now: Date };
/** `floor`: a search looks no further back than this. */
type Reading = Asked & { floor: ListPosition | null };

/**
 * Everything asked for or received, the latest first. Each part reads at most `limit` rows of its own index, or
 * `mostSearched` if there is a search, so the answer does not depend on the planner's estimates.
 */
export async function selectEntries(sql: Queryable, merchantId: number, asked: Asked): Promise<Entry[]> {
  const { view, filter, limit } = asked;
  const parts = {
    all: ['orders', 'toDo', 'orderless', 'ended'],
    paid: ['orders', 'orderless'],
    waiting: ['orders'],
    decide: ['toDo'],
    returned: ['ended', 'refunds'],
    kept: ['ended'],
    orders: ['orders'],
  } as const satisfies Record<View, readonly (keyof typeof partOf)[]>;
  // Money without an order has an account only if it was counted.
  const isOfAccount = filter.accountId !== null;
  const chosen = parts[view].filter(part => !isOfAccount || (part !== 'toDo' && part !== 'ended'));
  if (chosen.length === 0) return [];
  const reading = { ...asked, floor: await searchFloor(sql, merchantId, asked) };
  const rows = chosen.map(part => partOf[part](sql, merchantId, reading));
  return await sql<Entry[]>`
    select * from (${rows.reduce((all, one) => sql`${all} union all ${one}`)}) as entry (kind, id, at, paise)
    order by entry.at desc, entry.id desc limit ${limit}`;
}

type Part = (sql: Queryable, merchantId: number, asked: Reading) => Query<Record<string, unknown>[]>;

const partOf = {
  orders(sql, merchantId, { view, filter, after, limit, now }) {
    const status = ({ paid: 'paid', waiting: 'pending' } as const)[view as string] ?? filter.status;
    const { search } = filter;
    return sql`(select 'order', o.order_id, o.created_at, null::bigint
      from (select o.* from ${narrowed(sql, merchantId, { ...filter, status }, now)} ${behind(sql, after)}
        order by o.created_at desc, o.order_id desc limit ${search === null ? limit : mostSearched}) o
      ${search === null ? sql`` : sql`${besides(sql)} where ${contains(sql, search)}`}
      order by o.created_at desc, o.order_id desc limit ${limit})`;
  },
  toDo(sql, merchantId, asked) {
    // An order that waits for a decision is in the list itself.
    const attached = sql`exists (select from handled_credits w
      where w.merchant_id = e.merchant_id and w.alert_id = e.alert_id and w.state = 'attached')`;
    return sql`(select 'credit', e.alert_id, e.arrived_at, null::bigint from alerts e
        join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
      where ${isToDo(sql, merchantId, asked.now)} ${asked.view === 'all' ? sql`and not ${attached}` : sql``}
        ${within(sql, asked, sql`e.arrived_at`, sql`e.alert_id`)}
      order by e.arrived_at desc, e.alert_id desc limit ${asked.limit})`;
  },
  orderless(sql, merchantId, asked) {
    const { accountId } = asked.filter;
    return sql`(select 'credit', t.alert_id, t.counted_at, null::bigint
      from ${orderlessPayments(sql, asked.now)} and t.merchant_id = ${merchantId} and e.is_ended
        ${accountId === null ? sql`` : sql`and t.account_id = ${accountId}`}
        ${within(sql, asked, sql`t.counted_at`, sql`t.alert_id`)}
      order by t.counted_at desc, t.alert_id desc limit ${asked.limit})`;
  },
  ended(sql, merchantId, asked) {
    const states = { returned: ['given_back'], kept: ['kept'] }[asked.view as string] ?? [
      'given_back',
      'kept',
    ];
    // A kept payment that counts as one without an order is listed as that.
    const counted = sql`h.state = 'kept' and exists (select from takings t
      where t.merchant_id = h.merchant_id and t.alert_id = h.alert_id)`;
    return sql`(select 'credit', h.alert_id, h.done_at, null::bigint
      from handled_credits h
        cross join lateral (select e.* from alerts e where e.merchant_id = h.merchant_id and e.alert_id = h.alert_id offset 0) e
        join merchants m on m.merchant_id = h.merchant_id join plans p on p.plan = m.plan
      where h.merchant_id = ${merchantId} and h.state in ${sql(states)} and ${insideWindow(sql, asked.now)}
        ${asked.view === 'all' ? sql`and not (${counted})` : sql``}
        ${within(sql, asked, sql`h.done_at`, sql`h.alert_id`)}
      order by h.done_at desc, h.alert_id desc limit ${asked.limit})`;
  },
  refunds(sql, merchantId, asked) {
    const { accountId, search } = asked.filter;
    return sql`(select 'refund', r.order_id, r.done_at, r.amount_paise from refunds r
        cross join lateral (select o.order_id from orders o where o.merchant_id = r.merchant_id and o.order_id = r.order_id
          offset 0) kept_order
      where r.merchant_id = ${merchantId} ${accountId === null ? sql`` : sql`and r.account_id = ${accountId}`}
        ${within(sql, { ...asked, filter: { ...asked.filter, search: null } }, sql`r.done_at`, sql`r.order_id`)}
        ${
          search === null
            ? sql``
            : sql`and exists (select from orders o ${besides(sql)}
          where o.merchant_id = r.merchant_id and o.order_id = r.order_id and ${contains(sql, search)})`
        }
      order by r.done_at desc, r.order_id desc limit ${asked.limit})`;
  },
} satisfies Record<string, Part>;

/** The page's place and the filter, for money without an order. */
function within(sql: Queryable, { filter, after, floor }: Reading, at: unknown, id: unknown) {
  const { search } = filter;
  return sql`${ofDays(sql, filter, at)}
    ${after === null ? sql`` : sql`and ${at} <= ${after.createdAt} and (${at}, ${id}) < (${after.createdAt}, ${after.orderId})`}
    ${floor === null ? sql`` : sql`and ${at} >= ${floor.createdAt}`}
    ${search === null ? sql`` : creditContains(sql, search)}`;
}

function creditContains(sql: Queryable, search: string) {
  const { from, to } = paymentSums(search);
  return sql`and (strpos(lower(concat_ws(chr(10), e.payer, e.bank_reference, e.alert_id)), lower(${search})) > 0
      or e.amount_paise between ${from} and ${to})`;
}

export type DayTotal = { day: string; count: number; paise: number };

export async function sumDays(sql: Queryable, merchantId: number, days: readonly string[], now: Date) {
  return await sql<DayTotal[]>`
    select d.day, came.count, came.paise from unnest(${[...days]}::text[]) as d (day) cross join lateral (
      select count(*)::int as count, coalesce(sum(r.received_paise), 0)::bigint as paise from ${receivedMoney(sql, now)} r
      where r.merchant_id = ${merchantId} and r.paid_at >= d.day::date::timestamp at time zone 'Asia/Kolkata'
        and r.paid_at < (d.day::date + 1)::timestamp at time zone 'Asia/Kolkata') came`;
}
