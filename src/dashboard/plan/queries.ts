import type { Queryable } from '../../base/database/connect.ts';
import { indianMonth } from '../../business/merchants/indian-month.ts';
import type { Plan } from '../../business/merchants/plans.ts';

export type PlanUsage = Plan & { collected_paise: number };

export async function selectPlanUsage(sql: Queryable, merchantId: number, now: Date) {
  return await sql<PlanUsage[]>`
    select p.plan, p.title, p.monthly_limit_paise, p.account_limit, p.history_days, p.upgrade_url, p.price_paise, p.period_days,
      coalesce((select c.collected_paise from collections c
        where c.merchant_id = m.merchant_id and c.month = ${indianMonth(sql, now)}), 0)::bigint as collected_paise
    from merchants m join plans p on p.plan = m.plan
    where m.merchant_id = ${merchantId}`.first();
}
