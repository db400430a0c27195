import { day, hour, later, minute } from '../../../base/clock.ts';
import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { clearLease } from '../../../base/database/row-lease.ts';
import { mostOffset, type Paise } from '../../../base/money.ts';
import { earlyWindow, lateWindow, payableTime } from '../../../base/time-windows.ts';
import { indianMonth } from '../../../business/merchants/indian-month.ts';
import type { Order } from '../../../orders/order.ts';
import { orderColumns } from '../../../orders/sql-fragments.ts';
import { type Reason, readVerdicts, type Verdict } from '../../../texts/verdicts.ts';
import { setFacts } from '../alert-facts.ts';
import { countedReference } from '../counted-reference.ts';
import type { Confirmation, Credit, NearMiss, Payment } from '../credit.ts';
import type { Recorded } from '../doubt-about-account.ts';
import { namesEarlierDay } from '../names-earlier-day.ts';
import { orderCameFirst } from '../order-came-first.ts';

type LockedAlert = {
  /** The outcome that stands. */
  decided: Confirmation | null;
  /** It met nobody: an order that drew its number before it and was committed after it was judged may still be paid. */
  mayPay: boolean;
};

export async function lockAlert(tx: Transaction, { merchantId, alertId }: Credit): Promise<LockedAlert> {
  const [row] = await tx<{ verdict: Verdict; order_id: string | null; met_nobody: boolean }[]>`
    select verdict, order_id, table_row = 9 and order_id is null and not exists (select from handled_credits h
      where h.merchant_id = alerts.merchant_id and h.alert_id = alerts.alert_id) as met_nobody from alerts
    where merchant_id = ${merchantId} and alert_id = ${alertId} for update`;
  if (!row) throw new Error(`alert ${alertId} is not stored`);
  const outcome = readVerdicts.find(one => one === row.verdict);
  return {
    decided: outcome ? { outcome, orderId: row.order_id } : null,
    mayPay: outcome === 'no_order' && row.met_nobody === true,
  };
}

/**
 * Counts the credit; false when it was counted before, and then nothing is taken: a copy that took half of what the
 * first mail counted would make that one a duplicate too, and its order would never be paid.
 */
export async function countCredit(tx: Transaction, credit: Credit, now: Date): Promise<boolean> {
  await tx`savepoint counting`;
  const isFirst = (await countSignatures(tx, credit, now)) && (await countReference(tx, credit, now));
  if (!isFirst) await uncountCredit(tx);
  return isFirst;
}

/** Takes back what this transaction has counted; whatever it wrote since goes with it. */
export async function uncountCredit(tx: Transaction): Promise<void> {
  await tx`rollback to savepoint counting`;
}

/** False when a signature was counted before: the same mail again, refolded, renamed, or in another mailbox. */
async function countSignatures(tx: Transaction, credit: Credit, now: Date): Promise<boolean> {
  // Always in one order, so that two copies of a mail cannot wait for each other.
  for (const signatureId of [...credit.signatureIds].sort()) {
    const rows = await tx`
      insert into counted_signatures (signature_id, merchant_id, alert_id, counted_at)
      values (${signatureId}, ${credit.merchantId}, ${credit.alertId}, ${now})
      on conflict (signature_id) do update set merchant_id = excluded.merchant_id, alert_id = excluded.alert_id
        where (counted_signatures.merchant_id = excluded.merchant_id and counted_signatures.alert_id = excluded.alert_id)
          or (counted_signatures.merchant_id <> excluded.merchant_id and not counted_signatures.settled)
      returning signature_id`;
    if (rows.length === 0) return false;
  }
  return true;
}

export async function settleSignatures(tx: Transaction, { signatureIds }: Credit): Promise<void> {
  await tx`update counted_signatures set settled = true where signature_id in ${tx([...signatureIds])}`;
}

/**
 * False when another alert of this business carried the same reference, with as many leading zeros as its bank prints, or
 * when it has settled something in another business whose account it is too (`settled_elsewhere` of migration 71).
 */
async function countReference(tx: Transaction, credit: Credit, now: Date): Promise<boolean> {
  if (credit.reference === null) return true;
  const [row] = await tx<{ is_settled: boolean }[]>`
    insert into counted_references (merchant_id, bank_reference, alert_id, counted_at)
    values (${credit.merchantId}, ${countedReference(tx, credit.reference)}, ${credit.alertId}, ${now})
    on conflict (merchant_id, bank_reference) do update set alert_id = excluded.alert_id
      where counted_references.alert_id = excluded.alert_id
    returning settled_elsewhere(merchant_id, ${credit.bank}, bank_reference, ${credit.accountDigits}) as is_settled`;
  return row?.is_settled === false;
}

export type Holder = Order &
  Recorded & {
    /** The reference tells of a day before the order. */
    of_earlier_day: boolean;
    /** The owner wants fresh payments alone: somebody else may still pay this amount, and nothing shows that this customer just did. */
    is_stale: boolean;
  };

/** R3: at most one order of a business accepts this amount at this time. */
export async function lockOrderFor(tx: Transaction, credit: Credit, now: Date): Promise<Holder | undefined> {
  const rows = await tx<Holder[]>`
    select ${orderColumns(tx, now)}, a.bank, a.account_digits,
      ${namesEarlierDay(tx, tx`${credit.reference}::text`, tx`o.created_at`)} as of_earlier_day,
      m.fresh_only and o.seen_at is not null
        and coalesce(o.intent_at < ${later(credit.alertTime, -freshTime)}, true)
        and exists (select from amounts h where h.merchant_id = o.merchant_id and h.payable_paise = o.payable_paise
          and h.order_id = o.order_id and h.doubted_until > ${credit.alertTime}) as is_stale
    from orders o join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      join merchants m on m.merchant_id = o.merchant_id
      ${joinAlert(tx, credit)}
    where o.merchant_id = ${credit.merchantId} and o.payable_paise = ${credit.amount}
      and o.status in ('pending', 'manual_review', 'paid')
      and o.created_at <= ${later(credit.alertTime, earlyWindow)} and ${orderCameFirst(tx)}
      and o.expires_at >= ${later(credit.alertTime, -lateWindow)}
    order by o.created_at limit 2
    for update of o`;
  if (rows.length > 1)
    throw new Error(`two orders of merchant ${credit.merchantId} accept ${credit.amount} paise at once`);
  return rows[0];
}

/** How long before the money a customer taps on an app. */
export const freshTime = 3 * minute;

/** The stored alert as `e`: it is asked which was first. */
function joinAlert(tx: Transaction, { alertId }: Credit) {
  return tx`join alerts e on e.merchant_id = o.merchant_id and e.alert_id = ${alertId}`;
}

export async function markOrderPaid(
  tx: Transaction,
  payment: Payment,
  orderId: string,
  now: Date,
): Promise<void> {
  const rows = await tx`
    with paid as (
    update orders set status = 'paid', paid_at = ${now}, alert_id = ${payment.alertId},
      bank_reference = ${payment.reference}, received_paise = ${payment.amount}, archived_at = null
    where merchant_id = ${payment.merchantId} and order_id = ${orderId} and status in ('pending', 'manual_review')
    returning merchant_id, order_id, payable_paise), cleared as (
    -- Nobody who paid pays again: its amount is clear when its hold is over, as far as earlier holders left it so.
    update amounts a set clear_at = greatest(a.doubted_until, a.held_until) from paid
    where a.merchant_id = paid.merchant_id and a.payable_paise = paid.payable_paise and a.order_id = paid.order_id)
    select from paid`;
  if (rows.length !== 1) throw new Error(`order ${orderId} does not wait for money`);
}

export async function addToCollections(
  tx: Transaction,
  merchantId: number,
  amount: Paise,
  now: Date,
): Promise<void> {
  await tx`
    insert into collections (merchant_id, month, collected_paise)
    values (${merchantId}, ${indianMonth(tx, now)}, ${amount})
    on conflict (merchant_id, month) do update set collected_paise = collections.collected_paise + excluded.collected_paise`;
}

/**
 * The orders that held the amount before the money came, and whose time was over: it is the money of one of them. Those
 * whose customer showed that they paid first, then other unpaid ones, then the paid ones.
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

/** Banks settle what hangs within two days. */
const namedFor = 48 * hour;

/** The order that asked for exactly this at this time and that a person declined. */
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
 * Unpaid orders in whose window the money came and that ask for nearly as much: the same rupees, or a slip away. At any
 * moment each amount has at most one order (R3), so there are never more than a few hundred.
 */
export async function selectNearOrders(tx: Transaction, credit: Credit, now: Date): Promise<NearOrder[]> {
  const rupees = credit.amount - (credit.amount % 100);
  // One price may have a hundred thousand orders: those of a quarter of an hour are looked at.
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

/** Whether the owner wants plain slips to wait beside their orders. */
export async function holdsNearMisses(sql: Queryable, merchantId: number): Promise<boolean> {
  const [row] = await sql<{ hold_near_misses: boolean }[]>`
    select hold_near_misses from merchants where merchant_id = ${merchantId}`;
  return row?.hold_near_misses ?? false;
}

export async function selectAccountMarks(tx: Transaction, merchantId: number): Promise<Recorded[]> {
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
    update alerts set verdict = ${outcome}, reason_code = ${reason.code}, facts = ${tx.json(reason.facts)},
      order_id = ${orderId}, near_misses = ${tx.json(named)}, table_row = ${row}, judged_at = ${now}, next_try_at = null,
      ${clearLease(tx)}, ${setFacts(tx, credit)}
    where merchant_id = ${credit.merchantId} and alert_id = ${credit.alertId}`;
}

export async function updateHoldNearMisses(sql: Queryable, merchantId: number, hold: boolean): Promise<void> {
  await sql`update merchants set hold_near_misses = ${hold} where merchant_id = ${merchantId}`;
}
