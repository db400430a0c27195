import type { Queryable } from '../database/connect.ts';
import { insertNotice } from './queries.ts';

export type NewNotice = {
  merchantId: number;
  /** A short name for the dashboard and metrics, such as `webhook_failing`. */
  kind: string;
  subject: string;
  text: string;
  /** What makes it the same notice: a second one with this key is not written. */
  dedupeKey: string;
  now: Date;
};

/** Two names of 120 characters and the sentence around them: a sentence cut short could not be told in Hindi. */
const mostSubject = 400;
const mostText = 10_000;
const mostDedupeKey = 500;

/**
 * Tells the owner of a business, in the caller's transaction: the notice exists exactly when its cause does.
 * Mailing happens later and elsewhere. Returns whether it is new.
 */
export async function notifyOwner(tx: Queryable, notice: NewNotice): Promise<boolean> {
  return await insertNotice(tx, {
    merchant_id: notice.merchantId,
    kind: notice.kind,
    subject: [...oneLine(notice.subject)].slice(0, mostSubject).join(''),
    text: storable(notice.text).slice(0, mostText),
    dedupe_key: storable(notice.dedupeKey).slice(0, mostDedupeKey),
    created_at: notice.now,
    next_try_at: notice.now,
  });
}

/** A subject becomes a mail header: no line break of a stranger's may end it early. */
function oneLine(text: string): string {
  return storable(text).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** PostgreSQL refuses NUL; half a surrogate pair is no text. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}
