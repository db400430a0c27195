import { reasonColumn } from '../../../alerts/queries.ts';
import type { Queryable } from '../../../base/database/connect.ts';
import type { ListPosition } from '../../../orders/list-orders.ts';
import { genuineCredits } from '../../../payments/matching/queries/credits.ts';
import type { CreditVerdict, Reason, Verdict } from '../../../texts/verdicts.ts';
import { type AlertEvidence, evidenceColumns } from './orders.ts';

/** Mails that report no money for this business, or not reliably: all verdicts but payments and credits (R16). */
type RefusedVerdict = Exclude<Verdict, 'paid' | CreditVerdict>;

export type RefusedMail = AlertEvidence & {
  verdict: RefusedVerdict;
  reason: Reason | null;
  order_id: string | null;
  next_try_at: Date | null;
};

export function insideWindow(sql: Queryable, now: Date) {
  return sql`(p.history_days is null or e.arrived_at > ${now}::timestamptz - p.history_days * interval '1 day')`;
}

function isRefused(sql: Queryable) {
  return sql`e.verdict <> 'paid' and e.verdict not in ${genuineCredits}`;
}

/** They may still be about a customer's money. */
const doubtful = ['wrong_account', 'unreadable'];

type RefusedPage = { onlyDoubtful: boolean; after: ListPosition | null; limit: number; now: Date };

export async function selectRefusedMails(
  sql: Queryable,
  merchantId: number,
  { onlyDoubtful, after, limit, now }: RefusedPage,
): Promise<RefusedMail[]> {
  return await sql<RefusedMail[]>`
    select ${evidenceColumns(sql)}, e.verdict, ${reasonColumn(sql)}, e.order_id, e.next_try_at
    from alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
    where e.merchant_id = ${merchantId} and ${isRefused(sql)} and ${insideWindow(sql, now)}
      ${onlyDoubtful ? sql`and e.verdict in ${sql(doubtful)}` : sql``}
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

export async function countDoubtfulMails(sql: Queryable, merchantId: number, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from alerts e
    where e.merchant_id = ${merchantId} and e.verdict <> 'paid' and e.arrived_at > ${since}
      and e.verdict in ${sql(doubtful)}`;
  return row?.count ?? 0;
}
