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
  const [row] = await sql<HeldAlert[]>`
    select a.alert_id, a.arrived_at, a.alert_time, a.bank, a.recipient, a.signature_id, a.other_signature_ids,
      a.signing_domain, a.selector, ${rawOf(sql)} as raw,
      array(select k.record from dkim_keys k
        where k.name = lower(a.selector || '._domainkey.' || a.signing_domain)) as key_records
    from alerts a join merchants m on m.merchant_id = a.merchant_id join plans p on p.plan = m.plan
    where a.merchant_id = ${merchantId} and a.alert_id = ${alertId} and a.verdict = 'unreadable'
      and a.recipient is not null and a.signature_id is not null and a.alert_time is not null
      and (p.history_days is null or a.arrived_at > ${now}::timestamptz - p.history_days * interval '1 day')
      and exists (select from upi_accounts u
        where u.merchant_id = a.merchant_id and u.bank = a.bank and u.removed_at is null)`;
  return row ?? null;
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
  const rows = await tx`
    update alerts set verdict = 'no_order', reason_code = 'read_by_person', facts = ${tx.json({ by })}, read_by = ${by},
      judged_at = ${now}, next_try_at = null, near_misses = '[]', purse = null, kept_bytes = null, held_line = null,
      ${setFacts(tx, facts)}
    where merchant_id = ${merchantId} and alert_id = ${alertId} and verdict = 'unreadable' and claim is null
    returning alert_id`;
  return rows.length === 1;
}
