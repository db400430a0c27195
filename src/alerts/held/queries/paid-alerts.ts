import type { Queryable } from '../../../base/database/connect.ts';
import { hasRaw, rawOf } from '../../queries.ts';
import type { HeldAlert } from './held-mails.ts';

export type PaidAlert = Omit<HeldAlert, 'bank' | 'other_signature_ids' | 'signing_domain' | 'selector'> & {
  merchant_id: number;
  /** Null: a taking. */
  order_id: string | null;
  /** Null: gone before its order has left. */
  raw: Buffer | null;
  amount_paise: number;
  bank_reference: string | null;
  /** Who read it, where no program could. */
  read_by: string | null;
};

/**
 * Alerts that paid an order or are takings, and whose bytes are still kept, or should be, in pages. Bytes are forgotten after their
 * order has left the history window, and a day before that it stands in an archive.
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

/** The compressed bytes of one, null once they have left, and who read it where no program could. */
export async function selectPaidMail(sql: Queryable, merchantId: number, alertId: string) {
  const [row] = await sql<Pick<PaidAlert, 'raw' | 'read_by'>[]>`
    select ${rawOf(sql)} as raw, a.read_by from alerts a where a.merchant_id = ${merchantId} and a.alert_id = ${alertId}`;
  return row!;
}
