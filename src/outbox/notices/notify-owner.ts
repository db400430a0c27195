import { day, hour, later, minute, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { storable } from '../../base/http/text.ts';
import { storableFacts } from '../../texts/verdicts.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { insertPushes } from '../pushes/queries.ts';
import { topicOf } from '../topics.ts';
import { addToNotice, insertNotice, type NewNotice, type News, selectLastNotice } from './queries.ts';

const mostDedupeKey = 500;
/** After SMTP was set up late, or was away for long, nobody wants last month's news. */
const mailedFor = 3 * day;
/** What needs a person waits for the next morning. */
const pushedFor = 1 * day;

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
  const topic = topicOf[notice.kind];
  if (topic !== null)
    await insertPushes(tx, { merchantId, topic, noticeId, now, usefulUntil: later(now, pushedFor) });
  return true;
}

/** Kinds whose text holds a count: one notice reports many of the same. */
type CountableNews = Extract<News, { kind: 'money_unmatched' | 'order_waits' }>;

/** The facts of the latest one; how many there are is counted here. */
type Latest<One extends CountableNews> = One extends CountableNews
  ? Omit<One, 'facts'> & { facts: Omit<One['facts'], 'count'> }
  : never;

export type CountedNews = Latest<CountableNews> & { merchantId: number; now: Date };

/** Long enough that a rush becomes one mail, short enough for a customer who waits. */
const countFor = 3 * minute;
/** Whoever has had such a mail looks at the list: the next one has time. */
const mailsApart = 1 * hour;
/** A mail that is about to leave may be worded already. */
const closesBefore = 5 * second;

/**
 * Tells the owner of something that comes in numbers. The notice is on the screen at once; its mail waits a little, and
 * what happens meanwhile is counted into it. Call it last in a transaction, because it locks the notice's row.
 */
export async function addToLastNotice(tx: Transaction, news: CountedNews): Promise<void> {
  for (;;) {
    const last = await selectLastNotice(tx, news.merchantId, news.kind);
    if (last?.mail_at && last.mail_at > later(news.now, closesBefore)) {
      await addToNotice(tx, news.merchantId, last.notice_id, tx.json(storableFacts(news.facts)));
      return;
    }
    const soon = later(news.now, countFor);
    const isNew = await notifyOwner(tx, {
      ...news,
      facts: { ...news.facts, count: 1 },
      // Two at once begin the same notice, and the second one is counted into it.
      dedupeKey: `${news.kind} after ${last?.notice_id ?? 'none'}`,
      mailAt: last ? laterOf(soon, later(last.created_at, mailsApart)) : soon,
    } as NewNotice);
    if (isNew) return;
  }
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}
