import type { Queryable } from '../../src/base/database/connect.ts';

/** As if the plans of now had been in force for long: what they hide is deleted two weeks after, and no rest is due. */
export async function settleWindows(sql: Queryable): Promise<void> {
  await sql`
    insert into history_progress (merchant_id, window_days, kept_days)
    select m.merchant_id, p.history_days, p.history_days from merchants m join plans p on p.plan = m.plan
    on conflict (merchant_id) do update
      set window_days = excluded.window_days, kept_days = excluded.kept_days, shrank_at = null`;
}
