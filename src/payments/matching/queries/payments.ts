import { day, hour, later, minute } from '../../../base/clock.ts';
import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { mostOffset } from '../../../base/money.ts';
import { earlyWindow, lateWindow, payableTime } from '../../../base/time-windows.ts';
import type { Order } from '../../../orders/order.ts';
import { orderColumns } from '../../../orders/sql-fragments.ts';
import { type Reason, readVerdicts, type Verdict } from '../../../texts/verdicts.ts';
import type { Confirmation, Credit, NearMiss } from '../credit.ts';
import { orderCameFirst } from '../sql-fragments.ts';
import { paymentsOfATrial } from './trials.ts';

/** Gates that ask whether the money came at all: one tap answers them. */
export const trustGates = [
  'waits_review_only',
  'waits_trial',
  'waits_ceiling',
  'waits_two_cells',
  'waits_shared_account',
] as const;

/**
 * Why an exact credit in time does not pay the order that holds its amount, as `credit_holder` reports it: row 4 of
 * the table, row 2, and the gates of row 3, at which it waits for a person.
 */
type Gate = 'paid_already' | Unclear | 'earlier_day' | 'not_fresh' | (typeof trustGates)[number];
type Unclear = 'contested' | 'maybe_counted';

type LockedAlert = {
  /** It found no order before. That was reported, and the money was held. */
  was_unmatched: boolean;
  /** The outcome so far, if nothing may change it any more. */
  decided: Confirmation | null;
};

export async function lockAlert(tx: Transaction, { merchantId, alertId }: Credit): Promise<LockedAlert> {
  const [row] = await tx<{ verdict: Verdict; order_id: string | null }[]>`
    select a.verdict, a.order_id, stop_if_moved(m.moved_at) from alerts a join merchants m on m.merchant_id = a.merchant_id
    where a.merchant_id = ${merchantId} and a.alert_id = ${alertId} for update of a`;
  if (!row) throw new Error(`alert ${alertId} is not stored`);
  const isUnmatched = row.verdict === 'no_order';
  // A person's decision stays, and so does a payment without an order, whatever a second judge finds.
  const isDecided = !isUnmatched || (await isHandled(tx, merchantId, alertId));
  const outcome = isDecided ? readVerdicts.find(one => one === row.verdict) : undefined;
  return { was_unmatched: isUnmatched, decided: outcome ? { outcome, orderId: row.order_id } : null };
}

/** Asked once the alert is locked, because such rows are only written under that lock. */
async function isHandled(tx: Transaction, merchantId: number, alertId: string): Promise<boolean> {
  const rows = await tx`
    select from handled_credits where merchant_id = ${merchantId} and alert_id = ${alertId}
    union all select from takings where merchant_id = ${merchantId} and alert_id = ${alertId}`;
  return rows.length > 0;
}

/** A credit in the form that the database functions take, with our limits. */
export function writeCredit(credit: Credit) {
  const {
    signatureIds,
    accountDigits,
    payeeVpa,
    signingDomain,
    alertTime,
    printedAt = null,
    twoCells = false,
    ...said
  } = credit;
  const { bank, template, amount, reference, payer, selector, recipient, trust, erasureHash } = said;
  return {
    ...{ bank, template, amount, reference, payer, selector, recipient, trust, mark: erasureHash },
    ...{ digits: accountDigits, payee_vpa: payeeVpa, signing_domain: signingDomain, printed_at: printedAt },
    two_cells: twoCells,
    ...{ signatures: signatureIds, alert_time: alertTime, trial: paymentsOfATrial },
    ...{ early: `${earlyWindow} ms`, late: `${lateWindow} ms`, fresh: `${lateAfter} ms` },
  };
}

/** Half a surrogate pair in a stranger's name is no text, and PostgreSQL would refuse the JSON. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'string' ? one.toWellFormed() : one));
}

function creditJson(sql: Queryable, credit: Credit) {
  return sql`${jsonOf(writeCredit(credit))}::jsonb`;
}

export type Recorded = { bank: string | null; account_digits: string | null; vpa: string };

export type AmountHolder = Order & Recorded & { gate: Gate | null; version: string; holders: number };

/** R3: at most one order of a business accepts this amount at this time. Without a lock this decides nothing. */
export async function selectHolder(
  sql: Queryable,
  credit: Credit,
  now: Date,
): Promise<AmountHolder | undefined> {
  const rows = await sql<AmountHolder[]>`
    select ${orderColumns(sql, now)}, a.bank, a.account_digits, h.gate, h.version, h.holders
    from credit_holder(${credit.merchantId}, ${credit.alertId}, ${creditJson(sql, credit)}) h
      cross join lateral (select (h.o).*) o cross join lateral (select (h.a).*) a
    where h.holders > 0`;
  if (rows[0] && rows[0].holders > 1)
    throw new Error(`two orders of merchant ${credit.merchantId} accept ${credit.amount} paise at once`);
  return rows[0];
}

/** Locks first and asks then, so that no answer is older than the lock. */
export async function lockOrderFor(
  tx: Transaction,
  credit: Credit,
  now: Date,
): Promise<AmountHolder | undefined> {
  await tx`select lock_holders(${credit.merchantId}, ${creditJson(tx, credit)})`;
  return await selectHolder(tx, credit, now);
}

/** How long before the money a customer taps on an app. */
export const lateAfter = 3 * minute;

/** The stored alert as `e`, to find out which came first. */
function joinAlert(tx: Transaction, { alertId }: Credit) {
  return tx`join alerts e on e.merchant_id = o.merchant_id and e.alert_id = ${alertId}`;
}

/**
 * Expired orders that held the amount before the money came. It belongs to one of them. Orders whose customer showed
 * that they paid come first, then other unpaid ones, then paid ones.
 */
export async function selectHolders(
  tx: Transaction,
  credit: Credit,
): Promise<(NearMiss & { is_paid: boolean })[]> {
  return await tx<(NearMiss & { is_paid: boolean })[]>`
    select order_id, payable_paise, null as slip, status = 'paid' as is_paid from orders
    where merchant_id = ${credit.merchantId} and payable_paise = ${credit.amount}
      and expires_at < ${later(credit.alertTime, -lateWindow)}
      and created_at > ${later(credit.alertTime, -namedFor)}
    order by status = 'paid', intent_at is null, created_at desc`;
}

/** Banks settle delayed payments within two days. */
const namedFor = 48 * hour;

/** The order that asked for exactly this sum at this time, and that a person declined. */
export async function selectDeclined(tx: Transaction, credit: Credit): Promise<string | null> {
  const [row] = await tx<{ order_id: string }[]>`
    select o.order_id from orders o ${joinAlert(tx, credit)}
    where o.merchant_id = ${credit.merchantId} and o.payable_paise = ${credit.amount} and o.status = 'failed'
      and o.created_at <= ${later(credit.alertTime, earlyWindow)} and ${orderCameFirst(tx)}
      and o.expires_at >= ${later(credit.alertTime, -lateWindow)}
    order by o.created_at desc limit 1`;
  return row?.order_id ?? null;
}

type NearOrder = Recorded & Pick<Order, 'order_id' | 'amount_paise' | 'payable_paise'>;

/**
 * Unpaid orders in whose window the money came, for the same rupees or a near miss. Each amount has at most one order
 * at any moment (R3), so there are never more than a few hundred.
 */
export async function selectNearOrders(tx: Transaction, credit: Credit, now: Date): Promise<NearOrder[]> {
  const rupees = credit.amount - (credit.amount % 100);
  // One price may have a hundred thousand orders, so only those of a quarter of an hour are read.
  const earliest = Math.max(now.getTime() - lookBack, credit.alertTime.getTime() - lateWindow - payableTime);
  return await tx<NearOrder[]>`
    select o.order_id, o.amount_paise, o.payable_paise, a.vpa, a.bank, a.account_digits
    from orders o join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      ${joinAlert(tx, credit)}
    where o.merchant_id = ${credit.merchantId} and o.status <> 'paid'
      and o.payable_paise between ${rupees - 50} and ${credit.amount + mostOffset}
      and (o.payable_paise between ${rupees - 50} and ${rupees + 99} or o.amount_paise = ${credit.amount})
      and o.created_at between ${new Date(earliest)} and ${later(credit.alertTime, earlyWindow)} and ${orderCameFirst(tx)}
      and o.expires_at >= ${later(credit.alertTime, -lateWindow)}
    order by abs(o.payable_paise - ${credit.amount}), o.order_id`;
}

const lookBack = 1 * day;

export async function holdsNearMisses(sql: Queryable, merchantId: number): Promise<boolean> {
  const [row] = await sql<{ hold_near_misses: boolean }[]>`
    select hold_near_misses from merchants where merchant_id = ${merchantId}`;
  return row?.hold_near_misses ?? false;
}

export async function selectAccountFacts(tx: Transaction, merchantId: number): Promise<Recorded[]> {
  return await tx<
    Recorded[]
  >`select vpa, bank, account_digits from upi_accounts where merchant_id = ${merchantId} order by is_default desc, created_at`;
}

type StoredVerdict = Confirmation & { row: number | null; reason: Reason; named?: NearMiss[] };

export async function storeVerdict(
  tx: Transaction,
  credit: Credit,
  { row, outcome, orderId, reason, named = [] }: StoredVerdict,
  now: Date,
): Promise<void> {
  await tx`
    select store_verdict(${credit.merchantId}, ${credit.alertId}, ${creditJson(tx, credit)}, ${outcome}, ${orderId}, ${row},
      ${reason.code}, ${tx.json(reason.facts)}, ${tx.json(named)}, ${now})`;
}

export async function updateHoldNearMisses(sql: Queryable, merchantId: number, hold: boolean): Promise<void> {
  await sql`update merchants set hold_near_misses = ${hold} where merchant_id = ${merchantId}`;
}
