import { later, second } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { readMailbox } from './queries/settings.ts';
import { readState } from './queries/states.ts';

/** Without a good poll for this long, a new payment would not be seen soon enough. */
export const blindAfter = 90 * second;

export type MailboxState = NonNullable<Awaited<ReturnType<typeof mailboxState>>>;

export async function mailboxState(sql: Queryable, merchantId: number, now: Date) {
  const [mailbox, state] = await Promise.all([readMailbox(sql, merchantId), readState(sql, merchantId)]);
  if (!mailbox) return null;
  const seen = state?.last_good_poll ?? null;
  const blind = seen === null || seen < later(now, -blindAfter);
  return {
    provider: mailbox.provider,
    address: mailbox.address,
    lastGoodPoll: seen,
    /** When the last verified alert came. */
    lastAlert: state?.last_alert_at ?? null,
    lastError: state?.last_error ?? null,
    needsLogin: state?.needs_login ?? false,
    blind,
    blindSince: blind ? (seen ?? mailbox.connected_at) : null,
    /** A disconnected mailbox is read until then for its open orders; null while it is connected. */
    readUntil: mailbox.read_until,
  };
}
