import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import PostalMime from 'postal-mime';
import { alertAddresses } from '../alerts/addresses/queries/addresses.ts';
import { mostMailBytes } from '../alerts/mail/limits.ts';
import type { Queryable } from '../base/database/connect.ts';
import { hits, needlesOf, type Seek } from './person-values.ts';
import { type PersonalTable, personalList, type TraceKind } from './personal-columns.ts';
import { selectJoined, selectNotified, selectPage } from './queries/finding.ts';

export type Sought = {
  merchantId: number;
  seek: Seek;
  /** Ignore rows that were written later. */
  before: Date;
  /** Rows that this erasure already emptied still lead to related rows. */
  erasureId?: string;
  /** At most this many unread mails are opened. */
  mostUnread?: number;
};

export type Traces = Record<TraceKind, Set<string>> & {
  /** Audit entries that contain a value, and orders whose `merchant_order_id` does. */
  entriesWithValues: Set<string>;
  ordersWithValues: Set<string>;
  /** The `merchant_order_id`s of deleted orders that contain a value. */
  spentIds: Set<string>;
  /** Orders, maybe of other people, for which somebody typed a value as the reference. */
  ordersWithClaims: Set<string>;
  /** The limit was reached, so there may be more unread mails. */
  isPartial: boolean;
};

const pageSize = 2000;
const unreadPage = 100;

/** Finds rows that contain a value, and rows related by id. Another value in a row may be another person's. */
export async function findTraces(sql: Queryable, sought: Sought): Promise<Traces> {
  const { merchantId, erasureId } = sought;
  const isHit = hits(sought.seek);
  const found: Traces = {
    alert: new Set(),
    order: new Set(),
    event: new Set(),
    notice: new Set(),
    deed: new Set(),
    note: new Set(),
    report: new Set(),
    entriesWithValues: new Set(),
    ordersWithValues: new Set(),
    spentIds: new Set(),
    ordersWithClaims: new Set(),
    isPartial: false,
  };
  for (const [table, personal] of personalList)
    await searchTable(sql, sought, table, personal, id => found[personal.by].add(id));
  const auditLog = { by: 'deed', key: 'seq', at: 't.at', search: ['subject', 'details'] } as const;
  await searchTable(sql, sought, 'audit_log', auditLog, id => found.entriesWithValues.add(id));
  // The operators' log has the same entry about this business, with the reason that an operator typed.
  const operators = `(select * from audit_log where subject = '${merchantId}')`;
  await searchTable(sql, { ...sought, merchantId: 0 }, operators, auditLog, id =>
    found.entriesWithValues.add(`0/${id}`),
  );
  const ownIds = { by: 'order', key: 'order_id', at: 't.created_at', search: ['merchant_order_id'] } as const;
  await searchTable(sql, sought, 'orders', ownIds, id => found.ordersWithValues.add(id));
  const spent = { key: 'merchant_order_id', at: `'-infinity'`, search: ['merchant_order_id'] } as const;
  await searchTable(sql, sought, 'spent_order_ids', spent, id => found.spentIds.add(id));
  const claims = { key: 'order_id', at: 't.claimed_at', search: ['bank_reference'] } as const;
  await searchTable(sql, sought, 'claimed_references', claims, id => found.ordersWithClaims.add(id));
  await searchUnread(sql, sought, found);
  const joined = await selectJoined(sql, merchantId, [...found.alert], [...found.order], erasureId ?? null);
  for (const { kind, id } of joined) found[kind].add(id);
  for (const id of found.order) {
    found.ordersWithClaims.delete(id);
    found.report.add(id);
  }
  const notified = await selectNotified(sql, merchantId, [...found.alert], [...found.order]);
  for (const { kind, id, text } of notified) {
    // In old rows, the audit log itself holds what somebody typed.
    if (kind === 'deed' && (isHit(text) || /"(note|reference)":"[^"]/.test(text)))
      found.entriesWithValues.add(id);
    found[kind].add(id);
  }
  return found;
}

async function searchTable(
  sql: Queryable,
  { merchantId, seek, before }: Sought,
  table: string,
  personal: Pick<PersonalTable, 'key' | 'at' | 'search'>,
  add: (id: string) => void,
): Promise<void> {
  if (personal.search.length === 0) return;
  const [isHit, needles] = [hits(seek), needlesOf(seek)];
  let after: string | null = null;
  for (;;) {
    const rows: { id: string; text: string }[] = await selectPage(sql, table, personal, {
      merchantId,
      before,
      needles,
      after,
      limit: pageSize,
    });
    for (const { id, text } of rows) if (isHit(text)) add(id);
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.id;
  }
}

/** A mail that fits no template has no values in columns, so its own text and addresses are searched. */
async function searchUnread(sql: Queryable, sought: Sought, found: Traces): Promise<void> {
  const { merchantId, before, mostUnread = Number.POSITIVE_INFINITY } = sought;
  const isHit = hits(sought.seek);
  const own = await alertAddresses(sql, merchantId);
  let after = '';
  for (let opened = 0; ; opened += unreadPage) {
    const rows = await sql<{ alert_id: string; addresses: string[]; raw: Buffer }[]>`
      select a.alert_id, a.addresses, r.raw from alerts a join raw_mails r
        on r.merchant_id = a.merchant_id and r.alert_id = a.alert_id and r.arrived_at = a.arrived_at
      where a.merchant_id = ${merchantId} and a.alert_id > ${after} and a.payer is null and a.bank_reference is null
        and coalesce(a.alert_time, a.arrived_at) <= ${before}
      order by a.alert_id limit ${unreadPage}`;
    for (const { alert_id, addresses, raw } of rows)
      if (isHit(await wordsOf(raw, [...addresses, ...own]))) found.alert.add(alert_id);
    if (rows.length < unreadPage) return;
    after = rows.at(-1)!.alert_id;
    if (opened + unreadPage >= mostUnread) {
      found.isPartial = true;
      return;
    }
  }
}

/** A mail's people, decoded subject and text without tags, or its bytes. The shop's own addresses are left out. */
async function wordsOf(raw: Buffer, own: readonly string[]): Promise<string> {
  const bytes = await unpacked(raw);
  if (bytes === null) return '';
  const mail = await PostalMime.parse(bytes).catch(() => null);
  const shown = [mail?.subject, mail?.text, mail?.html?.replace(/<[^<>]*>/g, ' ')].filter(Boolean).join('\n');
  const people = JSON.stringify([mail?.from, mail?.to, mail?.cc, mail?.replyTo]);
  const words = `${people}\n${shown === '' ? bytes.toString('latin1') : shown}`;
  return words.replace(/[^\s"<>(),;]+/g, word => (own.includes(word.toLowerCase()) ? '' : word));
}

/** Null if it cannot be unpacked, or gets larger than any mail that we store. */
export async function unpacked(raw: Buffer): Promise<Buffer | null> {
  return await promisify(inflate)(raw, { maxOutputLength: mostMailBytes }).catch(() => null);
}
