import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Reason } from '../../../texts/verdicts.ts';

/** The value of an alert's `found_in` for a forwarded mail. */
export const forwardedPlace = 'forwarding';

export type Way = 'forwarding' | 'mailbox';

export function wayOf({ found_in }: { found_in: string }): Way {
  return found_in === forwardedPlace ? 'forwarding' : 'mailbox';
}

export type Proven = { merchantId: number; arrivedAt: Date };

/**
 * Records that a bank's mail came unchanged to each of these businesses. This clears a notice of changes that is a day
 * old, so that the next change is notified again. Rows are locked in one order, to prevent deadlocks.
 */
export async function recordProven(
  sql: Queryable,
  way: Way,
  proven: readonly Proven[],
  announcedBefore: Date,
): Promise<void> {
  if (proven.length === 0) return;
  await sql`
    with n as materialized (
      select * from unnest(${proven.map(one => one.merchantId)}::bigint[], ${proven.map(one => one.arrivedAt)}::timestamptz[])
        as n (merchant_id, arrived_at)
    ), mine as materialized (
      select w.merchant_id, n.arrived_at from ${rowsOf(sql, way)} w join n using (merchant_id)
      where true ${isInUse(sql, way)} order by w.merchant_id for update of w
    )
    update ${rowsOf(sql, way)} w set last_alert_at = greatest(w.last_alert_at, mine.arrived_at),
      changed_told_at = case when w.changed_told_at < ${announcedBefore} then null else w.changed_told_at end
    from mine where w.merchant_id = mine.merchant_id ${isInUse(sql, way)}`;
}

/** Only the first caller gets a row, with the mailbox's provider or null for a forwarding. Others send nothing. */
export async function claimChangeNotice(tx: Transaction, merchantId: number, way: Way, now: Date) {
  const [row] = await tx<{ provider: string | null }[]>`
    update ${rowsOf(tx, way)} set changed_told_at = ${now}
    where merchant_id = ${merchantId} ${isInUse(tx, way)} and changed_told_at is null
    returning (select provider from mailboxes m where m.merchant_id = ${merchantId} and ${way} = 'mailbox') as provider`;
  return row ?? null;
}

const rowsOf = (sql: Queryable, way: Way) =>
  way === 'forwarding' ? sql`forward_addresses` : sql`mailbox_states`;
const isInUse = (sql: Queryable, way: Way) => (way === 'forwarding' ? sql`and ends_at is null` : sql``);

const mostCounted = 1_000;

export type ChangedMails = { count: number; last: Date; change: Reason };

/** The bank's mails that came changed by this way since the last unchanged one; null if there are none. */
export async function selectChanged(sql: Queryable, merchantId: number, way: Way, since: Date | null) {
  const [row] = await sql<ChangedMails[]>`
    select count(*) over () as count, arrived_at as last, facts -> 'change' as change from (
      select arrived_at, facts from alerts
      where merchant_id = ${merchantId} and reason_code = 'changed_on_way' and arrived_at > ${since ?? new Date(0)}
        and (found_in = ${forwardedPlace}) = ${way === 'forwarding'}
      order by arrived_at desc limit ${mostCounted}) c
    order by arrived_at desc limit 1`;
  return row ?? null;
}
