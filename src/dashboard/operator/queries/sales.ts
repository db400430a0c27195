import type { Queryable } from '../../../base/database/connect.ts';
import { cell, lineOf, money, time } from '../../../orders/history/csv-line.ts';
import type { Bought, Party } from '../../../orders/sales/queries.ts';

/** `applied` means that the plan was given. The others were paid and wait, the last two for an operator. */
export type SaleRow = Bought & {
  merchant_id: number;
  order_id: string;
  buyer_id: number;
  buyer: Party;
  receipt_number: number | null;
  received_paise: number;
  paid_at: Date;
  state: 'applied' | 'waiting' | 'no_plan' | 'no_buyer';
};

export type SalePosition = Pick<SaleRow, 'paid_at' | 'merchant_id' | 'order_id'>;

/** Paid sales, newest first. Several may have the same millisecond. */
export async function selectSales(
  sql: Queryable,
  { after, limit }: { after: SalePosition | null; limit: number },
): Promise<SaleRow[]> {
  return await sql<SaleRow[]>`
    with paid as (
      select s.*, coalesce(s.paid_at, o.paid_at) as was_paid_at, coalesce(s.received_paise, o.received_paise) as was_received
      from sales s left join orders o on o.merchant_id = s.merchant_id and o.order_id = s.order_id and s.receipt_number is null
      where s.receipt_number is not null or o.status = 'paid')
    select merchant_id, order_id, buyer_id, buyer, plan, title, price_paise, days, carried_days, receipt_number,
      was_received as received_paise, was_paid_at as paid_at,
      case when applied_at is not null then 'applied'
        when not exists (select from merchants b where b.merchant_id = paid.buyer_id) then 'no_buyer'
        when not exists (select from plans p where p.plan = paid.plan) then 'no_plan' else 'waiting' end as state
    from paid
    where ${after === null ? sql`true` : sql`(was_paid_at, merchant_id, order_id) < (${after.paid_at}, ${after.merchant_id}, ${after.order_id})`}
    order by was_paid_at desc, merchant_id desc, order_id desc limit ${limit}`;
}

const header =
  'receipt,paid_at,order_id,seller,seller_address,seller_gstin,buyer_id,buyer,buyer_address,buyer_gstin,plan,days,carried_days,price,received,bank_reference,given_at\r\n';

/** For the accountant: one line per receipt, in order. Names and addresses come from strangers. */
export async function selectRegister(sql: Queryable): Promise<string> {
  const party = (who: 'seller' | 'buyer') =>
    ['name', 'address', 'gstin'].map(key =>
      cell(sql, who === 'seller' ? sql`(s.seller ->> ${key})` : sql`(s.buyer ->> ${key})`),
    );
  const cells = [
    sql`'R-' || s.receipt_number`,
    time(sql, sql`s.paid_at`),
    cell(sql, sql`s.order_id`),
    ...party('seller'),
    sql`s.buyer_id::text`,
    ...party('buyer'),
    cell(sql, sql`s.plan`),
    sql`s.days::text`,
    // The days that were given; the page may have shown fewer.
    sql`coalesce(t.carried_days, s.carried_days)::text`,
    money(sql, sql`s.price_paise`),
    money(sql, sql`s.received_paise`),
    cell(sql, sql`s.bank_reference`),
    time(sql, sql`s.applied_at`),
  ];
  const rows = await sql<{ line: string }[]>`
    select ${lineOf(sql, cells)} as line
    from sales s left join terms t on t.merchant_id = s.buyer_id and t.order_id = s.order_id
    where s.receipt_number is not null order by s.merchant_id, s.receipt_number`;
  return header + rows.map(({ line }) => line).join('');
}
