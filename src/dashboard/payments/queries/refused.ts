import { reasonColumn } from '../../../alerts/queries.ts';
import type { Queryable } from '../../../base/database/connect.ts';
import type { ListPosition } from '../../../orders/list-orders.ts';
import { genuineCredits } from '../../../payments/matching/queries/credits.ts';
import {
  type CreditVerdict,
  creditVerdicts,
  type Reason,
  type Verdict,
  verdicts,
} from '../../../texts/verdicts.ts';
import { type AlertEvidence, evidenceColumns } from './orders.ts';

/** Mails that report no money for this business, or not reliably: all verdicts but payments and credits (R16). */
export type RefusedVerdict = Exclude<Verdict, 'paid' | CreditVerdict>;
export const refusedVerdicts = verdicts.filter(
  (one): one is RefusedVerdict => one !== 'paid' && !creditVerdicts.some(credit => credit === one),
);

export type RefusedMail = AlertEvidence & {
  verdict: RefusedVerdict;
  reason: Reason | null;
  order_id: string | null;
  next_try_at: Date | null;
};

/** Alerts are kept as long as the plan's orders. */
export function insideWindow(sql: Queryable, now: Date) {
  return sql`(p.history_days is null or e.arrived_at > ${now}::timestamptz - p.history_days * interval '1 day')`;
}

function isRefused(sql: Queryable) {
  return sql`e.verdict <> 'paid' and e.verdict not in ${genuineCredits}`;
}

type RefusedPage = { verdict: RefusedVerdict | null; after: ListPosition | null; limit: number; now: Date };

export async function selectRefusedMails(
  sql: Queryable,
  merchantId: number,
  { verdict, after, limit, now }: RefusedPage,
): Promise<RefusedMail[]> {
  return await sql<RefusedMail[]>`
    select ${evidenceColumns(sql)}, e.verdict, ${reasonColumn(sql)}, e.order_id, e.next_try_at
    from alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
    where e.merchant_id = ${merchantId} and ${isRefused(sql)} and ${insideWindow(sql, now)}
      ${verdict === null ? sql`` : sql`and e.verdict = ${verdict}`}
      ${after === null ? sql`` : sql`and (e.arrived_at, e.alert_id) < (${after.createdAt}, ${after.orderId})`}
    order by e.arrived_at desc, e.alert_id desc limit ${limit}`;
}

/** A mail that a bank signed to this business, whatever its verdict; null for any other. */
export async function selectProven(sql: Queryable, merchantId: number, alertId: string, now: Date) {
  return await sql<{ alert_id: string; verdict: Verdict; order_id: string | null }[]>`
    select e.alert_id, e.verdict, e.order_id
    from alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
    where e.merchant_id = ${merchantId} and e.alert_id = ${alertId} and e.recipient is not null
      and ${insideWindow(sql, now)}`.first();
}

export type RefusedCount = { verdict: RefusedVerdict; count: number };

/** Counts stop at the newest so many, so that the screen works for a business that is sent a million mails. */
export const mostRefusedCounted = 10_000;

export async function countRefused(sql: Queryable, merchantId: number, now: Date): Promise<RefusedCount[]> {
  return await sql<RefusedCount[]>`
    select verdict, count(*) as count
    from (
      select e.verdict
      from alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
      where e.merchant_id = ${merchantId} and ${isRefused(sql)} and ${insideWindow(sql, now)}
      order by e.arrived_at desc, e.alert_id desc limit ${mostRefusedCounted}
    ) as newest
    group by verdict`;
}

/** Refused mails that may still contain a customer's money. */
export async function countDoubtfulMails(sql: Queryable, merchantId: number, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from alerts e
    where e.merchant_id = ${merchantId} and e.verdict <> 'paid' and e.arrived_at > ${since}
      and e.verdict in ('wrong_account', 'unreadable')`;
  return row?.count ?? 0;
}
