import { reasonColumn } from '../../alerts/queries.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { Order } from '../../orders/order.ts';
import { insideHistory, orderColumns } from '../../orders/sql-fragments.ts';
import { proofPrefix } from '../../payments/matching/queries/trials.ts';
import { evidenceColumns, type OrderAlert, orderTables } from '../payments/queries/orders.ts';
import type { AccountRow } from '../upi-accounts/queries.ts';

/** The order with the alert that paid it, and its UPI account's bank and digits. */
export type ProofOrder = Order & { alert_id: string | null } & Pick<AccountRow, 'bank' | 'account_digits'>;

/** The newest order of the first-steps page. An older one is ignored, so a person who returns later starts again. */
export async function selectProofOrder(sql: Queryable, merchantId: number, now: Date) {
  return await sql<ProofOrder[]>`
    select ${orderColumns(sql, now)}, o.alert_id, a.bank, a.account_digits
    from ${orderTables(sql)}
    where o.merchant_id = ${merchantId} and starts_with(o.merchant_order_id, ${proofPrefix})
      and o.created_at > ${now}::timestamptz - interval '1 day' and ${insideHistory(sql, now)}
    order by o.created_at desc, o.order_id desc limit 1`.first();
}

/** Bank mails since the proof began, newest first. One of them should be the proof's alert. */
export async function selectProofAlerts(
  sql: Queryable,
  merchantId: number,
  since: Date,
  alertId: string | null,
): Promise<OrderAlert[]> {
  return await sql<OrderAlert[]>`
    select ${evidenceColumns(sql)}, e.verdict, ${reasonColumn(sql)} from alerts e
    where e.merchant_id = ${merchantId}
      and (e.arrived_at >= ${since}::timestamptz - interval '1 minute' or e.alert_id = ${alertId})
    order by e.alert_id = ${alertId} desc nulls last, e.arrived_at desc limit 5`;
}

/** Whether any payment ever came, and whether one was more than the proof's rupee. */
export async function selectPaid(sql: Queryable, merchantId: number) {
  const paid = sql`select from orders where merchant_id = ${merchantId} and paid_at is not null`;
  const [row] = await sql<{ any: boolean; byCustomer: boolean }[]>`
    select exists (${paid})
      or exists (select from collections where merchant_id = ${merchantId} and collected_paise > 0) as any,
      exists (${paid} and not starts_with(merchant_order_id, ${proofPrefix})) as "byCustomer"`;
  return row!;
}
