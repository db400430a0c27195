import { later, second } from '../clock.ts';
import type { Queryable } from '../database/connect.ts';
import type { Reason } from '../verdicts.ts';
import type { ProviderId } from './providers.ts';
import { readMailbox } from './queries/settings.ts';
import { readState } from './queries/states.ts';

/** Without a good poll for this long, a payment made now would not be seen soon enough to be called certain. */
export const blindAfter = 90 * second;

export type MailboxState = {
  provider: ProviderId;
  address: string;
  connectedSince: Date | null;
  lastGoodPoll: Date | null;
  /** When the mail server received the last alert, and how long it took us to store it. */
  lastAlert: Date | null;
  lagMs: number | null;
  /** Null while all is well. */
  lastError: Reason | null;
  needsLogin: boolean;
  blind: boolean;
  blindSince: Date | null;
  /** It was let go of, and is read until then for the orders that were open; null while it is to stay. */
  readUntil: Date | null;
};

/** Null when the business has connected no mailbox: then no payment can be seen at all. */
export async function mailboxState(
  sql: Queryable,
  merchantId: number,
  now: Date,
): Promise<MailboxState | null> {
  const [mailbox, state] = await Promise.all([readMailbox(sql, merchantId), readState(sql, merchantId)]);
  if (!mailbox) return null;
  const seen = state?.last_good_poll ?? null;
  const blind = seen === null || seen < later(now, -blindAfter);
  return {
    provider: mailbox.provider,
    address: mailbox.address,
    connectedSince: state?.connected_since ?? null,
    lastGoodPoll: seen,
    lastAlert: state?.last_alert_at ?? null,
    lagMs: state?.lag_ms ?? null,
    lastError: state?.last_error ?? null,
    needsLogin: state?.needs_login ?? false,
    blind,
    blindSince: blind ? (seen ?? mailbox.connected_at) : null,
    readUntil: mailbox.read_until,
  };
}
