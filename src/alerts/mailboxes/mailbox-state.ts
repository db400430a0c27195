import { later, second } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { readMailbox } from './queries/settings.ts';
import { readState } from './queries/states.ts';

/** Without a good poll for this long, a payment made now would not be seen soon enough to be called certain. */
export const blindAfter = 90 * second;

export type MailboxState = NonNullable<Awaited<ReturnType<typeof mailboxState>>>;

/** Null when the business has connected no mailbox: then no payment can be seen at all. */
export async function mailboxState(sql: Queryable, merchantId: number, now: Date) {
  const [mailbox, state] = await Promise.all([readMailbox(sql, merchantId), readState(sql, merchantId)]);
  if (!mailbox) return null;
  const seen = state?.last_good_poll ?? null;
  const blind = seen === null || seen < later(now, -blindAfter);
  return {
    provider: mailbox.provider,
    address: mailbox.address,
    lastGoodPoll: seen,
    /** When the last alert came whose signature held, and how long it took us to store the last mail of a bank. */
    lastAlert: state?.last_alert_at ?? null,
    lagMs: state?.lag_ms ?? null,
    /** Null while all is well. */
    lastError: state?.last_error ?? null,
    needsLogin: state?.needs_login ?? false,
    blind,
    blindSince: blind ? (seen ?? mailbox.connected_at) : null,
    /** It was let go of, and is read until then for the orders that were open; null while it is to stay. */
    readUntil: mailbox.read_until,
  };
}
