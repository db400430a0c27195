import { day } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { storable } from '../../base/http/text.ts';
import { storableFacts } from '../../texts/verdicts.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { queueNoticePush } from '../pushes/queue-notice-push.ts';
import { insertNotice, type NewNotice } from './queries.ts';

const mostDedupeKey = 500;
/** After SMTP was set up late, or was away for long, nobody wants last month's news. */
const mailedFor = 3 * day;

/**
 * Tells the owner of a business, in the caller's transaction: the notice exists exactly when its cause does.
 * Its mail and what devices are told wait in their outboxes. Returns whether it is new.
 */
export async function notifyOwner(tx: Transaction, notice: NewNotice): Promise<boolean> {
  const { merchantId, now, mailAt = now } = notice;
  const noticeId = await insertNotice(tx, {
    merchant_id: merchantId,
    kind: notice.kind,
    facts: tx.json(storableFacts(notice.facts)),
    dedupe_key: storable(notice.dedupeKey, mostDedupeKey),
    created_at: now,
  });
  if (noticeId === null) return false;
  if (mailAt !== null)
    await queueMail(tx, { merchantId, noticeId, now, dueAt: mailAt, usefulFor: mailedFor });
  await queueNoticePush(tx, { merchantId, noticeId, kind: notice.kind, now });
  return true;
}
