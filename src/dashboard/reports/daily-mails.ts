import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { Person } from '../../business/accounts/queries/users.ts';
import { isDisabled } from '../../business/merchants/queries.ts';
import { readers } from '../../outbox/topics.ts';
import type { Language } from '../../texts/languages.ts';

/** The people who want the day's report by mail, each with an hour of India's clock. */
export type DailySummary = { hour: number; even_empty: boolean };

export async function selectSummary(sql: Queryable, who: Person): Promise<DailySummary | null> {
  return await sql<DailySummary[]>`
    select hour, even_empty from daily_summaries where merchant_id = ${who.merchantId} and user_id = ${who.userId}`.first();
}

/** Saving the same hour again keeps the due time, so that nothing is reported twice or left out. */
export async function saveSummary(
  sql: Queryable,
  row: DailySummary & { merchant_id: number; user_id: string; next_at: Date },
): Promise<void> {
  await sql`
    insert into daily_summaries as s ${sql(row)}
    on conflict (merchant_id, user_id) do update set hour = excluded.hour, even_empty = excluded.even_empty,
      next_at = case when s.hour = excluded.hour then s.next_at else excluded.next_at end`;
}

export async function deleteSummary(sql: Queryable, who: Person): Promise<void> {
  await sql`delete from daily_summaries where merchant_id = ${who.merchantId} and user_id = ${who.userId}`;
}

export type DueSummary = DailySummary & {
  merchant_id: number;
  user_id: string;
  next_at: Date;
  email: string;
  language: Language | null;
  business: string;
  /** The person may see the business, and it is open. */
  is_wanted: boolean;
};

export async function selectDueSummaries(sql: Queryable, { now, limit }: { now: Date; limit: number }) {
  return await sql<DueSummary[]>`
    select s.merchant_id, s.user_id, s.hour, s.even_empty, s.next_at, u.email, u.language, m.name as business,
      u.role = any (${[...readers]}::text[]) and not ${isDisabled(sql)} and m.moved_at is null as is_wanted
    from daily_summaries s
      join users u on u.merchant_id = s.merchant_id and u.user_id = s.user_id
      join merchants m on m.merchant_id = s.merchant_id
    where s.next_at <= ${now} order by s.next_at limit ${limit}`;
}

/** False if another process has already sent this day, or if the person has changed the hour since. */
export async function moveSummary(
  tx: Transaction,
  { merchant_id, user_id, next_at }: DueSummary,
  nextAt: Date,
): Promise<boolean> {
  return await tx`
    update daily_summaries set next_at = ${nextAt}
    where merchant_id = ${merchant_id} and user_id = ${user_id} and next_at = ${next_at} returning user_id`.some();
}
