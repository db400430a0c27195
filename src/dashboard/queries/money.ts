import { reasonColumn } from '../../alerts/queries/reason.ts';
import type { Queryable } from '../../database/connect.ts';
import { type Reason, type ReasonCode, type Verdict, verdicts } from '../../verdicts.ts';
import { type AlertEvidence, evidenceColumns } from './orders.ts';

/** Verdicts on alerts that paid no order (design of the gates), in the order a person wants to look at them. */
export type UnpaidVerdict = Exclude<Verdict, 'paid'>;
export const unpaidVerdicts = verdicts.filter((one): one is UnpaidVerdict => one !== 'paid');

export type UnpaidAlert = AlertEvidence & {
  verdict: UnpaidVerdict;
  reason: Reason | null;
  order_id: string | null;
  near_misses: { order_id: string; payable_paise: number }[] | null;
  next_try_at: Date | null;
};

export type MoneyPosition = { arrivedAt: Date; alertId: string };

/** Alerts stay as long as the plan's orders do. */
function insideWindow(sql: Queryable, now: Date) {
  return sql`(p.history_days is null or e.arrived_at > ${now}::timestamptz - p.history_days * interval '1 day')`;
}

export type MoneyFilter = { verdict: UnpaidVerdict | null; reason: ReasonCode | null };

type MoneyQuery = MoneyFilter & { after: MoneyPosition | null; limit: number; now: Date };

export async function selectUnpaidAlerts(
  sql: Queryable,
  merchantId: number,
  { verdict, reason, after, limit, now }: MoneyQuery,
): Promise<UnpaidAlert[]> {
  return await sql<UnpaidAlert[]>`
    select ${evidenceColumns(sql)}, e.verdict, ${reasonColumn(sql)}, e.order_id, e.near_misses, e.next_try_at
    from alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
    where e.merchant_id = ${merchantId} and e.verdict <> 'paid' and ${insideWindow(sql, now)}
      ${verdict === null ? sql`` : sql`and e.verdict = ${verdict}`}
      ${reason === null ? sql`` : sql`and e.reason_code = ${reason}`}
      ${after === null ? sql`` : sql`and (e.arrived_at, e.alert_id) < (${after.arrivedAt}, ${after.alertId})`}
    order by e.arrived_at desc, e.alert_id desc limit ${limit}`;
}

export type UnpaidCount = { verdict: UnpaidVerdict; reason: ReasonCode | null; count: number };

export async function countUnpaid(sql: Queryable, merchantId: number, now: Date): Promise<UnpaidCount[]> {
  return await sql<UnpaidCount[]>`
    select e.verdict, e.reason_code as reason, count(*) as count
    from alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
    where e.merchant_id = ${merchantId} and e.verdict <> 'paid' and ${insideWindow(sql, now)}
    group by e.verdict, e.reason_code`;
}

/** Verdicts where a customer's money most likely lies in the account and no order knows of it. */
const wantsLooking = ['no_order', 'extra_payment', 'too_late', 'wrong_account', 'unreadable'];

export async function countMoneyToLookAt(sql: Queryable, merchantId: number, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from alerts e
    where e.merchant_id = ${merchantId} and e.verdict <> 'paid' and e.arrived_at > ${since}
      and e.verdict in ${sql(wantsLooking)}`;
  return row?.count ?? 0;
}
