import type { Transaction } from '../database/connect.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import type { Reason, Verdict } from '../verdicts.ts';
import type { Claimed } from './queries/claims.ts';

/**
 * A mail could not be settled within a day. One that ended as forged is no money, and must not sound like it. Anybody
 * can send such mails by the thousand, also under keys that never existed: forged ones are told of once for each day
 * of arrival, and the others, which may be money, once for each hour. Each of them is listed on the dashboard.
 */
export async function tellGivenUp(
  tx: Transaction,
  { merchant_id: merchantId, arrived_at }: Claimed,
  { verdict, reason, now }: { verdict: Verdict; reason: Reason; now: Date },
): Promise<void> {
  if (verdict === 'forged') {
    await notifyOwner(tx, {
      merchantId,
      kind: 'alert_forged',
      facts: { arrived: arrived_at },
      dedupeKey: `alert_forged:${arrived_at.toISOString().slice(0, 10)}`,
      now,
    });
    return;
  }
  await notifyOwner(tx, {
    merchantId,
    kind: 'alert_unreadable',
    facts: { arrived: arrived_at, cause: reason },
    dedupeKey: `alert_unreadable:${arrived_at.toISOString().slice(0, 13)}`,
    now,
  });
}
