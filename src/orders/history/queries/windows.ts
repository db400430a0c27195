import type { Queryable } from '../../../base/database/connect.ts';

/** `before` and `days` are the plan's window at the last check and now. Null means no end. */
export type MovedWindow = {
  merchant_id: number;
  before: number | null;
  days: number | null;
  shrank: boolean;
};

/**
 * Deletion follows a longer window at once. It follows a shorter one only if that has not shrunk further since
 * `restedSince`. A business without a row came from elsewhere, and everything it has was visible until now.
 */
export async function updateWindows(
  sql: Queryable,
  { now, restedSince, limit }: { now: Date; restedSince: Date; limit: number },
): Promise<MovedWindow[]> {
  const endless = 2_000_000_000;
  return await sql<MovedWindow[]>`
    with seen as (
      select m.merchant_id, p.history_days as days, h.window_days as before, h.kept_days, h.shrank_at,
        coalesce(p.history_days, ${endless}) >= coalesce(h.kept_days, ${endless}) as is_all,
        coalesce(p.history_days, ${endless}) < coalesce(h.window_days, ${endless}) as shrank
      from merchants m join plans p on p.plan = m.plan
        left join history_progress h on h.merchant_id = m.merchant_id
      where p.history_days is distinct from h.window_days or h.shrank_at <= ${restedSince}
      order by m.merchant_id limit ${limit}
    ), moved as (
      insert into history_progress (merchant_id, window_days, kept_days, shrank_at)
      select merchant_id, days,
        case when is_all or (not shrank and shrank_at <= ${restedSince}) then days else kept_days end,
        case when is_all then null when shrank then ${now}::timestamptz
          when shrank_at <= ${restedSince} then null else shrank_at end
      from seen
      on conflict (merchant_id) do update
        set window_days = excluded.window_days, kept_days = excluded.kept_days, shrank_at = excluded.shrank_at
    )
    select merchant_id, before, days, shrank and not is_all as shrank from seen`;
}

/** The window by which a business's rows are deleted, in days. Null if nothing is. */
export function keptDays(sql: Queryable) {
  return sql`case when h.kept_days is not null then greatest(h.kept_days, p.history_days) end`;
}

/**
 * The longest window by which anything is deleted, in days. Null if a window has no end, there is no business, or a
 * plan change is not noted yet. Once noted, only windows that shrank keep rows longer than their plans say.
 */
export async function selectLongestKept(sql: Queryable): Promise<number | null> {
  return await sql<{ days: number | null }[]>`
    select case when bool_and(days is not null) and not exists (
        select from merchants m join plans p on p.plan = m.plan
          left join history_progress h on h.merchant_id = m.merchant_id
        where p.history_days is distinct from h.window_days)
      then max(days) end as days from (
      select p.history_days as days from plans p where exists (select from merchants m where m.plan = p.plan)
      union all
      select h.kept_days from history_progress h where h.shrank_at is not null) as windows`.value();
}

/** Frees ids of deleted orders whose year is over. Returns how many, at most `limit`. */
export async function freeSpentIds(sql: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from spent_order_ids
    where ctid = any (array(select ctid from spent_order_ids where until <= ${now} order by until limit ${limit}))
    returning merchant_id`;
  return rows.length;
}
