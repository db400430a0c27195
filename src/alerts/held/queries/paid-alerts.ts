import type { Queryable } from '../../../base/database/connect.ts';
import { hasRaw, rawOf } from '../../queries.ts';
import type { HeldAlert } from './held-mails.ts';

export type PaidAlert = Omit<HeldAlert, 'bank' | 'other_signature_ids' | 'signing_domain' | 'selector'> & {
  merchant_id: number;
  /** Null for a payment without an order. */
  order_id: string | null;
  /** Null if the bytes were deleted before the order left the history. */
  raw: Buffer | null;
  amount_paise: number;
  bank_reference: string | null;
  /** The person who read a mail that the program could not read. */
  read_by: string | null;
};

/**
 * Pages of alerts that paid an order, or a payment without one, and whose bytes exist or should exist. Bytes are
 * deleted after their order leaves the history window. The order is archived a day earlier.
 */
export async function selectPaidAlerts(sql: Queryable, after: PaidAlert | null, limit: number) {
  return await sql<PaidAlert[]>`
    select a.merchant_id, a.alert_id, a.order_id, ${rawOf(sql)} as raw, a.arrived_at, a.recipient, a.amount_paise,
      a.bank_reference, a.alert_time, a.signature_id, a.read_by,
      array(select k.record from dkim_keys k
        where k.name = lower(a.selector || '._domainkey.' || a.signing_domain)) as key_records
    from alerts a
    where (a.verdict = 'paid' or exists (select from takings t
        where t.merchant_id = a.merchant_id and t.alert_id = a.alert_id))
      and a.erasure_id is null and (${hasRaw(sql)} or exists (select from orders o
        where o.merchant_id = a.merchant_id and o.alert_id = a.alert_id and o.archived_at is null)
        -- Its owner chose to keep mails for a shorter time.
        and not exists (select from history_progress h where h.merchant_id = a.merchant_id and h.mails_gone_to >= a.arrived_at))
      and (a.merchant_id, a.alert_id) > (${after?.merchant_id ?? 0}, ${after?.alert_id ?? ''})
    order by a.merchant_id, a.alert_id limit ${limit}`;
}

/** One alert's compressed bytes, null once deleted, and the person who read it if the program could not. */
export async function selectPaidMail(sql: Queryable, merchantId: number, alertId: string) {
  const [row] = await sql<Pick<PaidAlert, 'raw' | 'read_by'>[]>`
    select ${rawOf(sql)} as raw, a.read_by from alerts a where a.merchant_id = ${merchantId} and a.alert_id = ${alertId}`;
  return row!;
}
