import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { insertMail } from './queries.ts';

type NewMail = {
  merchantId: number;
  now: Date;
  /** It is not sent earlier than this. */
  dueAt?: Date;
  /** It is not sent later than this: a link of an hour is of no use tomorrow. */
  usefulFor: number;
  /** False: it looks like a mail and never leaves. */
  isSent?: boolean;
} & (SealedLetter | { noticeId: number });

type SealedLetter = { merchantId: number; recipient: string; subject: string; sealedText: string };

/**
 * Puts a mail into the outbox, in the caller's transaction: it exists exactly when its cause does. A letter has one
 * recipient and its own words; the mail of a notice is worded when it is sent, for whoever then owns the business.
 */
export async function queueMail(tx: Transaction, mail: NewMail): Promise<void> {
  const { merchantId, now, dueAt = now, usefulFor, isSent = true } = mail;
  const letter = 'recipient' in mail ? mail : null;
  await insertMail(tx, {
    merchant_id: merchantId,
    notice_id: 'noticeId' in mail ? mail.noticeId : null,
    recipient: letter?.recipient ?? null,
    subject: letter?.subject ?? null,
    sealed_text: letter?.sealedText ?? null,
    created_at: now,
    next_try_at: isSent ? dueAt : null,
    useful_until: later(now, usefulFor),
  });
}

/** A letter mostly holds a link, so somebody who reads the database must not be able to read its text. */
export function sealLetter(
  { secrets }: Pick<World, 'secrets'>,
  { merchantId, recipient, subject, text }: Omit<SealedLetter, 'sealedText'> & { text: string },
): SealedLetter {
  return {
    merchantId,
    recipient,
    subject,
    sealedText: secrets.seal(text, letterBinding(merchantId, recipient)),
  };
}

export function letterBinding(merchantId: number, recipient: string): string {
  return `merchant:${merchantId}:account_mail:${recipient}`;
}
