import { reasonColumn } from '../../alerts/queries/reason.ts';
import type { Queryable } from '../../database/connect.ts';
import { insideHistory, statusAt } from '../../orders/sql-fragments.ts';
import type { Reason, Verdict } from '../../verdicts.ts';

/** Orders of the first-steps page carry this before a random part in their merchant_order_id. */
export const proofPrefix = 'milaan-first-payment-';

export type ProofOrder = {
  order_id: string;
  payable_paise: number;
  status: string;
  created_at: Date;
  expires_at: Date;
  paid_at: Date | null;
  pay_token: string;
  alert_id: string | null;
  account_id: string;
  /** Of its UPI account. */
  bank: string | null;
  account_digits: string | null;
};

/** The newest order of the first-steps page. An older one is history: who comes back later starts anew. */
export async function selectProofOrder(
  sql: Queryable,
  merchantId: number,
  now: Date,
): Promise<ProofOrder | null> {
  const [row] = await sql<ProofOrder[]>`
    select o.order_id, o.payable_paise, ${statusAt(sql, now)} as status, o.created_at, o.expires_at, o.paid_at,
      o.pay_token, o.alert_id, o.account_id, a.bank, a.account_digits
    from orders o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
      join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
    where o.merchant_id = ${merchantId} and starts_with(o.merchant_order_id, ${proofPrefix})
      and o.created_at > ${now}::timestamptz - interval '1 day' and ${insideHistory(sql, now)}
    order by o.created_at desc, o.order_id desc limit 1`;
  return row ?? null;
}

export type ProofAlert = {
  alert_id: string;
  verdict: Verdict;
  reason: Reason | null;
  arrived_at: Date;
  bank: string | null;
  amount_paise: number | null;
  signing_domain: string | null;
  selector: string | null;
  recipient: string | null;
  template: string | null;
  account_digits: string | null;
  bank_reference: string | null;
  near_misses: { order_id: string; payable_paise: number }[] | null;
};

/** The mails of banks that arrived since the proof began, newest first: one of them should be its alert. */
export async function selectProofAlerts(
  sql: Queryable,
  merchantId: number,
  since: Date,
  alertId: string | null,
): Promise<ProofAlert[]> {
  return await sql<ProofAlert[]>`
    select alert_id, verdict, ${reasonColumn(sql)}, arrived_at, bank, amount_paise, signing_domain, selector, recipient, template,
      account_digits, bank_reference, near_misses
    from alerts
    where merchant_id = ${merchantId} and (arrived_at >= ${since}::timestamptz - interval '1 minute' or alert_id = ${alertId})
    order by alert_id = ${alertId} desc nulls last, arrived_at desc limit 5`;
}

export async function hasPaidOrder(sql: Queryable, merchantId: number): Promise<boolean> {
  const [row] = await sql<{ paid: boolean }[]>`
    select exists (select from orders where merchant_id = ${merchantId} and paid_at is not null)
      or exists (select from collections where merchant_id = ${merchantId} and collected_paise > 0) as paid`;
  return row?.paid ?? false;
}
