import type { Queryable } from '../../src/base/database/connect.ts';

/** Simulates plans that have been in force for long, so that no history window is still settling. */
export async function settleWindows(sql: Queryable): Promise<void> {
  await sql`
    insert into history_progress (merchant_id, window_days, kept_days)
    select m.merchant_id, p.history_days, p.history_days from merchants m join plans p on p.plan = m.plan
    on conflict (merchant_id) do update
      set window_days = excluded.window_days, kept_days = excluded.kept_days, shrank_at = null`;
}
