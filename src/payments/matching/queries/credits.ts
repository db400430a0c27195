import type { Transaction } from '../../../base/database/connect.ts';
import { writtenOut } from '../../../base/database/write-query.ts';
import type { Paise } from '../../../base/money.ts';
import type { Order } from '../../../orders/order.ts';
import { orderChannel } from '../../../orders/order-news.ts';
import { insideHistory, orderColumns } from '../../../orders/sql-fragments.ts';
import { creditVerdicts, type Reason, type Verdict } from '../../../texts/verdicts.ts';
import type { Countable } from '../count-credit.ts';
import type { Recorded } from './payments.ts';

/** For `verdict in …`, in the form that the indexes have. */
export const genuineCredits = writtenOut(creditVerdicts);

/** The state of a credit, as `handled_credits` stores it. Without a row it is `open`. */
export type CreditState = 'open' | 'attached' | 'accepted' | 'to_give_back' | 'given_back' | 'kept';
export type FoundBy = 'slip' | 'reference' | 'person' | 'exact';

export type LockedCredit = {
  alert_id: string;
  verdict: Verdict;
  amount_paise: Paise | null;
  bank: string | null;
  account_digits: string | null;
  payee_vpa: string | null;
  bank_reference: string | null;
  payer: string | null;
  alert_time: Date | null;
  signatures: string[];
  /** Its bytes are stored and its business still sees it. Only such a credit can be given to an order (R1). */
  is_kept: boolean;
};

/** The first lock of all. The business's removal waits for us, or has already begun, and this returns false. */
export async function keepMerchant(tx: Transaction, merchantId: number): Promise<boolean> {
  const rows =
    await tx`select stop_if_moved(moved_at) from merchants where merchant_id = ${merchantId} and removal_began_at is null for share`;
  return rows.length === 1;
}

export async function lockCredit(
  tx: Transaction,
  merchantId: number,
  alertId: string,
  now: Date,
): Promise<LockedCredit | undefined> {
  const [row] = await tx<LockedCredit[]>`
    select stop_if_moved(m.moved_at), a.alert_id, a.verdict, a.amount_paise, a.bank, a.account_digits, a.payee_vpa, a.bank_reference,
      a.payer, a.alert_time, array_remove(a.signature_id || a.other_signature_ids, null) as signatures,
      exists (select from raw_mails r
        where r.merchant_id = a.merchant_id and r.alert_id = a.alert_id and r.arrived_at = a.arrived_at)
        and (p.history_days is null or a.arrived_at > ${now}::timestamptz - p.history_days * interval '1 day') as is_kept
    from alerts a
      join merchants m on m.merchant_id = a.merchant_id
      join plans p on p.plan = m.plan
    where a.merchant_id = ${merchantId} and a.alert_id = ${alertId}
    for update of a`;
  return row;
}

export type ReviewedOrder = Order & Recorded & { is_inside: boolean };

export async function lockOrder(
  tx: Transaction,
  merchantId: number,
  orderId: string,
  now: Date,
): Promise<ReviewedOrder | undefined> {
  const [row] = await tx<ReviewedOrder[]>`
    select ${orderColumns(tx, now)}, a.bank, a.account_digits, ${insideHistory(tx, now)} as is_inside
    from orders o
      join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      join merchants m on m.merchant_id = o.merchant_id
      join plans p on p.plan = m.plan
    where o.merchant_id = ${merchantId} and o.order_id = ${orderId}
    for update of o`;
  return row;
}

export async function isOrderPaid(tx: Transaction, merchantId: number, orderId: string): Promise<boolean> {
  const rows = await tx`
    select from orders where merchant_id = ${merchantId} and order_id = ${orderId} and status = 'paid'`;
  return rows.length === 1;
}

export type Standing = {
  state: CreditState;
  order_id: string | null;
  found_by: FoundBy | null;
  done_by: string | null;
  done_at: Date | null;
};

/** Reliable under the alert's lock, except that an exact payment of its order turns `attached` into `open`. */
export async function selectStanding(
  tx: Transaction,
  merchantId: number,
  alertId: string,
): Promise<Standing> {
  const [row] = await tx<Standing[]>`
    select state, order_id, found_by, done_by, done_at from handled_credits
    where merchant_id = ${merchantId} and alert_id = ${alertId} for update`;
  return row ?? { state: 'open', order_id: null, found_by: null, done_by: null, done_at: null };
}

/** Not locked here, because the order must be locked first. */
export async function selectOrderOf(
  tx: Transaction,
  merchantId: number,
  alertId: string,
): Promise<string | null> {
  const [row] = await tx<{ order_id: string | null }[]>`
    select order_id from handled_credits where merchant_id = ${merchantId} and alert_id = ${alertId}`;
  return row?.order_id ?? null;
}

/** The facts that identify this credit. It was counted when it was judged, so it needs no erased reference's hash. */
export function countable(merchantId: number, credit: LockedCredit): Countable {
  const { alert_id: alertId, signatures: signatureIds, bank, bank_reference: reference } = credit;
  return {
    merchantId,
    alertId,
    signatureIds,
    bank,
    reference,
    accountDigits: credit.account_digits,
    erasureHash: '',
  };
}

export type Step = {
  merchantId: number;
  alertId: string;
  state: CreditState;
  orderId: string | null;
  foundBy: FoundBy | null;
  by: string;
  now: Date;
  note: string;
  returnReference: string | null;
};

export async function storeStep(tx: Transaction, step: Step): Promise<void> {
  await tx`
    insert into handled_credits (merchant_id, alert_id, state, order_id, found_by, done_by, done_at, note, return_reference)
    values (${step.merchantId}, ${step.alertId}, ${step.state}, ${step.orderId}, ${step.foundBy}, ${step.by}, ${step.now},
      ${step.note}, ${step.returnReference})
    on conflict (merchant_id, alert_id) do update set state = excluded.state, order_id = excluded.order_id,
      found_by = coalesce(excluded.found_by, handled_credits.found_by), done_by = excluded.done_by,
      done_at = excluded.done_at, note = excluded.note, return_reference = excluded.return_reference`;
  // Everything that was settled for it waits again, and gives way to another business.
  if (step.state === 'open') await tx`select unsettle_credit(${step.merchantId}, ${step.alertId})`;
  const isEnded = step.state === 'given_back' || step.state === 'kept';
  // A payment without an order that waits for nobody any more counts again, and needs no action.
  await tx`
    update alerts a set is_ended = ${isEnded} or (${step.state === 'open'}
      and a.reason_code is distinct from 'claimed_by_several' and exists (
      select from takings t where t.merchant_id = a.merchant_id and t.alert_id = a.alert_id))
    where merchant_id = ${step.merchantId} and alert_id = ${step.alertId}
      and (is_ended <> ${isEnded} or ${step.state === 'open'})`;
}

/** Money that waited with the order is open again. */
export async function releaseCredit(
  tx: Transaction,
  merchantId: number,
  orderId: string,
  now: Date,
): Promise<void> {
  await tx`select release_credit(${merchantId}, ${orderId}, ${now})`;
}

/** Moves an unpaid order; only `pay_order` makes one paid. An archived order is archived again. */
export async function moveOrder(
  tx: Transaction,
  merchantId: number,
  orderId: string,
  to: { status: 'pending' | 'manual_review' | 'failed'; received: Paise | null },
): Promise<void> {
  const [row] = await tx<{ pay_token: string; created_at: Date; was_archived: boolean }[]>`
    update orders o set status = ${to.status}, received_paise = ${to.received}, archived_at = null from orders was
    where o.merchant_id = ${merchantId} and o.order_id = ${orderId} and o.status <> 'paid'
      and was.merchant_id = o.merchant_id and was.order_id = o.order_id
    returning o.pay_token, o.created_at, was.archived_at is not null as was_archived`;
  if (!row) throw new Error(`order ${orderId} is paid or gone`);
  await tx.notify(orderChannel, row.pay_token);
  if (row.was_archived) await tx`select archive_anew(${merchantId}, ${row.created_at})`;
}

export async function markAccepted(
  tx: Transaction,
  merchantId: number,
  alertId: string,
  orderId: string,
  reason: Reason,
): Promise<void> {
  await tx`
    update alerts set verdict = 'paid', order_id = ${orderId}, reason_code = ${reason.code},
      facts = ${tx.json(reason.facts)}
    where merchant_id = ${merchantId} and alert_id = ${alertId}`;
}

/** The mail stays genuine, and keeps what a person found. The operator sees how often that happens with a bank. */
export async function markNotArrived(
  tx: Transaction,
  merchantId: number,
  alertId: string,
  by: string,
  now: Date,
): Promise<void> {
  const [row] = await tx<{ bank: string | null }[]>`
    update alerts set reason_code = 'not_arrived',
      facts = jsonb_set(${tx.json({ by })}::jsonb, '{order}', ('"' || order_id || '"')::jsonb)
    where merchant_id = ${merchantId} and alert_id = ${alertId} and order_id is not null
    returning bank`;
  if (!row?.bank) return;
  await tx`
    insert into bank_verdicts (bank, day, verdict, mails)
    values (${row.bank}, (${now}::timestamptz at time zone 'Asia/Kolkata')::date, 'not_arrived', 1)
    on conflict (bank, day, verdict) do update set mails = bank_verdicts.mails + 1`;
}
