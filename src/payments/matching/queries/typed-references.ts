import type { Transaction } from '../../../base/database/connect.ts';
import { countedReference } from '../sql-fragments.ts';
import { genuineCredits } from './credits.ts';

/** Until the transaction ends, nobody else of this business can ask about this reference. */
export async function lockReference(tx: Transaction, merchantId: number, reference: string): Promise<void> {
  await tx`select lock_reference(${merchantId}, ${reference})`;
}

/**
 * The credit of this business that counted this reference and has paid nothing (R12). Not a second payment of an order
 * in its time, which another customer's word does not move (row 4 comes before row 5), whether it was one at first or
 * became one when the order was paid by another; and not what somebody did not find in the account.
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

/** Several customers name it from now on: whoever opens it reads that. */
export async function markContested(tx: Transaction, merchantId: number, alertId: string): Promise<void> {
  await tx`
    update alerts set reason_code = 'claimed_by_several', facts = '{}', is_ended = false
    where merchant_id = ${merchantId} and alert_id = ${alertId} and verdict = 'no_order'`;
}

type NewClaim = { merchantId: number; orderId: string; reference: string; now: Date; most: number };

/**
 * False when it was claimed before, or the order has too many claims. The order is locked, so the count holds. A claim
 * that comes after a verdict says so, whatever this process's clock says: `verify` asks which of the two was first.
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
