import type { Queryable } from '../database/connect.ts';
import type { Json } from '../database/statement.ts';
import type { Language } from '../texts/languages.ts';
import type { News } from './notify-owner.ts';

type NoticeRow = {
  merchant_id: number;
  kind: News['kind'];
  facts: Json;
  dedupe_key: string;
  created_at: Date;
  next_try_at: Date;
};

export async function insertNotice(sql: Queryable, row: NoticeRow): Promise<boolean> {
  const rows = await sql`
    insert into notices ${sql(row)} on conflict (merchant_id, dedupe_key) do nothing returning notice_id`;
  return rows.length === 1;
}

export type DueNotice = News & {
  merchant_id: number;
  notice_id: number;
  created_at: Date;
  tries: number;
  business: string;
  owners: { email: string; language: Language | null }[];
};

type Claim = { now: Date; leasedUntil: Date; notBefore: Date; most: number };

/** Counts the try before it is made: a mail that ends the process every time is not tried for ever. */
export async function claimNotices(sql: Queryable, claim: Claim): Promise<DueNotice[]> {
  return await sql<DueNotice[]>`
    with due as (
      select merchant_id, notice_id from notices
      where next_try_at <= ${claim.now} and created_at >= ${claim.notBefore}
      order by next_try_at limit ${claim.most} for update skip locked
    )
    update notices n set next_try_at = ${claim.leasedUntil}, tries = n.tries + 1
    from due, merchants m
    where n.merchant_id = due.merchant_id and n.notice_id = due.notice_id and m.merchant_id = n.merchant_id
    returning n.merchant_id, n.notice_id, n.kind, n.facts, n.created_at, n.tries, m.name as business,
      coalesce((select json_agg(json_build_object('email', u.email, 'language', u.language)) from (
        select email, language from users where merchant_id = n.merchant_id and role = 'owner'
        order by created_at limit 5) as u), '[]') as owners`;
}

type NoticeKey = { merchant_id: number; notice_id: number };

export async function markNoticeSent(sql: Queryable, key: NoticeKey, now: Date): Promise<void> {
  await sql`
    update notices set sent_at = ${now}, next_try_at = null, failure = null
    where merchant_id = ${key.merchant_id} and notice_id = ${key.notice_id}`;
}

export async function markNoticeFailed(
  sql: Queryable,
  key: NoticeKey,
  failure: string,
  nextTryAt: Date | null,
): Promise<void> {
  await sql`
    update notices set failure = ${failure}, next_try_at = ${nextTryAt}
    where merchant_id = ${key.merchant_id} and notice_id = ${key.notice_id} and sent_at is null`;
}

export type Notice = News & {
  notice_id: number;
  created_at: Date;
  seen_at: Date | null;
  sent_at: Date | null;
  failure: string | null;
};

export async function selectNotices(
  sql: Queryable,
  merchantId: number,
  { before, limit, onlyUnseen }: { before: number | null; limit: number; onlyUnseen: boolean },
): Promise<Notice[]> {
  return await sql<Notice[]>`
    select notice_id, kind, facts, created_at, seen_at, sent_at, failure from notices
    where merchant_id = ${merchantId} ${before === null ? sql`` : sql`and notice_id < ${before}`}
      ${onlyUnseen ? sql`and seen_at is null` : sql``}
    order by notice_id desc limit ${limit}`;
}

/** Whether this very call made it seen: what was seen before stays seen by whoever saw it first. */
export async function markNoticeSeen(
  sql: Queryable,
  merchantId: number,
  noticeId: number,
  now: Date,
): Promise<'seen' | 'before' | 'unknown'> {
  const rows = await sql`
    update notices set seen_at = ${now}
    where merchant_id = ${merchantId} and notice_id = ${noticeId} and seen_at is null returning notice_id`;
  if (rows.length === 1) return 'seen';
  const known = await sql`
    select from notices where merchant_id = ${merchantId} and notice_id = ${noticeId}`;
  return known.length === 1 ? 'before' : 'unknown';
}

/** All up to the one that the person had before their eyes; what came since stays new. */
export async function markNoticesSeen(
  sql: Queryable,
  merchantId: number,
  upTo: number,
  now: Date,
): Promise<number> {
  const rows = await sql`
    update notices set seen_at = ${now}
    where merchant_id = ${merchantId} and notice_id <= ${upTo} and seen_at is null returning notice_id`;
  return rows.length;
}

export async function countUnseen(sql: Queryable, merchantId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from notices where merchant_id = ${merchantId} and seen_at is null`;
  return row?.count ?? 0;
}

/** Also the unseen ones: nobody wants to be told of a quarter ago. */
export async function deleteOldNotices(sql: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from notices
    where (merchant_id, notice_id) in (
      select n.merchant_id, n.notice_id
      from notices n
        join merchants m on m.merchant_id = n.merchant_id
        join plans p on p.plan = m.plan
      where n.created_at <= ${now}::timestamptz - p.history_days * interval '1 day'
      limit ${limit} for update of n skip locked
    )
    returning notice_id`;
  return rows.length;
}

export async function countDueNotices(sql: Queryable, now: Date, notBefore: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from notices where next_try_at <= ${now} and created_at >= ${notBefore}`;
  return row?.count ?? 0;
}
