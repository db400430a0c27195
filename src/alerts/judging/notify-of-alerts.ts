import type { Transaction } from '../../base/database/connect.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { hasUnseen, type News } from '../../outbox/notices/queries.ts';
import { because, type Reason, type Verdict } from '../../texts/verdicts.ts';
import type { Claimed } from './queries/claims.ts';
import { type HeldMail, isOwnBank } from './queries/held-lines.ts';
import { claimChangeNotice, type Way } from './queries/ways.ts';

/**
 * Notifies an owner that their own bank sent a mail that could not be read, because it may be about money. They are
 * notified once per day of arrival, and not while an earlier notice is unseen. Without a recipient the bank did not
 * sign it to one of their addresses, so it may be anybody's.
 */
export async function notifyHeld(
  tx: Transaction,
  { merchant_id: merchantId, alert_id, arrived_at }: Claimed,
  { bankId = null, bankName = null, recipient = null }: HeldMail,
  now: Date,
): Promise<void> {
  if (bankId === null || recipient === null) return;
  if (!(await isOwnBank(tx, merchantId, bankId)) || (await hasUnseen(tx, merchantId, 'alert_held'))) return;
  await notifyOwner(tx, {
    merchantId,
    kind: 'alert_held',
    facts: { bank: bankName ?? bankId, arrived: arrived_at, alert: alert_id },
    dedupeKey: `alert_held:${arrived_at.toISOString().slice(0, 10)}`,
    now,
  });
}

/**
 * Notifies an owner of a mail that could not be settled within a day. A forged mail is no money, and its notice must
 * not sound like it. Anybody can send such mails by the thousand, even with keys that never existed. So forged mails
 * are reported once per day of arrival, and others, which may be money, once per hour. The dashboard lists them all.
 */
export async function notifyGivenUp(
  tx: Transaction,
  { merchant_id: merchantId, arrived_at }: Claimed,
  { verdict, reason, now }: { verdict: Verdict; reason: Reason; now: Date },
): Promise<void> {
  const isForged = verdict === 'forged';
  const news: News = isForged
    ? { kind: 'alert_forged', facts: { arrived: arrived_at } }
    : { kind: 'alert_unreadable', facts: { arrived: arrived_at, cause: reason } };
  const dedupeKey = `${news.kind}:${arrived_at.toISOString().slice(0, isForged ? 10 : 13)}`;
  await notifyOwner(tx, { ...news, merchantId, dedupeKey, now });
}

type Changed = { way: Way; what: Reason; change: Reason; now: Date };

/** Notifies the owner at the first mail that a way changes mails, because no mail by it confirms a payment. */
export async function notifyChanged(
  tx: Transaction,
  merchantId: number,
  { way, what, change, now }: Changed,
): Promise<void> {
  const claimed = await claimChangeNotice(tx, merchantId, way, now);
  if (claimed === null) return;
  await notifyOwner(tx, {
    merchantId,
    kind: 'mail_changed',
    facts: { what, change, advice: adviceAbout(change, claimed.provider) },
    dedupeKey: `mail_changed:${way}:${now.toISOString()}`,
    now,
  });
}

/** The setting to switch off. In a mailbox at Microsoft there is none. */
export function adviceAbout(change: Reason, provider: string | null = null): Reason {
  if (provider === 'outlook') return because('advice_microsoft');
  if (change.code === 'subject_changed' || change.code === 'subject_and_body_changed')
    return because('advice_subject');
  return change.code === 'headers_changed' ? because('advice_headers') : because('advice_text');
}
