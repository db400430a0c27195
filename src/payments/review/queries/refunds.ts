import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Paise } from '../../../base/money.ts';

/** A part of a paid order that a person noted as given back. */
export type Refund = {
  refund_id: string;
  order_id: string;
  account_id: string;
  amount_paise: Paise;
  done_by: string;
  done_at: Date;
};

/** Those of one order, the first one first. */
export async function selectRefunds(sql: Queryable, merchantId: number, orderId: string): Promise<Refund[]> {
  return await sql<Refund[]>`
    select refund_id, order_id, account_id, amount_paise, done_by, done_at from refunds
    where merchant_id = ${merchantId} and order_id = ${orderId} order by done_at, refund_id`;
}

/** Also archives the order again if an archive already has it, because the archive lists what was given back. */
export async function insertRefund(tx: Transaction, merchantId: number, refund: Refund): Promise<void> {
  await tx`insert into refunds ${tx({ merchant_id: merchantId, ...refund })}`;
  await archiveAgain(tx, merchantId, refund.order_id);
}

export async function deleteRefund(tx: Transaction, merchantId: number, refund: Refund): Promise<void> {
  await tx`
    delete from refunds
    where merchant_id = ${merchantId} and order_id = ${refund.order_id} and refund_id = ${refund.refund_id}`;
  await archiveAgain(tx, merchantId, refund.order_id);
}

async function archiveAgain(tx: Transaction, merchantId: number, orderId: string): Promise<void> {
  await tx`
    with changed as (
      update orders set archived_at = null
      where merchant_id = ${merchantId} and order_id = ${orderId} and archived_at is not null returning created_at
    )
    select archive_anew(${merchantId}, created_at) from changed`;
}

export type GivenBack = { count: number; paise: number };

/** What was noted as given back from one moment until before another: of paid orders, and payments without an order. */
export async function sumGivenBack(
  sql: Queryable,
  merchantId: number,
  from: Date,
  to: Date,
): Promise<GivenBack> {
  const [row] = await sql<GivenBack[]>`
    select count(*)::int as count, coalesce(sum(back.paise), 0)::bigint as paise from (
      select r.amount_paise as paise from refunds r
      where r.merchant_id = ${merchantId} and r.done_at >= ${from} and r.done_at < ${to}
      union all
      -- Each mail by its key: otherwise all of the business may be read.
      select e.amount_paise from handled_credits h cross join lateral (select a.amount_paise from alerts a
          where a.merchant_id = h.merchant_id and a.alert_id = h.alert_id offset 0) e
      where h.merchant_id = ${merchantId} and h.state = 'given_back' and h.done_at >= ${from} and h.done_at < ${to}
    ) as back`;
  return row!;
}
