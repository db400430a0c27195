import type { Transaction } from '../database/connect.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import type { Claimed } from './queries/claims.ts';

/**
 * A mail could not be settled within a day. One that ended as forged is no money, and must not sound like it; it is
 * told of once for each day of arrival, because anybody can send such mails by the thousand.
 */
export async function tellGivenUp(
  tx: Transaction,
  { merchant_id: merchantId, alert_id, arrived_at }: Claimed,
  { verdict, reason, now }: { verdict: string; reason: string; now: Date },
): Promise<void> {
  const arrived = arrived_at.toISOString();
  if (verdict === 'forged') {
    await notifyOwner(tx, {
      merchantId,
      kind: 'alert_forged',
      subject: 'No payment: a mail that used the name of a bank is not from the bank',
      text: `A mail that arrived at ${arrived} uses the name of a bank, and for a whole day the bank's key did not confirm it. It does not say that anybody has paid you: no order is paid by it, so deliver nothing because of it. Others like it of the same day stand beside it on the alerts screen, as not from the bank.`,
      dedupeKey: `alert_forged:${arrived.slice(0, 10)}`,
      now,
    });
    return;
  }
  await notifyOwner(tx, {
    merchantId,
    kind: 'alert_unreadable',
    subject: 'A mail from your bank could not be checked',
    text: `A mail that arrived at ${arrived} could not be checked within a day, so it confirms no payment. ${reason}`,
    dedupeKey: `alert_unreadable:${alert_id}`,
    now,
  });
}
