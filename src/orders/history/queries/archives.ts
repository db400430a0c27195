import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { World } from '../../../base/world.ts';
import { csvLine } from '../csv-line.ts';

/** How far an archive has come: it holds this order and every one created before it. */
export type ArchivePlace = { createdAt: Date | '-infinity'; orderId: string };

export async function selectPlace(tx: Transaction, merchantId: number): Promise<ArchivePlace> {
  const [row] = await tx<{ created_at: Date | null; archived_id: string }[]>`
    select nullif(archived_to, '-infinity') as created_at, archived_id from history_progress where merchant_id = ${merchantId}`;
  return { createdAt: row?.created_at ?? '-infinity', orderId: row?.archived_id ?? '' };
}

export async function writePlace(tx: Transaction, merchantId: number, { createdAt, orderId }: ArchivePlace) {
  await tx`
    insert into history_progress (merchant_id, archived_to, archived_id) values (${merchantId}, ${createdAt}, ${orderId})
    on conflict (merchant_id) do update set archived_to = excluded.archived_to, archived_id = excluded.archived_id`;
}

export type ArchivableOrder = { order_id: string; created_at: Date; month: string; line: string };

/** The next orders of a business, from this place on, that no archive has yet. */
export async function selectUnarchived(
  tx: Transaction,
  merchantId: number,
  { from, upTo, now, limit }: { from: ArchivePlace; upTo: Date; now: Date; limit: number },
): Promise<ArchivableOrder[]> {
  return await tx<ArchivableOrder[]>`
    select o.order_id, o.created_at, to_char(o.created_at at time zone 'Asia/Kolkata', 'YYYY-MM') as month,
      ${csvLine(tx, now)} as line
    from orders o
    where o.merchant_id = ${merchantId} and (o.created_at, o.order_id) > (${from.createdAt}, ${from.orderId})
      -- An order that waits for a person is not archived.
      and o.created_at <= ${upTo} and o.archived_at is null and o.status <> 'manual_review'
    order by o.created_at, o.order_id limit ${limit} for update of o`;
}

type Part = {
  merchantId: number;
  month: string;
  orders: number;
  now: Date;
  /** A month's first part begins with the header line. */
  gzip: (first: boolean) => Promise<Buffer>;
};

/**
 * Returns the part's number. A separate lock keeps two archivers from writing the same number. A process that holds
 * orders must not wait for a business here. A person's decision locks the business first and then waits for its order.
 */
export async function insertArchivePart(tx: Transaction, { merchantId, month, orders, now, gzip }: Part) {
  await tx`select pg_advisory_xact_lock(hashtextextended('order_archives', ${merchantId}))`;
  const day = `${month}-01`;
  const [row] = await tx<{ part: number }[]>`
    select coalesce(max(part), 0) + 1 as part from order_archives where merchant_id = ${merchantId} and month = ${day}`;
  const part = row?.part ?? 1;
  await tx`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${merchantId}, ${day}, ${part}, ${orders}, ${await gzip(part === 1)}, ${now})`;
  return part;
}

export async function markArchived(tx: Transaction, merchantId: number, orderIds: string[], now: Date) {
  await tx`
    update orders set archived_at = ${now} where merchant_id = ${merchantId} and order_id = any (${orderIds}::text[])`;
}

/**
 * Removes a business's oldest orders that were hidden long enough and are archived. The ids of paid orders stay used,
 * so that nobody is charged for the same cart again. The month's counter keeps their money. `unarchived` are those
 * that were paid after they had been archived.
 * Arrays and `offset 0` find each order by its key. Otherwise the planner, which does not know the business's size,
 * would read all its orders for each one removed.
 */
export async function deleteArchived(
  tx: Transaction,
  merchantId: number,
  { upTo, limit, spentUntil }: { upTo: Date; limit: number; spentUntil: Date },
): Promise<{ removed: number; unarchived: number }> {
  const [row] = await tx<{ removed: number; unarchived: number }[]>`
    with leaving as materialized (
      select o.order_id, o.archived_at from orders o
      where o.merchant_id = ${merchantId} and o.created_at <= ${upTo} and o.status <> 'manual_review'
      order by o.created_at, o.order_id limit ${limit} for update of o skip locked
    ),
    gone as (
      delete from orders o where o.merchant_id = ${merchantId}
        and o.order_id = any (array(select order_id from leaving where archived_at is not null))
      returning o.order_id, o.merchant_order_id, o.received_paise, o.paid_at, o.alert_id, o.account_id
    ),
    spent as (
      insert into spent_order_ids (merchant_id, merchant_order_id, until)
      select distinct ${merchantId}::bigint, merchant_order_id, ${spentUntil}::timestamptz from gone where paid_at is not null
      on conflict (merchant_id, merchant_order_id) do update set until = excluded.until
    ),
    unclaimed as (
      delete from claimed_references where merchant_id = ${merchantId} and order_id = any (array(select order_id from gone))
    ),
    unreported as (
      delete from page_reports where merchant_id = ${merchantId} and order_id = any (array(select order_id from gone))
    ),
    sums as (
      select date_trunc('month', paid_at at time zone 'Asia/Kolkata')::date as month, account_id, count(*) as orders,
        sum(received_paise)::bigint as paise, count(k.order_id) as missing,
        coalesce(sum(received_paise) filter (where k.order_id is not null), 0)::bigint as missing_paise
      from gone left join lateral (select k.order_id, k.state from statement_marks k
          where k.merchant_id = ${merchantId} and k.order_id = gone.order_id offset 0) k on k.state = 'missing'
      -- A payment without an order stays counted as one.
      where paid_at is not null and not exists (select from takings t
        where t.merchant_id = ${merchantId} and t.alert_id = gone.alert_id offset 0) group by 1, 2
    ),
    registered as (
      insert into removed_orders as r (merchant_id, month, account_id, orders, paise, missing, missing_paise)
      select ${merchantId}::bigint, sums.* from sums
      on conflict (merchant_id, month, account_id) do update set orders = r.orders + excluded.orders,
        paise = r.paise + excluded.paise, missing = r.missing + excluded.missing,
        missing_paise = r.missing_paise + excluded.missing_paise
    ),
    counted as (
      update collections c set removed_paise = removed_paise + gone_paise
      from (select month, sum(paise)::bigint as gone_paise from sums group by 1) as gone_months
      where c.merchant_id = ${merchantId} and c.month = gone_months.month
    )
    select (select count(*) from gone) as removed,
      (select count(*) from leaving where archived_at is null) as unarchived`;
  return row!;
}

export type Archive = { month: string; orders: number };

export async function listArchives(sql: Queryable, merchantId: number): Promise<Archive[]> {
  return await sql<Archive[]>`
    select to_char(month, 'YYYY-MM') as month, sum(orders)::bigint as orders
    from order_archives where merchant_id = ${merchantId} group by order_archives.month order by order_archives.month desc`;
}

/** One part of a month's archive, null after the last. The joined parts are one gzip file. */
async function readArchivePart(sql: Queryable, merchantId: number, month: string, part: number) {
  return await sql<{ csv_gzip: Buffer }[]>`
    select csv_gzip from order_archives
    where merchant_id = ${merchantId} and month = ${`${month}-01`} and part = ${part}`.value();
}

/** A month's archive part by part, so that a large one is never whole in memory. Null if there is none. */
export async function readArchive({ sql }: Pick<World, 'sql'>, merchantId: number, month: string) {
  const first = await readArchivePart(sql, merchantId, month, 1);
  if (first === null) return null;
  return (async function* parts() {
    let part: Buffer | null = first;
    for (let number = 2; part !== null; number++) {
      yield part;
      part = await readArchivePart(sql, merchantId, month, number);
    }
  })();
}
