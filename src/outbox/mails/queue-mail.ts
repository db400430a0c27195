import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { hasMail } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { insertMail } from './queries.ts';

type NewMail = {
  merchantId: number;
  now: Date;
  /** The mail is not sent earlier. */
  dueAt?: Date;
  /** The mail is not sent later, for example when its link has expired. */
  usefulFor: number;
  /** False stores the mail without ever sending it. */
  isSent?: boolean;
} & (SealedLetter | { noticeId: number });

type SealedLetter = { merchantId: number; recipient: string; subject: string; sealedText: string };

/** Queues in the caller's transaction, so the mail exists exactly if its cause does. Notices are worded when sent. */
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
    next_try_at: isSent && (letter === null || hasMail(letter.recipient)) ? dueAt : null,
    useful_until: later(now, usefulFor),
  });
}

/** Sealed, because most letters contain a link that a reader of the database must not see. */
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
