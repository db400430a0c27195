import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { type AlertFacts, setFacts } from '../../../payments/matching/credit.ts';
import { hasRaw, rawOf } from '../../queries.ts';

export type HeldAlert = {
  alert_id: string;
  arrived_at: Date;
  alert_time: Date;
  bank: string;
  recipient: string;
  signature_id: string;
  other_signature_ids: string[];
  signing_domain: string;
  selector: string;
  raw: Buffer | null;
  /** Every record ever seen under the name of the signing key. */
  key_records: string[];
};

/** An unread mail in this business's history. Its account's bank must have signed it to one of its addresses. */
export async function selectHeldAlert(sql: Queryable, merchantId: number, alertId: string, now: Date) {
  return await sql<HeldAlert[]>`
    select a.alert_id, a.arrived_at, a.alert_time, a.bank, a.recipient, a.signature_id, a.other_signature_ids,
      a.signing_domain, a.selector, ${rawOf(sql)} as raw,
      array(select k.record from dkim_keys k
        where k.name = lower(a.selector || '._domainkey.' || a.signing_domain)) as key_records
    from alerts a join merchants m on m.merchant_id = a.merchant_id join plans p on p.plan = m.plan
    where a.merchant_id = ${merchantId} and a.alert_id = ${alertId} and a.verdict = 'unreadable'
      and a.recipient is not null and a.signature_id is not null and a.alert_time is not null
      and (p.history_days is null or a.arrived_at > ${now}::timestamptz - p.history_days * interval '1 day')
      and exists (select from upi_accounts u
        where u.merchant_id = a.merchant_id and u.bank = a.bank and u.removed_at is null)`.first();
}

/**
 * The last credits by the same key that were read at least an hour before this mail. Only those about other sums: a
 * mail about the same sum may be about the same payment. An hour earlier nobody could know this mail's reference.
 */
export async function selectEarlierMails(
  sql: Queryable,
  merchantId: number,
  { bank, alert_time: at, selector, signing_domain }: HeldAlert,
  amounts: readonly number[],
) {
  return await sql<Pick<HeldAlert, 'recipient' | 'arrived_at' | 'raw'>[]>`
    select a.recipient, a.arrived_at, ${rawOf(sql)} as raw from alerts a
    where a.merchant_id = ${merchantId} and a.bank = ${bank} and a.amount_paise <> all (${[...amounts]}::bigint[])
      and a.selector = ${selector} and a.signing_domain = ${signing_domain} and a.recipient is not null
      and a.arrived_at < ${at}::timestamptz - interval '1 hour' and ${hasRaw(sql)}
    order by a.arrived_at desc limit 3`;
}

/** From now on it is a credit like any other that paid nothing by itself. False if it is no longer held. */
export async function markRead(
  tx: Transaction,
  merchantId: number,
  alertId: string,
  { facts, by, now }: { facts: AlertFacts; by: string; now: Date },
): Promise<boolean> {
  return await tx`
    update alerts set verdict = 'no_order', reason_code = 'read_by_person', facts = ${tx.json({ by })}, read_by = ${by},
      judged_at = ${now}, next_try_at = null, near_misses = '[]', purse = null, kept_bytes = null, held_line = null,
      ${setFacts(tx, facts)}
    where merchant_id = ${merchantId} and alert_id = ${alertId} and verdict = 'unreadable' and claim is null
    returning alert_id`.some();
}

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
