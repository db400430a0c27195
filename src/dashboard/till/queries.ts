import type { Queryable } from '../../base/database/connect.ts';
import type { Order } from '../../orders/order.ts';
import { orderColumns } from '../../orders/sql-fragments.ts';
import { indianMidnight } from '../home/queries.ts';

export type TillOrder = Order & { purpose: string };

/** An order that was made here, with what it is for; null for one of the shop's server, and for one of yesterday. */
export async function selectTillOrder(sql: Queryable, merchantId: number, orderId: string, now: Date) {
  const [row] = await sql<TillOrder[]>`
    select ${orderColumns(sql, now)}, u.purpose
    from orders o
      join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id
    where o.merchant_id = ${merchantId} and o.order_id = ${orderId}
      and (o.created_at >= ${indianMidnight(sql, now)} or o.paid_at >= ${indianMidnight(sql, now)})`;
  return row ?? null;
}

export type PaidToday = {
  order_id: string;
  received_paise: number;
  paid_at: Date;
  purpose: string | null;
  customer: { name?: string } | null;
};

const shownPayments = 30;

/** Today as India counts it, newest first. */
export async function selectPaidToday(sql: Queryable, merchantId: number, now: Date): Promise<PaidToday[]> {
  return await sql<PaidToday[]>`
    select o.order_id, coalesce(o.received_paise, o.payable_paise)::bigint as received_paise, o.paid_at, u.purpose, o.customer
    from orders o left join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id
    where o.merchant_id = ${merchantId} and o.paid_at >= ${indianMidnight(sql, now)}
    order by o.paid_at desc, o.order_id limit ${shownPayments}`;
}
