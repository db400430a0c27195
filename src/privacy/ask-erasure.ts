import { later } from '../base/clock.ts';
import type { Transaction } from '../base/database/connect.ts';
import { randomBase62 } from '../base/random.ts';
import type { World } from '../base/world.ts';
import { type Actor, recordAudit } from '../business/accounts/record-audit.ts';
import { because } from '../texts/verdicts.ts';
import { erasureBinding } from './erasure.ts';
import { findTraces, unpacked } from './find-traces.ts';
import { watchFor } from './keep-erasure-list.ts';
import { hits } from './person-values.ts';
import { personalList } from './personal-columns.ts';
import { countOpen, insertErasure } from './queries/erasures.ts';
import { selectRows } from './queries/finding.ts';
import { searchArchives } from './search-archives.ts';

/** Each request runs for days, and each run reads the whole business. One request can name ten values. */
const mostOpen = 20;

/** Stores an owner's request; a worker erases. The audit log names no person. Null if too many are open. */
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
  rows: Record<string, Record<string, unknown>[]>;
  archives: string[];
  /** Numbers of audit entries that contain a value. They cannot be changed. */
  audit: string[];
  isPartial: boolean;
};

/** Only the export and erasing open more mails than this, because they may take longer. */
const mostOpened = 2000;

/** Returns everything that a business knows about a person, with the mails' bytes if they are exported. */
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
    // Customers' reports and operators' notes belong to the operator.
    if (table === 'raw_mails' || personal.by === 'note' || personal.by === 'report') continue;
    rows[table] = await selectRows(sql, table, personal, merchantId, [...traces[personal.by]]);
  }
  const typed = [...traces.ordersWithClaims];
  const claims = await selectRows(sql, 'claimed_references', { key: 'order_id' }, merchantId, typed);
  for (const row of claims) if (isHit(String(row['bank_reference']))) rows['claimed_references']!.push(row);
  rows['raw_mails'] = [];
  for (const alertId of traces.alert) {
    const raw = await sql<{ raw: Buffer }[]>`
      select r.raw from alerts a join raw_mails r
        on r.merchant_id = a.merchant_id and r.alert_id = a.alert_id and r.arrived_at = a.arrived_at
      where a.merchant_id = ${merchantId} and a.alert_id = ${alertId}`.value();
    if (raw === null) continue;
    const bytes = (await unpacked(raw)) ?? raw;
    rows['raw_mails'].push({
      alert_id: alertId,
      bytes: bytes.length,
      ...(whole && { raw: bytes.toString('base64') }),
    });
  }
  const { found: archives } = await searchArchives(
    { sql },
    { merchantId, orders: traces.order, seek, before, erases: false },
  );
  return { rows, archives, audit: [...traces.entriesWithValues], isPartial: traces.isPartial };
}
