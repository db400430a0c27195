import type { Queryable } from '../database/connect.ts';
import type { news } from '../texts/en/news.ts';
import { type FactsOf, storableFacts } from '../verdicts.ts';
import { insertNotice } from './queries.ts';

/** What is told: a kind, which `texts/` words in every language, and its facts. */
export type News = {
  [Kind in keyof typeof news]: {
    kind: Kind;
    facts: FactsOf<(typeof news)[Kind]['subject'] | (typeof news)[Kind]['text']>;
  };
}[keyof typeof news];

export type NewNotice = News & {
  merchantId: number;
  /** What makes it the same notice: a second one with this key is not written. */
  dedupeKey: string;
  now: Date;
};

const mostDedupeKey = 500;

/**
 * Tells the owner of a business, in the caller's transaction: the notice exists exactly when its cause does.
 * Mailing happens later and elsewhere. Returns whether it is new.
 */
export async function notifyOwner(tx: Queryable, notice: NewNotice): Promise<boolean> {
  return await insertNotice(tx, {
    merchant_id: notice.merchantId,
    kind: notice.kind,
    facts: tx.json(storableFacts(notice.facts)),
    dedupe_key: notice.dedupeKey.slice(0, mostDedupeKey).toWellFormed().replaceAll('\u0000', '\ufffd'),
    created_at: notice.now,
    next_try_at: notice.now,
  });
}
