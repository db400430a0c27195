import type { Transaction } from '../database/connect.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import type { Known } from './judge-mail.ts';
import type { Claimed } from './queries/claims.ts';
import { isOwnBank, noteHeldLine } from './queries/held-lines.ts';

/** What is known of a mail that is not read: all, some or nothing of it. */
export type HeldMail = Partial<
  Pick<Known, 'bankId' | 'bankName' | 'recipient' | 'unlistedLine' | 'surroundings'>
>;

/**
 * A mail that the bank itself wrote to this business, and that nobody can read: there may be money in it. The owner is
 * told, once for each day of arrival. Where a single line keeps it from being read, the operator finds that line.
 * Mails that the bank did not sign to one of the business's addresses have no recipient, and nobody is told of them.
 */
export async function holdMail(
  tx: Transaction,
  { merchant_id: merchantId, alert_id, arrived_at }: Claimed,
  { bankId = null, bankName = null, recipient = null, unlistedLine = null, surroundings = null }: HeldMail,
  now: Date,
): Promise<number | null> {
  if (bankId === null || recipient === null) return null;
  if (await isOwnBank(tx, merchantId, bankId))
    await notifyOwner(tx, {
      merchantId,
      kind: 'alert_held',
      facts: { bank: bankName ?? bankId, arrived: arrived_at, alert: alert_id },
      dedupeKey: `alert_held:${arrived_at.toISOString().slice(0, 10)}`,
      now,
    });
  if (unlistedLine === null) return null;
  return await noteHeldLine(tx, { bank: bankId, line: unlistedLine, surroundings: surroundings ?? '', now });
}
