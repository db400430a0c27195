import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Reason } from '../../../texts/verdicts.ts';

/** What an alert's `found_in` says of a mail that was sent on to us. */
export const forwardedPlace = 'forwarding';

/** By which way a mail came: sent on to us, or found in the connected mailbox. */
export type Way = 'forwarding' | 'mailbox';

export function wayOf({ found_in }: { found_in: string }): Way {
  return found_in === forwardedPlace ? 'forwarding' : 'mailbox';
}

/** A mail that the bank signed to this business came as it left. What was told of changes is over after a day without. */
export async function recordProven(
  sql: Queryable,
  merchantId: number,
  way: Way,
  { arrivedAt, toldBefore }: { arrivedAt: Date; toldBefore: Date },
): Promise<void> {
  const proven = sql`last_alert_at = greatest(last_alert_at, ${arrivedAt}::timestamptz),
    changed_told_at = case when changed_told_at < ${toldBefore} then null else changed_told_at end`;
  if (way === 'forwarding')
    await sql`update forward_addresses set ${proven} where merchant_id = ${merchantId} and ends_at is null`;
  else await sql`update mailbox_states set ${proven} where merchant_id = ${merchantId}`;
}

/** True for the first that tells. */
export async function claimChangeTold(tx: Transaction, merchantId: number, way: Way, now: Date) {
  const rows =
    way === 'forwarding'
      ? await tx`
          update forward_addresses set changed_told_at = ${now}
          where merchant_id = ${merchantId} and ends_at is null and changed_told_at is null returning merchant_id`
      : await tx`
          update mailbox_states set changed_told_at = ${now}
          where merchant_id = ${merchantId} and changed_told_at is null returning merchant_id`;
  return rows.length > 0;
}

const mostCounted = 1_000;

export type ChangedMails = { count: number; last: Date; change: Reason };

/** Mails of the bank that came changed by this way since the last that came whole; null when there are none. */
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
