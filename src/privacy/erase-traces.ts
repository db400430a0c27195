import { selectHeldAlert } from '../alerts/held/queries/held-mails.ts';
import { day, later } from '../base/clock.ts';
import type { Transaction } from '../base/database/connect.ts';
import { lateWindow } from '../base/time-windows.ts';
import type { World } from '../base/world.ts';
import { orderChannel } from '../orders/order-news.ts';
import { hashReference } from '../payments/matching/erased-references.ts';
import { genuineCredits } from '../payments/matching/queries/credits.ts';
import { lockReference } from '../payments/matching/queries/typed-references.ts';
import type { Wait } from './erasure.ts';
import type { Traces } from './find-traces.ts';
import { personalList, type TraceKind } from './personal-columns.ts';

export type Erasing = {
  merchantId: number;
  erasureId: string;
  key: Buffer;
  isHit: (text: string) => boolean;
};

/** After this time the bank's wording is known, or it never will be. */
const unreadFor = 2 * day;

/**
 * Erases what was found, one thing per transaction, so after a crash the next run finds the rest. A row that leads to
 * others is erased after them. Rows that are undecided or not yet reported wait.
 */
export async function eraseTraces(
  world: Pick<World, 'sql' | 'clock'>,
  erasing: Erasing,
  traces: Traces,
): Promise<{ erased: Record<TraceKind, number>; waits: Wait[]; firstOver: Date | null }> {
  const erased = { notice: 0, deed: 0, note: 0, report: 0, order: 0, event: 0, alert: 0 };
  const waits: Wait[] = [];
  let firstOver: Date | null = null;
  const work = {
    notice: eraseRows,
    deed: eraseRows,
    note: eraseRows,
    report: eraseReport,
    order: eraseOrder,
    event: eraseEvent,
    alert: eraseAlert,
  } satisfies Record<TraceKind, unknown>;
  for (const kind of Object.keys(work) as TraceKind[]) {
    for (const id of traces[kind]) {
      const done = await world.sql.begin(tx => work[kind](tx, erasing, kind, id, world.clock.now()));
      if (done instanceof Date && !(firstOver && firstOver < done)) firstOver = done;
      if (done === 'waits' || done instanceof Date)
        waits.push({ what: kind === 'report' ? 'order' : (kind as Wait['what']), id });
      else if (done === 'erased') erased[kind]++;
    }
  }
  for (const id of traces.ordersWithClaims) {
    const isDone = await world.sql.begin(tx => eraseClaims(tx, erasing, id, world.clock.now()));
    if (!isDone) waits.push({ what: 'order', id });
  }
  return { erased, waits, firstOver };
}

/** The typed reference is erased. The order belongs to somebody else and stays as it is. */
async function eraseClaims(tx: Transaction, { merchantId, isHit }: Erasing, id: string, now: Date) {
  const order = await lockOrderToErase(tx, merchantId, id, now);
  if (order && !order.is_decided) return false;
  const typed = await tx<{ bank_reference: string }[]>`
    select bank_reference from claimed_references where merchant_id = ${merchantId} and order_id = ${id}`.column();
  await tx`
    delete from claimed_references
    where merchant_id = ${merchantId} and order_id = ${id} and bank_reference = any (${typed.filter(isHit)}::text[])`;
  return true;
}

/** A date means that the row waits at least until then. */
type Done = 'erased' | 'waits' | Date | 'nothing';
type Erase = (tx: Transaction, erasing: Erasing, kind: TraceKind, id: string, now: Date) => Promise<Done>;

const eraseOrder: Erase = async (tx, erasing, kind, id, now) => {
  const order = await lockOrderToErase(tx, erasing.merchantId, id, now);
  if (!order || order.erasure_id !== null) return 'nothing';
  if (!order.is_decided) return order.over_at > now ? order.over_at : 'waits';
  await eraseRows(tx, erasing, kind, id, now);
  // Processes that cache this order read it again.
  await tx.notify(orderChannel, order.pay_token);
  return 'erased';
};

/** The operator reads a report first, so that a shop cannot make a complaint about itself disappear. */
const eraseReport: Erase = async (tx, erasing, kind, id, now) => {
  const [report] = await tx<{ note: string; settled_at: Date | null }[]>`
    select note, settled_at from page_reports
    where merchant_id = ${erasing.merchantId} and order_id = ${id} for update`;
  if (!report || report.note === '') return 'nothing';
  return report.settled_at === null ? 'waits' : await eraseRows(tx, erasing, kind, id, now);
};

/** R8: an event is delivered or given up first, and never rewritten. Only the fact that it was sent remains. */
const eraseEvent: Erase = async (tx, erasing, kind, id, now) => {
  const event = await lockEventToErase(tx, erasing.merchantId, id);
  if (!event || event.erasure_id !== null) return 'nothing';
  // An order's events are erased with the order.
  if (event.is_waiting || !event.is_order_erased) return 'waits';
  return await eraseRows(tx, erasing, kind, id, now);
};

/** Keeps amount, time, verdict and signature. The reference becomes a hash, so that it counts only once (R2). */
const eraseAlert: Erase = async (tx, erasing, kind, id, now) => {
  const { merchantId, key, isHit } = erasing;
  const alert = await lockMailToErase(tx, merchantId, id, { now, unreadBefore: later(now, -unreadFor) });
  if (!alert || alert.erasure_id !== null) return 'nothing';
  if (!alert.is_decided) return 'waits';
  // The mail is proven to be the bank's, so a person may still read it and find money there.
  if ((await selectHeldAlert(tx, merchantId, id, now))?.raw) return 'waits';
  if (alert.reference !== null)
    await hashCounted(tx, merchantId, id, {
      counted: alert.reference,
      hash: hashReference(key, alert.reference),
    });
  const line = alert.held_line === null ? null : await selectHeldLine(tx, alert.held_line);
  if (line !== null && isHit(line))
    await tx`update held_lines set line = 'erased ' || line_id, surroundings = '' where line_id = ${alert.held_line!}`;
  return await eraseRows(tx, erasing, kind, id, now);
};

const eraseRows: Erase = async (tx, { merchantId, erasureId }, kind, id) => {
  let changed = 0;
  const key = ['notice', 'deed', 'note'].includes(kind) ? Number(id) : id;
  for (const [table, { key: column, erased, kept }] of personalList.filter(([, one]) => one.by === kind)) {
    const where = `where t.merchant_id = $1 and t.${column} = $2`;
    const sets = Object.entries(erased === 'gone' ? {} : erased).map(([name, value]) => `${name} = ${value}`);
    const isNamed = kept.includes('erasure_id');
    if (isNamed) sets.push('erasure_id = $3');
    if (erased !== 'gone' && sets.length === 0) continue;
    const text =
      erased === 'gone'
        ? `delete from ${table} t ${where}`
        : `update ${table} t set ${sets.join(', ')} ${where}`;
    const rows = await tx.unsafe(`${text} returning 1`, [merchantId, key, ...(isNamed ? [erasureId] : [])]);
    changed += rows.length;
  }
  return changed === 0 ? 'nothing' : 'erased';
};

const late = `${lateWindow} milliseconds`;

/** Locks an order that nobody can pay any more and for which no money waits. `over_at` is when its time is over. */
async function lockOrderToErase(tx: Transaction, merchantId: number, orderId: string, now: Date) {
  const [row] = await tx<
    { erasure_id: string | null; pay_token: string; is_decided: boolean; over_at: Date }[]
  >`
    select o.erasure_id, o.pay_token, o.expires_at + ${late}::interval + interval '1 ms' as over_at, o.status <> 'manual_review' and o.expires_at + ${late}::interval < ${now}
      and not exists (select from handled_credits h where h.merchant_id = o.merchant_id and h.order_id = o.order_id
        and h.state in ('attached', 'to_give_back')) as is_decided
    from orders o where o.merchant_id = ${merchantId} and o.order_id = ${orderId} for update of o`;
  return row;
}

/** Locks the event against every sender before the delivery queue is read. */
async function lockEventToErase(tx: Transaction, merchantId: number, eventId: string) {
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
async function lockMailToErase(
  tx: Transaction,
  merchantId: number,
  alertId: string,
  { now, unreadBefore }: { now: Date; unreadBefore: Date },
) {
  const [stored] = await tx<{ bank_reference: string | null }[]>`
    select bank_reference from alerts where merchant_id = ${merchantId} and alert_id = ${alertId}`;
  if (stored?.bank_reference != null) await lockReference(tx, merchantId, stored.bank_reference);
  const [row] = await tx<MailToErase[]>`
    select a.erasure_id, counted_reference(a.bank_reference) as reference, a.held_line,
      a.verdict not in ('unjudged', 'retrying') and a.claim is null and a.next_try_at is null
      and a.bank_reference is not distinct from ${stored?.bank_reference ?? null}::text
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
 * R2: replaces the reference by its hash, which counts here and for businesses with the same account. A waiting credit
 * of theirs with this reference becomes settled now.
 */
async function hashCounted(
  tx: Transaction,
  merchantId: number,
  alertId: string,
  { counted, hash }: { counted: string; hash: string },
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
    update counted_references set bank_reference = ${hash}
    where merchant_id = ${merchantId} and alert_id = ${alertId} and bank_reference = ${counted} returning alert_id`;
  await tx`
    update statement_marks set line_key = ${hash}
    where merchant_id = ${merchantId} and alert_id = ${alertId} and line_key = ${counted}`;
  if (rows.length > 0)
    await tx`delete from claimed_references where merchant_id = ${merchantId} and bank_reference = ${counted}`;
}

async function selectHeldLine(tx: Transaction, lineId: number): Promise<string | null> {
  return await tx<{ text: string }[]>`
    select line || ' ' || surroundings as text from held_lines where line_id = ${lineId} for update`.value();
}
