import type { Queryable } from '../../../base/database/connect.ts';
import { freshTime } from '../../../payments/matching/queries/payments.ts';

type Freshness = { is_on: boolean; paid: number; waits: number };

/**
 * The choice, the orders that were paid by themselves since then, and how many of them would have waited at most: an
 * earlier customer of their amount might still have paid it, and theirs showed nothing in the last three minutes.
 */
export async function selectFreshness(sql: Queryable, merchantId: number, since: Date): Promise<Freshness> {
  const [row] = await sql<Freshness[]>`
    select m.fresh_only as is_on, coalesce(week.paid, 0)::int as paid, coalesce(week.waits, 0)::int as waits
    from merchants m left join lateral (
      select count(*) as paid, count(*) filter (
        where coalesce(o.intent_at < e.alert_time - ${`${freshTime} milliseconds`}::interval, true) and exists (
          select from orders b where b.merchant_id = o.merchant_id and b.payable_paise = o.payable_paise
            and b.status <> 'paid' and b.created_at < o.created_at and b.created_at > e.alert_time - interval '48 hours'
            and b.created_at > e.alert_time - case when b.intent_at is null then interval '24 hours' else interval '48 hours' end
        )) as waits
      from orders o join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id
      where o.merchant_id = m.merchant_id and o.paid_at > ${since} and e.table_row = 3
    ) as week on true
    where m.merchant_id = ${merchantId}`;
  return row!;
}

export async function updateFreshOnly(sql: Queryable, merchantId: number, on: boolean): Promise<void> {
  await sql`update merchants set fresh_only = ${on} where merchant_id = ${merchantId}`;
}
