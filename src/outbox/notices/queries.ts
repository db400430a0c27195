import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import type { news } from '../../texts/en/mails.ts';
import type { FactsOf } from '../../texts/verdicts.ts';

type LastNotice = {
  notice_id: number;
  created_at: Date;
  /** Null after its mail was sent or given up. */
  mail_at: Date | null;
};

/** Locks the newest notice of its kind until the transaction ends, so that no addition is lost. */
export async function selectLastNotice(tx: Transaction, merchantId: number, kind: News['kind']) {
  return await tx<LastNotice[]>`
    select n.notice_id, n.created_at, m.next_try_at as mail_at
    from notices n left join mails m on m.merchant_id = n.merchant_id and m.notice_id = n.notice_id
    where n.merchant_id = ${merchantId} and n.kind = ${kind}
    order by n.notice_id desc limit 1 for update of n`.first();
}

export type Notice = News & {
  notice_id: number;
  created_at: Date;
  seen_at: Date | null;
};

const pageSize = 50;

/** Newest first. Pass the previous page's `before` for the next page. */
export async function listNotices(
  { sql }: Pick<World, 'sql'>,
  merchantId: number,
  { before = null, onlyUnseen = false }: { before?: number | null; onlyUnseen?: boolean } = {},
): Promise<{ notices: Notice[]; before: number | null }> {
  const rows = await sql<Notice[]>`
    select notice_id, kind, facts, created_at, seen_at from notices
    where merchant_id = ${merchantId} ${before === null ? sql`` : sql`and notice_id < ${before}`}
      ${onlyUnseen ? sql`and seen_at is null` : sql``}
    order by notice_id desc limit ${pageSize + 1}`;
  const notices = rows.slice(0, pageSize);
  return { notices, before: rows.length > pageSize ? (notices.at(-1)?.notice_id ?? null) : null };
}

export async function markNoticeSeen(sql: Queryable, merchantId: number, noticeId: number, now: Date) {
  const rows = await sql`
    update notices set seen_at = ${now}
    where merchant_id = ${merchantId} and notice_id = ${noticeId} and seen_at is null returning notice_id`;
  if (rows.length === 1) return 'seen';
  const known = await sql`
    select from notices where merchant_id = ${merchantId} and notice_id = ${noticeId}`;
  return known.length === 1 ? 'before' : 'unknown';
}

/** Marks notices up to the newest one on the person's screen; later ones stay unseen. */
export async function markNoticesSeen(sql: Queryable, merchantId: number, upTo: number, now: Date) {
  const rows = await sql`
    update notices set seen_at = ${now}
    where merchant_id = ${merchantId} and notice_id <= ${upTo} and seen_at is null returning notice_id`;
  return rows.length;
}

/** The unseen notices of these kinds: how many there are, and the newest one. */
export async function selectUnseenOf(sql: Queryable, merchantId: number, kinds: readonly News['kind'][]) {
  const [newest] = await sql<(Notice & { count: number })[]>`
    select notice_id, kind, facts, created_at, seen_at, count(*) over () as count from notices
    where merchant_id = ${merchantId} and seen_at is null and kind = any (${[...kinds]}::text[])
    order by notice_id desc limit 1`;
  return { count: newest?.count ?? 0, newest: newest ?? null };
}

export async function hasUnseen(sql: Queryable, merchantId: number, kind: string): Promise<boolean> {
  return await sql`
    select from notices where merchant_id = ${merchantId} and kind = ${kind} and seen_at is null limit 1`.some();
}

/** A kind and its facts. `texts/` has the words in every language. */
export type News = {
  [Kind in keyof typeof news]: {
    kind: Kind;
    facts: FactsOf<(typeof news)[Kind]['subject'] | (typeof news)[Kind]['text']>;
  };
}[keyof typeof news];

export type NewNotice = News & {
  merchantId: number;
  /** A second notice with this key is not written. */
  dedupeKey: string;
  now: Date;
  /** When to mail it: at once by default, never if null. */
  mailAt?: Date | null;
};
