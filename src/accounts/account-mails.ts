import type { Queryable } from '../database/connect.ts';
import type { World } from '../world.ts';
import { insertMail } from './queries/mails.ts';

export type AccountMail = { merchantId: number; recipient: string; subject: string; text: string };

export function canMail({ smtpUrl }: Pick<World['config'], 'smtpUrl'>): boolean {
  return smtpUrl !== null;
}

/** Hands a mail to one person over, in the caller's transaction. Its text is sealed: it mostly holds a link. */
export async function queueMail(
  tx: Queryable,
  { secrets, clock }: Pick<World, 'secrets' | 'clock'>,
  { merchantId, recipient, subject, text }: AccountMail,
  { isSent = true } = {},
): Promise<void> {
  const now = clock.now();
  await insertMail(tx, {
    merchant_id: merchantId,
    recipient,
    subject,
    sealed_text: secrets.seal(text, mailBinding(merchantId, recipient)),
    created_at: now,
    next_try_at: isSent ? now : null,
  });
}

export function mailBinding(merchantId: number, recipient: string): string {
  return `merchant:${merchantId}:account_mail:${recipient}`;
}
