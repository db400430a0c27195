import { day, hour, later, minute, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { storable } from '../../base/http/text.ts';
import { storableFacts } from '../../texts/verdicts.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { insertPushes } from '../pushes/queries.ts';
import { topicOf } from '../topics.ts';
import { type NewNotice, type News, selectLastNotice } from './queries.ts';

const mostDedupeKey = 500;
/** Keeps a backlog of old news from being mailed after SMTP was missing or down. */
const mailedFor = 3 * day;
/** A notice that needs a person can wait until the next morning. */
const pushedFor = 1 * day;

/** Writes in the caller's transaction, so the notice exists exactly if its cause does. Returns whether it is new. */
export async function notifyOwner(tx: Transaction, notice: NewNotice): Promise<boolean> {
  const { merchantId, now, mailAt = now } = notice;
  const noticeId = await tx<{ notice_id: number }[]>`
    insert into notices ${tx({
      merchant_id: merchantId,
      kind: notice.kind,
      facts: tx.json(storableFacts(notice.facts)),
      dedupe_key: storable(notice.dedupeKey, mostDedupeKey),
      created_at: now,
    })} on conflict (merchant_id, dedupe_key) do nothing returning notice_id`.value();
  if (noticeId === null) return false;
  if (mailAt !== null)
    await queueMail(tx, { merchantId, noticeId, now, dueAt: mailAt, usefulFor: mailedFor });
  const topic = topicOf[notice.kind];
  if (topic !== null)
    await insertPushes(tx, { merchantId, topic, noticeId, now, usefulUntil: later(now, pushedFor) });
  return true;
}

/** One notice of these kinds counts many similar events. */
type CountableNews = Extract<News, { kind: 'money_unmatched' | 'order_waits' }>;

/** The facts of the latest event; the count is added here. */
type Latest<One extends CountableNews> = One extends CountableNews
  ? Omit<One, 'facts'> & { facts: Omit<One['facts'], 'count'> }
  : never;

/** `asks`: a customer waits for the answer, so devices are notified of each one. */
export type CountedNews = Latest<CountableNews> & { merchantId: number; now: Date; asks?: boolean };

/** Long enough to collect a rush into one mail, short enough for a waiting customer. */
const countFor = 3 * minute;
/** The owner already looks at the list after the first mail, so the next one can wait. */
const mailsApart = 1 * hour;
/** A mail that is almost due may already be composed. */
const closesBefore = 5 * second;

/**
 * Notifies the owner of events that come in numbers. The notice appears at once. Its mail waits briefly, and events
 * until then are added to its count. Call it last in a transaction, because it locks the notice's row.
 */
export async function addToLastNotice(tx: Transaction, news: CountedNews): Promise<void> {
  for (;;) {
    const last = await selectLastNotice(tx, news.merchantId, news.kind);
    if (last?.mail_at && last.mail_at > later(news.now, closesBefore)) {
      const { merchantId, now, asks } = news;
      await tx`
        update notices set seen_at = null,
          facts = ${tx.json(storableFacts(news.facts))}::jsonb || jsonb_build_object('count',
            case when facts ->> 'count' ~ '^[0-9]{1,9}$' then (facts ->> 'count')::int else 0 end + 1)
        where merchant_id = ${merchantId} and notice_id = ${last.notice_id}`;
      const push = { merchantId, topic: 'money', noticeId: last.notice_id, now } as const;
      if (asks) await insertPushes(tx, { ...push, usefulUntil: later(now, pushedFor) });
      return;
    }
    const soon = later(news.now, countFor);
    const isNew = await notifyOwner(tx, {
      ...news,
      facts: { ...news.facts, count: 1 },
      // Two transactions at once share this key, so the second one is counted into the first one's notice.
      dedupeKey: `${news.kind} after ${last?.notice_id ?? 'none'}`,
      mailAt: last ? laterOf(soon, later(last.created_at, mailsApart)) : soon,
    } as NewNotice);
    if (isNew) return;
  }
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}
