import type { Transaction } from '../../../base/database/connect.ts';
import { countedReference } from '../sql-fragments.ts';
import { genuineCredits } from './credits.ts';

/** Until the transaction ends, nobody else of this business can ask about this reference. */
export async function lockReference(tx: Transaction, merchantId: number, reference: string): Promise<void> {
  await tx`select lock_reference(${merchantId}, ${reference})`;
}

/**
 * The credit of this business that counted this reference and has paid nothing (R12). Left out is a second payment of
 * an order in its time, even if it became one later: row 4 comes before row 5, so another customer's word does not
 * move it. Left out too is money that a person did not find in the account.
 */
export async function selectCreditWith(
  tx: Transaction,
  merchantId: number,
  reference: string,
): Promise<string | null> {
  const [row] = await tx<{ alert_id: string }[]>`
    select a.alert_id
    from counted_references r join alerts a on a.merchant_id = r.merchant_id and a.alert_id = r.alert_id
    where r.merchant_id = ${merchantId} and r.bank_reference = ${countedReference(tx, tx`${reference}::text`)}
      and a.verdict in ${genuineCredits} and a.reason_code is distinct from 'paid_already'
      and a.reason_code is distinct from 'not_arrived'
      and not exists (select from orders o where o.merchant_id = a.merchant_id and o.order_id = a.order_id
        and o.status = 'paid' and o.payable_paise = a.amount_paise and a.table_row = 3)`;
  return row?.alert_id ?? null;
}

/** Several customers now name this money, so the person who opens it is warned. */
export async function markContested(tx: Transaction, merchantId: number, alertId: string): Promise<void> {
  await tx`
    update alerts set reason_code = 'claimed_by_several', facts = '{}', is_ended = false
    where merchant_id = ${merchantId} and alert_id = ${alertId} and verdict = 'no_order'`;
}

type NewClaim = { merchantId: number; orderId: string; reference: string; now: Date; most: number };

/**
 * False if it was typed before, or the order has too many. The order is locked, so the count is exact. A reference
 * typed after a verdict is marked so, whatever our clock says, because `verify` asks which came first.
 */
export async function insertTypedReference(
  tx: Transaction,
  { merchantId, orderId, reference, now, most }: NewClaim,
): Promise<boolean> {
  const rows = await tx`
    insert into claimed_references (merchant_id, order_id, bank_reference, claimed_at)
    select ${merchantId}, ${orderId}, named.reference, greatest(${now}, (
      select a.judged_at from counted_references r join alerts a on a.merchant_id = r.merchant_id and a.alert_id = r.alert_id
      where r.merchant_id = ${merchantId} and r.bank_reference = named.reference))
    from (select ${countedReference(tx, tx`${reference}::text`)} as reference) as named
    where (select count(*) from claimed_references where merchant_id = ${merchantId} and order_id = ${orderId}) < ${most}
    on conflict do nothing
    returning order_id`;
  return rows.length === 1;
}

/** Unpaid orders whose customers say they paid with this reference. Two are enough to know that it is unclear. */
export async function selectWhoTyped(
  tx: Transaction,
  { merchantId, reference }: { merchantId: number; reference: string | null },
): Promise<string[]> {
  if (reference === null) return [];
  const rows = await tx<{ order_id: string }[]>`
    select o.order_id
    from claimed_references c join orders o on o.merchant_id = c.merchant_id and o.order_id = c.order_id
    where c.merchant_id = ${merchantId} and c.bank_reference = ${countedReference(tx, tx`${reference}::text`)}
      and o.status <> 'paid'
    order by o.order_id limit 2`;
  return rows.map(row => row.order_id);
}
