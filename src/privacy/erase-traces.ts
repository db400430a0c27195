import { selectHeldAlert } from '../alerts/held/queries/held-mails.ts';
import { day, later } from '../base/clock.ts';
import type { Transaction } from '../base/database/connect.ts';
import type { World } from '../base/world.ts';
import { hashReference } from '../payments/matching/erased-references.ts';
import type { Wait } from './erasure.ts';
import type { Traces } from './find-traces.ts';
import { personalList, type TraceKind } from './personal-columns.ts';
import {
  deleteTypedReferences,
  lockEventToErase,
  lockMailToErase,
  lockOrderToErase,
  lockReport,
  markCounted,
  notifyOrderChanged,
  selectHeldLine,
  selectTypedReferences,
  wipeHeldLine,
} from './queries/erasing.ts';

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
  await deleteTypedReferences(
    tx,
    merchantId,
    id,
    (await selectTypedReferences(tx, merchantId, id)).filter(isHit),
  );
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
  await notifyOrderChanged(tx, order.pay_token);
  return 'erased';
};

/** The operator reads a report first, so that a shop cannot make a complaint about itself disappear. */
const eraseReport: Erase = async (tx, erasing, kind, id, now) => {
  const report = await lockReport(tx, erasing.merchantId, id);
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

/** Keeps amount, time, verdict and signature. The reference becomes a mark, so that it counts only once (R2). */
const eraseAlert: Erase = async (tx, erasing, kind, id, now) => {
  const { merchantId, key, isHit } = erasing;
  const alert = await lockMailToErase(tx, merchantId, id, { now, unreadBefore: later(now, -unreadFor) });
  if (!alert || alert.erasure_id !== null) return 'nothing';
  if (!alert.is_decided) return 'waits';
  // The mail is proven to be the bank's, so a person may still read it and find money there.
  if ((await selectHeldAlert(tx, merchantId, id, now))?.raw) return 'waits';
  if (alert.reference !== null)
    await markCounted(tx, merchantId, id, {
      counted: alert.reference,
      mark: hashReference(key, alert.reference),
    });
  const line = alert.held_line === null ? null : await selectHeldLine(tx, alert.held_line);
  if (line !== null && isHit(line)) await wipeHeldLine(tx, alert.held_line!);
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
