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
