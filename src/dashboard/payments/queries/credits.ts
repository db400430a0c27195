import { reasonColumn } from '../../../alerts/queries.ts';
import type { Queryable } from '../../../base/database/connect.ts';
import type { Paise } from '../../../base/money.ts';
import type { Order } from '../../../orders/order.ts';
import { insideHistory } from '../../../orders/sql-fragments.ts';
import type { NearMissKind } from '../../../payments/matching/credit.ts';
import {
  type CreditState,
  type FoundBy,
  genuineCredits,
} from '../../../payments/matching/queries/credits.ts';
import { isOnTrial } from '../../../payments/matching/queries/trials.ts';
import { countedReference } from '../../../payments/matching/sql-fragments.ts';
import { type CreditVerdict, creditVerdicts, type Reason } from '../../../texts/verdicts.ts';
import { type AlertEvidence, evidenceColumns, orderTables, selectListed } from './orders.ts';
import { insideWindow } from './refused.ts';

type NearOrder = {
  order_id: string;
  payable_paise: number;
  slip?: NearMissKind | null;
  /** Another payment has paid it since; then this one is most likely the second. */
  is_paid: boolean;
  /** Its customer tapped on an app, or said that they paid. */
  said_paid: boolean;
};

/** Genuine money that paid no order automatically, and how far a person has come with it (R16). */
export type CreditRow = AlertEvidence & {
  verdict: CreditVerdict | 'paid';
  template: string | null;
  /** The order whose amount it has, if it came too late or once too often. */
  order_id: string | null;
  near_misses: NearOrder[];
  claimants: { order_id: string; payable_paise: number; is_paid: boolean }[];
  reason: Reason | null;
  /** Its wording is not trusted for this amount, so somebody must look for the money first. */
  to_look_for: boolean;
  /** It is counted as money without an order, and may have been spoken aloud. */
  is_counted: boolean;
  told_twice: boolean;
  /** `open` includes payments that nobody has looked at. */
  state: CreditState;
  for_order: string | null;
  for_paise: number | null;
  found_by: FoundBy | null;
  done_by: string | null;
  done_at: Date | null;
  note: string | null;
  return_reference: string | null;
};

function creditColumns(sql: Queryable) {
  return sql`${evidenceColumns(sql)}, e.verdict, e.template, e.order_id, ${nearMisses(sql)} as near_misses, ${reasonColumn(sql)},
    ${claimantsOf(sql)} as claimants, coalesce(h.state, 'open') as state,
    h.order_id as for_order, h.found_by, h.done_by, h.done_at, h.note, h.return_reference,
    ${isReportedTwice(sql)} as told_twice, ${isOnTrial(sql)} as to_look_for,
    exists (select from takings k where k.merchant_id = e.merchant_id and k.alert_id = e.alert_id) as is_counted,
    (select o.payable_paise from orders o where o.merchant_id = h.merchant_id and o.order_id = h.order_id) as for_paise`;
}

/**
 * One payment that may have been reported twice. Another credit has the same account, amount and printed minute as `e`,
 * and the bank prints no reference or possibly the same one. Only a person can say.
 */
function isReportedTwice(sql: Queryable) {
  return sql`(e.reason_code = 'maybe_counted' or exists (select from possible_references o where o.merchant_id = e.merchant_id
      and o.alert_id <> e.alert_id and o.bank_reference = ${countedReference(sql, sql`e.bank_reference`)})
    or exists (select from alerts o
      where o.merchant_id = e.merchant_id and o.amount_paise = e.amount_paise and o.alert_id <> e.alert_id
        and o.bank = e.bank and o.account_digits is not distinct from e.account_digits and o.printed_at = e.printed_at
        and o.bank_reference is null and e.bank_reference is null and o.verdict in ${sql(['paid', ...creditVerdicts])}))`;
}

/** Keeps only valid pairs of amount and order: another release or a forged archive may have stored something else. */
const nearOrders =
  '$[*] ? (@.order_id.type() == "string" && @.payable_paise.floor() == @.payable_paise && @.payable_paise >= 0 && @.payable_paise < 1e15)';

/** The near misses stored with the credit, with those orders' present state. */
function nearMisses(sql: Queryable) {
  return sql`(select coalesce(jsonb_agg(n.near || jsonb_build_object('is_paid', coalesce(o.status = 'paid', false),
        'said_paid', o.intent_at is not null) order by n.at), '[]')
    from jsonb_path_query(e.near_misses, ${nearOrders}::jsonpath) with ordinality as n (near, at)
      left join lateral (select o.status, o.intent_at from orders o
        where o.merchant_id = e.merchant_id and o.order_id = n.near ->> 'order_id' offset 0) o on true)`;
}

/** All orders, also if the credit is attached to one: the person who accepts must have seen the others. */
function claimantsOf(sql: Queryable) {
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('order_id', o.order_id,
      'payable_paise', o.payable_paise, 'is_paid', o.status = 'paid') order by c.claimed_at, o.order_id), '[]')
    from claimed_references c join orders o on o.merchant_id = c.merchant_id and o.order_id = c.order_id
    where c.merchant_id = e.merchant_id and c.bank_reference = ${countedReference(sql, sql`e.bank_reference`)})`;
}

function creditTables(sql: Queryable) {
  return sql`alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
    left join handled_credits h on h.merchant_id = e.merchant_id and h.alert_id = e.alert_id`;
}

export function isToDo(sql: Queryable, merchantId: number, now: Date) {
  return sql`e.merchant_id = ${merchantId} and e.verdict in ${genuineCredits}
    and not e.is_ended and ${isShown(sql, now)}`;
}

/** Money that somebody has started on stays listed until it is finished, because its order waits for the decision. */
function isShown(sql: Queryable, now: Date) {
  return sql`(${insideWindow(sql, now)} or exists (select from handled_credits begun
    where begun.merchant_id = e.merchant_id and begun.alert_id = e.alert_id and begun.state in ('attached', 'to_give_back')))`;
}

type First = { limit: number; now: Date };

export async function selectMoneyToDo(sql: Queryable, merchantId: number, { limit, now }: First) {
  return await sql<CreditRow[]>`
    select ${creditColumns(sql)} from ${creditTables(sql)}
    where ${isToDo(sql, merchantId, now)}
    order by e.arrived_at desc, e.alert_id desc limit ${limit}`;
}

export type MoneyToDo = { count: number; paise: number };

export async function sumMoneyToDo(sql: Queryable, merchantId: number, now: Date): Promise<MoneyToDo> {
  const [row] = await sql<MoneyToDo[]>`
    select count(*) as count, coalesce(sum(e.amount_paise), 0)::bigint as paise
    from alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
    where ${isToDo(sql, merchantId, now)}`;
  return row!;
}

export async function selectCredit(sql: Queryable, merchantId: number, alertId: string, now: Date) {
  return await sql<CreditRow[]>`
    select ${creditColumns(sql)} from ${creditTables(sql)}
    where e.merchant_id = ${merchantId} and e.alert_id = ${alertId} and ${isShown(sql, now)}
      and (e.verdict in ${genuineCredits} or h.state = 'accepted')`.first();
}

export async function selectCredits(sql: Queryable, merchantId: number, alertIds: readonly string[]) {
  if (alertIds.length === 0) return [];
  return await sql<CreditRow[]>`
    select ${creditColumns(sql)} from ${creditTables(sql)}
    where e.merchant_id = ${merchantId} and e.alert_id = any (${[...alertIds]}::text[])`;
}

async function selectUnpaid(sql: Queryable, merchantId: number, now: Date, chosen: unknown) {
  const rows = await sql<{ order_id: string }[]>`
    select o.order_id from ${orderTables(sql)}
    where o.merchant_id = ${merchantId} and o.status <> 'paid' and ${insideHistory(sql, now)} ${chosen}`;
  const ids = rows.map(row => row.order_id);
  return await selectListed(sql, merchantId, ids, now);
}

/** Those that this money is most likely for, named by the alert or by a customer's reference. */
export async function selectLikelyOrders(sql: Queryable, merchantId: number, credit: CreditRow, now: Date) {
  const named = [credit.order_id, credit.for_order, ...credit.near_misses.map(near => near.order_id)].filter(
    id => id !== null,
  );
  const ids = named.length === 0 ? [''] : named;
  const chosen = sql`
      and (o.order_id in ${sql(ids)} or o.order_id in (select c.order_id from claimed_references c
        where c.merchant_id = ${merchantId} and c.bank_reference = ${countedReference(sql, credit.bank_reference)}))
    order by abs(o.payable_paise - ${credit.amount_paise ?? 0}::bigint), o.created_at desc limit ${mostNamed}`;
  return await selectUnpaid(sql, merchantId, now, chosen);
}

/** Those near this amount and time, for a person who has no id. */
export async function selectOrdersAround(sql: Queryable, merchantId: number, credit: CreditRow, now: Date) {
  const { amount_paise, alert_time, arrived_at } = credit;
  const amount = amount_paise ?? 0;
  const chosen = sql`
      and o.payable_paise between ${amount - farthestNearMiss}::bigint and ${amount + farthestNearMiss}::bigint
      and ${isNearTime(sql, alert_time ?? arrived_at)}
    order by abs(o.payable_paise - ${amount}::bigint), o.created_at desc limit ${mostLikely}`;
  return await selectUnpaid(sql, merchantId, now, chosen);
}

type Named = { at: Date; amounts: readonly Paise[]; claimants: string[]; now: Date };

/** Those near this time: first those with one of these amounts, then the nearest in time. */
export async function selectUnpaidAround(
  sql: Queryable,
  merchantId: number,
  { at, amounts, claimants, now }: Named,
) {
  const isClaimed = sql`o.order_id = any (${claimants}::text[])`;
  const chosen = sql`and (${isClaimed} or ${isNearTime(sql, at)})
    order by ${isClaimed} desc, o.payable_paise = any (${[...amounts]}::bigint[]) desc,
      abs(extract(epoch from o.created_at - ${at}::timestamptz)) limit ${mostLikely}`;
  return await selectUnpaid(sql, merchantId, now, chosen);
}

function isNearTime(sql: Queryable, at: Date) {
  return sql`o.created_at between ${at}::timestamptz - interval '1 day' and ${at}::timestamptz + interval '1 day'`;
}

const mostLikely = 10;
/** One amount has at most so many holders in two days. */
const mostNamed = 180;
/** Paise: the largest offset (R6), plus a rupee for rounding. No near miss is further from its order. */
export const farthestNearMiss = 400;

/** Money that is, was or may be this order's: attached to it, or an unfinished near miss. */
export async function selectMoneyOfOrder(
  sql: Queryable,
  merchantId: number,
  { order_id, amount_paise, payable_paise }: Order,
  now: Date,
): Promise<CreditRow[]> {
  const near = sql.json([{ order_id }]);
  return await sql<CreditRow[]>`
    select ${creditColumns(sql)} from ${creditTables(sql)}
    where e.merchant_id = ${merchantId} and ${isShown(sql, now)} and e.alert_id in (
      select n.alert_id from alerts n
      where n.merchant_id = ${merchantId} and n.verdict in ${genuineCredits}
        and n.amount_paise between ${amount_paise - 100}::bigint and ${payable_paise + 100}::bigint
        and (n.near_misses @> ${near} or n.order_id = ${order_id})
      union all
      select a.alert_id from handled_credits a where a.merchant_id = ${merchantId} and a.order_id = ${order_id})
    order by e.arrived_at desc, e.alert_id desc limit ${mostLikely}`;
}

/** Orders whose customers typed one of these references, compared exactly. */
export async function selectTypedOn(sql: Queryable, merchantId: number, references: readonly string[]) {
  return await sql<{ order_id: string; reference: string }[]>`
    select c.order_id, given.reference
    from unnest(${[...references]}::text[]) as given (reference) join claimed_references c
      on c.merchant_id = ${merchantId} and c.bank_reference = ${countedReference(sql, sql`given.reference`)}
    order by c.claimed_at`;
}

export type StoredReference = {
  bank_reference: string;
  claimed_at: Date;
  /** The alert with this reference; null if no such money has come. */
  alert_id: string | null;
};

/** The reference that the customer says they paid with. It proves nothing. */
export async function selectTypedReferences(sql: Queryable, merchantId: number, orderId: string) {
  return await sql<StoredReference[]>`
    select c.bank_reference, c.claimed_at, r.alert_id
    from claimed_references c
      left join counted_references r on r.merchant_id = c.merchant_id and r.bank_reference = c.bank_reference
    where c.merchant_id = ${merchantId} and c.order_id = ${orderId} order by c.claimed_at`;
}
