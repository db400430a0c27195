import { later } from '../base/clock.ts';
import type { Transaction } from '../base/database/connect.ts';
import { randomBase62 } from '../base/random.ts';
import type { World } from '../base/world.ts';
import { type Actor, recordAudit } from '../business/accounts/record-audit.ts';
import { because } from '../texts/verdicts.ts';
import { erasureBinding } from './erasure.ts';
import { findTraces, unpacked } from './find-traces.ts';
import { watchFor } from './keep-list.ts';
import { lookIntoArchives } from './look-into-archives.ts';
import { hits } from './person-values.ts';
import { personalList } from './personal-columns.ts';
import { countOpen, insertErasure } from './queries/erasures.ts';
import { selectMail, selectRows } from './queries/finding.ts';

/** Each is looked after for days, and every look goes through the whole business. One request can name ten values. */
const mostOpen = 20;

/** An owner wants a person's traces gone; the worker sees to it. The audit log says that, and not whose. Null where too many are open. */
export async function askErasure(
  tx: Transaction,
  { secrets }: Pick<World, 'secrets'>,
  who: Actor,
  values: readonly string[],
): Promise<string | null> {
  const { merchantId, actor, now } = who;
  if ((await countOpen(tx, merchantId)) >= mostOpen) return null;
  const erasureId = `er_${randomBase62(16)}`;
  await insertErasure(tx, {
    merchant_id: merchantId,
    erasure_id: erasureId,
    asked_at: now,
    asked_by: actor,
    marks: [],
    sealed: secrets.seal(JSON.stringify(values), erasureBinding(merchantId, erasureId)),
    watch_until: later(now, watchFor),
    next_at: now,
  });
  await recordAudit(tx, who, {
    action: 'person.erase',
    subject: erasureId,
    notice: because('person_erased', { erasure: erasureId }),
  });
  return erasureId;
}

export type Person = {
  /** Rows by their table, as they are stored. */
  rows: Record<string, Record<string, unknown>[]>;
  archives: string[];
  /** Numbers of rows of the audit log that hold a value, which nobody can take out. */
  audit: string[];
  isPartial: boolean;
};

/** More mails than these are opened by the export and by erasing, which need not answer at once. */
const mostOpened = 2000;

/** Everything that a business knows of a person; with the bytes of their mails where it is to be taken along. */
export async function showPerson(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  merchantId: number,
  values: readonly string[],
  { whole }: { whole: boolean },
): Promise<Person> {
  const seek = { values };
  const isHit = hits(seek);
  const before = clock.now();
  const mostUnread = whole ? Number.POSITIVE_INFINITY : mostOpened;
  const traces = await findTraces(sql, { merchantId, seek, before, mostUnread });
  const rows: Person['rows'] = {};
  for (const [table, personal] of personalList) {
    // What a customer reported of a page, and what operators noted, is the operator's.
    if (table === 'raw_mails' || personal.by === 'note' || personal.by === 'report') continue;
    rows[table] = await selectRows(sql, table, personal, merchantId, [...traces[personal.by]]);
  }
  const typed = [...traces.ordersWithClaims];
  const claims = await selectRows(sql, 'claimed_references', { key: 'order_id' }, merchantId, typed);
  for (const row of claims) if (isHit(String(row['bank_reference']))) rows['claimed_references']!.push(row);
  rows['raw_mails'] = [];
  for (const alertId of traces.alert) {
    const raw = await selectMail(sql, merchantId, alertId);
    if (raw === null) continue;
    const bytes = (await unpacked(raw)) ?? raw;
    rows['raw_mails'].push({
      alert_id: alertId,
      bytes: bytes.length,
      ...(whole && { raw: bytes.toString('base64') }),
    });
  }
  const { found: archives } = await lookIntoArchives(
    { sql },
    { merchantId, orders: traces.order, seek, before, erases: false },
  );
  return { rows, archives, audit: [...traces.deedsWithValues], isPartial: traces.isPartial };
}
