import type { Transaction } from '../../base/database/connect.ts';
import { lateWindow } from '../../base/time-windows.ts';
import { genuineCredits } from '../../payments/matching/queries/credits.ts';
import { lockReference } from '../../payments/matching/queries/typed-references.ts';

const late = `${lateWindow} milliseconds`;

/** Locks an order that nobody can pay any more and for which no money waits. `over_at` is when its time is over. */
export async function lockOrderToErase(tx: Transaction, merchantId: number, orderId: string, now: Date) {
  const [row] = await tx<
    { erasure_id: string | null; pay_token: string; is_decided: boolean; over_at: Date }[]
  >`
    select o.erasure_id, o.pay_token, o.expires_at + ${late}::interval + interval '1 ms' as over_at, o.status <> 'manual_review' and o.expires_at + ${late}::interval < ${now}
      and not exists (select from handled_credits h where h.merchant_id = o.merchant_id and h.order_id = o.order_id
        and h.state in ('attached', 'to_give_back')) as is_decided
    from orders o where o.merchant_id = ${merchantId} and o.order_id = ${orderId} for update of o`;
  return row;
}

export async function lockReport(tx: Transaction, merchantId: number, orderId: string) {
  const [row] = await tx<{ note: string; settled_at: Date | null }[]>`
    select note, settled_at from page_reports where merchant_id = ${merchantId} and order_id = ${orderId} for update`;
  return row;
}

export async function notifyOrderChanged(tx: Transaction, payToken: string): Promise<void> {
  await tx`select pg_notify('milaan_orders', ${payToken})`;
}

/** Locks the event against every sender before the delivery queue is read. */
export async function lockEventToErase(tx: Transaction, merchantId: number, eventId: string) {
  const [event] = await tx<{ erasure_id: string | null; is_order_erased: boolean }[]>`
    select e.erasure_id, not exists (select from orders o
      where o.merchant_id = e.merchant_id and o.order_id = e.order_id and o.erasure_id is null
        and e.type <> 'payment.unmatched') as is_order_erased
    from events e where e.merchant_id = ${merchantId} and e.event_id = ${eventId} for update of e`;
  if (!event) return undefined;
  await tx`select from given_up_events where merchant_id = ${merchantId} and event_id = ${eventId} for update`;
  const waiting = await tx`
    select from delivery_queue where merchant_id = ${merchantId} and event_id = ${eventId}
    union all select from deliveries_in_hand where merchant_id = ${merchantId} and event_id = ${eventId}`;
  return { ...event, is_waiting: waiting.length > 0 };
}

type MailToErase = {
  erasure_id: string | null;
  /** The reference in its counted form. */
  reference: string | null;
  held_line: number | null;
  is_decided: boolean;
};

/** Locks the reference first, in the same order as code that confirms or claims a payment. */
export async function lockMailToErase(
  tx: Transaction,
  merchantId: number,
  alertId: string,
  { now, unreadBefore }: { now: Date; unreadBefore: Date },
) {
  const [told] = await tx<{ bank_reference: string | null }[]>`
    select bank_reference from alerts where merchant_id = ${merchantId} and alert_id = ${alertId}`;
  if (told?.bank_reference != null) await lockReference(tx, merchantId, told.bank_reference);
  const [row] = await tx<MailToErase[]>`
    select a.erasure_id, counted_reference(a.bank_reference) as reference, a.held_line,
      a.verdict not in ('unjudged', 'retrying') and a.claim is null and a.next_try_at is null
      and a.bank_reference is not distinct from ${told?.bank_reference ?? null}::text
      and case
        when a.verdict = 'paid' then not exists (select from orders o where o.merchant_id = a.merchant_id
          and o.alert_id = a.alert_id and o.expires_at + ${late}::interval >= ${now})
        -- Somebody has yet to say whose money it is, or to give it back.
        when a.verdict in ${genuineCredits} then a.is_ended
        when a.verdict in ('unreadable', 'forged') then a.arrived_at < ${unreadBefore}
        else true end as is_decided
    from alerts a where a.merchant_id = ${merchantId} and a.alert_id = ${alertId} for update of a`;
  return row;
}

/**
 * R2: replaces the reference by its mark, which counts here and for businesses with the same account. A waiting credit
 * of theirs with this reference becomes settled now.
 */
export async function markCounted(
  tx: Transaction,
  merchantId: number,
  alertId: string,
  { counted, mark }: { counted: string; mark: string },
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${counted}::text, 7264253))`;
  await tx`
    update counted_references r set settled_elsewhere = true
    from settled_references s, alerts a
    where s.merchant_id = ${merchantId} and s.alert_id = ${alertId} and s.bank_reference = ${counted}
      and r.bank_reference = s.bank_reference and r.merchant_id <> s.merchant_id
      and a.merchant_id = r.merchant_id and a.alert_id = r.alert_id and a.bank = s.bank
      and same_account(s.digits, coalesce(a.account_digits, (select min(u.account_digits) from upi_accounts u
        where u.merchant_id = r.merchant_id and u.bank = a.bank having count(*) = 1)))`;
  const rows = await tx`
    update counted_references set bank_reference = ${mark}
    where merchant_id = ${merchantId} and alert_id = ${alertId} and bank_reference = ${counted} returning alert_id`;
  await tx`
    update statement_marks set line_key = ${mark}
    where merchant_id = ${merchantId} and alert_id = ${alertId} and line_key = ${counted}`;
  if (rows.length > 0)
    await tx`delete from claimed_references where merchant_id = ${merchantId} and bank_reference = ${counted}`;
}

export async function selectTypedReferences(
  tx: Transaction,
  merchantId: number,
  orderId: string,
): Promise<string[]> {
  return await tx<{ bank_reference: string }[]>`
    select bank_reference from claimed_references where merchant_id = ${merchantId} and order_id = ${orderId}`.column();
}

export async function deleteTypedReferences(
  tx: Transaction,
  merchantId: number,
  orderId: string,
  references: string[],
): Promise<void> {
  await tx`
    delete from claimed_references
    where merchant_id = ${merchantId} and order_id = ${orderId} and bank_reference = any (${references}::text[])`;
}

export async function selectHeldLine(tx: Transaction, lineId: number): Promise<string | null> {
  return await tx<{ text: string }[]>`
    select line || ' ' || surroundings as text from held_lines where line_id = ${lineId} for update`.value();
}

export async function wipeHeldLine(tx: Transaction, lineId: number): Promise<void> {
  await tx`update held_lines set line = 'erased ' || line_id, surroundings = '' where line_id = ${lineId}`;
}
