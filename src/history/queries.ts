import type { Queryable, Sql, Transaction } from '../database/connect.ts';
import type { Order } from '../orders/order.ts';
import { orderColumns } from '../orders/sql-fragments.ts';

/** Archives are written a day before an order leaves, so that it is never in neither place. */
const headStart = '1 day';

type ArchivableOrder = Order & { month: string };

export async function selectUnarchived(
  tx: Transaction,
  now: Date,
  limit: number,
): Promise<ArchivableOrder[]> {
  return await tx<ArchivableOrder[]>`
    select ${orderColumns(tx, now)},
      to_char(o.created_at at time zone 'Asia/Kolkata', 'YYYY-MM') as month
    from orders o
      join merchants m on m.merchant_id = o.merchant_id
      join plans p on p.plan = m.plan
      join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
    where o.archived_at is null and p.history_days is not null
      -- What waits for a person waits here, not in a file.
      and o.status <> 'manual_review'
      and o.created_at <= ${now}::timestamptz - p.history_days * interval '1 day' + ${headStart}::interval
    order by o.merchant_id, o.created_at limit ${limit}
    for update of o skip locked`;
}

type Part = {
  merchantId: number;
  month: string;
  orders: number;
  now: Date;
  /** The first part of a month begins with the header line. */
  gzip: (first: boolean) => Buffer;
};

/** The number of the part. A lock on the business keeps two archivers from writing the same one. */
export async function insertArchivePart(
  tx: Transaction,
  { merchantId, month, orders, now, gzip }: Part,
): Promise<number> {
  await tx`select from merchants where merchant_id = ${merchantId} for no key update`;
  const day = `${month}-01`;
  const [row] = await tx<{ part: number }[]>`
    select coalesce(max(part), 0) + 1 as part from order_archives where merchant_id = ${merchantId} and month = ${day}`;
  const part = row?.part ?? 1;
  await tx`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${merchantId}, ${day}, ${part}, ${orders}, ${gzip(part === 1)}, ${now})`;
  return part;
}

export async function markArchived(
  tx: Transaction,
  merchantId: number,
  orderIds: string[],
  now: Date,
): Promise<void> {
  await tx`
    update orders set archived_at = ${now} where merchant_id = ${merchantId} and order_id in ${tx(orderIds)}`;
}

/** What has left the window and stands in an archive. The month's counter remembers the money of what goes. */
export async function deleteArchived(sql: Sql, now: Date, limit: number): Promise<number> {
  const [row] = await sql<{ removed: number }[]>`
    with leaving as (
      select o.merchant_id, o.order_id from orders o
        join merchants m on m.merchant_id = o.merchant_id
        join plans p on p.plan = m.plan
      where o.archived_at is not null
        and o.created_at <= ${now}::timestamptz - p.history_days * interval '1 day'
      limit ${limit} for update of o skip locked
    ),
    gone as (
      delete from orders o using leaving
      where o.merchant_id = leaving.merchant_id and o.order_id = leaving.order_id
      returning o.merchant_id, o.order_id, o.received_paise, o.paid_at
    ),
    unclaimed as (
      delete from claimed_references c using gone
      where c.merchant_id = gone.merchant_id and c.order_id = gone.order_id
    ),
    counted as (
      update collections c set removed_paise = removed_paise + gone_paise
      from (
        select merchant_id, date_trunc('month', paid_at at time zone 'Asia/Kolkata')::date as month,
          sum(received_paise)::bigint as gone_paise
        from gone where paid_at is not null group by 1, 2
      ) as sums
      where c.merchant_id = sums.merchant_id and c.month = sums.month
    )
    select count(*) as removed from gone`;
  return row?.removed ?? 0;
}

export type Archive = { month: string; orders: number; bytes: number };

export async function listArchives(sql: Queryable, merchantId: number): Promise<Archive[]> {
  return await sql<Archive[]>`
    select to_char(month, 'YYYY-MM') as month, sum(orders)::bigint as orders, sum(length(csv_gzip))::bigint as bytes
    from order_archives where merchant_id = ${merchantId} group by order_archives.month order by order_archives.month desc`;
}

/** The parts of a month, joined: gzip files one after the other are one gzip file. */
export async function readArchive(sql: Queryable, merchantId: number, month: string): Promise<Buffer | null> {
  const parts = await sql<{ csv_gzip: Buffer }[]>`
    select csv_gzip from order_archives
    where merchant_id = ${merchantId} and to_char(month, 'YYYY-MM') = ${month} order by part`;
  return parts.length === 0 ? null : Buffer.concat(parts.map(part => part.csv_gzip));
}
