import type { Transaction } from '../../base/database/connect.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { claimChangeTold, type Way } from './queries/ways.ts';

type Changed = { way: Way; what: Reason; change: Reason; now: Date };

/** Tells the owner, at the first mail, that a way changes mails: nothing that comes by it confirms a payment. */
export async function tellChanged(
  tx: Transaction,
  merchantId: number,
  { way, what, change, now }: Changed,
): Promise<void> {
  if (!(await claimChangeTold(tx, merchantId, way, now))) return;
  await notifyOwner(tx, {
    merchantId,
    kind: 'mail_changed',
    facts: { what, change, advice: adviceAbout(change) },
    dedupeKey: `mail_changed:${way}:${now.toISOString()}`,
    now,
  });
}

/** What to switch off. */
export function adviceAbout(change: Reason): Reason {
  if (change.code === 'subject_changed' || change.code === 'subject_and_body_changed')
    return because('advice_subject');
  return change.code === 'headers_changed' ? because('advice_headers') : because('advice_text');
}
