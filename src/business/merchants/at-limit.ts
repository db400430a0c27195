import type { Queryable } from '../../base/database/connect.ts';
import { indianMonth } from './indian-month.ts';

/** A business that its plan stops, or soon will. */
export type AtLimit = {
  merchant_id: number;
  name: string;
  plan: string;
  month: string;
  collected_paise: number;
  monthly_limit_paise: number | null;
  account_limit: number | null;
  paused: number;
};

/** From this share of the month on owners are told. */
export const warnedFrom = 80;

/** The fullest first; `untold` are those whose owner is still to hear of a step of this month, or of paused accounts. */
export async function selectAtLimit(
  sql: Queryable,
  now: Date,
  { limit, untold }: { limit: number; untold: boolean },
): Promise<AtLimit[]> {
  return await sql<AtLimit[]>`
    select m.merchant_id, m.name, m.plan, to_char(${indianMonth(sql, now)}, 'YYYY-MM') as month, c.collected_paise,
      p.monthly_limit_paise, p.account_limit, a.paused
    from plans p join merchants m on m.plan = p.plan cross join lateral (
      select coalesce((select c.collected_paise from collections c
        where c.merchant_id = m.merchant_id and c.month = ${indianMonth(sql, now)}), 0)::bigint as collected_paise) as c
      cross join lateral (select case when p.account_limit is null then 0 else greatest(0, (select count(*) from upi_accounts u
        where u.merchant_id = m.merchant_id and u.removed_at is null) - p.account_limit) end::int as paused) as a
    where (p.monthly_limit_paise is not null or p.account_limit is not null or m.paused_told > 0)
      and m.deletion_requested_at is null and m.moved_at is null and ${
        untold
          ? sql`(a.paused <> m.paused_told or (c.collected_paise * 100 >= p.monthly_limit_paise * ${warnedFrom}::int
        and not exists (select from notices n where n.merchant_id = m.merchant_id and n.dedupe_key = concat_ws(' ',
          'plan_month', to_char(${indianMonth(sql, now)}, 'YYYY-MM'), p.monthly_limit_paise,
          case when c.collected_paise >= p.monthly_limit_paise then 100 else ${warnedFrom}::int end))))`
          : sql`(a.paused > 0 or c.collected_paise * 100 >= p.monthly_limit_paise * ${warnedFrom}::int)`
      }
    order by c.collected_paise::float8 / p.monthly_limit_paise desc nulls last, m.merchant_id limit ${limit}`;
}

/** How many accounts the owner is now known to have paused; false when another process was faster. */
export async function notePaused(sql: Queryable, merchantId: number, paused: number): Promise<boolean> {
  const rows = await sql`
    update merchants set paused_told = ${paused} where merchant_id = ${merchantId} and paused_told <> ${paused}
    returning merchant_id`;
  return rows.length === 1;
}
