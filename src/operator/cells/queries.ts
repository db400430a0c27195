import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { Range } from '../../base/settings/config-cells.ts';

type CellFigures = { businesses: number; orders_a_day: number; bytes: number };

/** Businesses that were moved away are not counted. */
export async function selectFigures(sql: Queryable, now: Date): Promise<CellFigures> {
  const [row] = await sql<CellFigures[]>`
    select (select count(*) from merchants where moved_at is null) as businesses,
      (select coalesce(sum(made.count), 0)::bigint from merchants m cross join lateral (
        select count(*) as count from orders o
        where o.merchant_id = m.merchant_id and o.created_at > ${now}::timestamptz - interval '1 day') made
        where m.moved_at is null) as orders_a_day,
      pg_database_size(current_database())::bigint as bytes`;
  return row!;
}

/** The ranges that this cell knows: it refuses new businesses whose ids belong to another cell (`own_id`). */
export async function selectRanges(sql: Queryable): Promise<Range[]> {
  return await sql<Range[]>`
    select merchant_id as from, last_id as last, cell from placed where last_id is not null order by merchant_id`;
}

export async function writeRanges(tx: Transaction, ranges: readonly Range[], now: Date): Promise<void> {
  await tx`delete from placed where last_id is not null`;
  for (const { from, last, cell } of ranges)
    await tx`insert into placed (merchant_id, last_id, cell, since) values (${from}, ${last}, ${cell}, ${now})`;
}

/** Businesses that release 0.2.0 moved by command, each with its cell. */
export async function selectPlaces(sql: Queryable): Promise<{ merchant_id: number; cell: number }[]> {
  return await sql<{ merchant_id: number; cell: number }[]>`
    select merchant_id, cell from placed where last_id is null order by merchant_id`;
}

/** Copies that a move of release 0.2.0 left behind. A business that an export paused is not such a copy. */
export async function selectLeftOvers(sql: Queryable): Promise<number[]> {
  return await sql<{ merchant_id: number }[]>`
    select m.merchant_id from merchants m where m.moved_at is not null and m.left_at is null
      and coalesce((select action from audit_log l where l.merchant_id = m.merchant_id
        and l.action in ('business.export', 'business.export_undo', 'business.import', 'business.move')
        order by l.seq desc limit 1), '') <> 'business.export'
    order by m.merchant_id`.column();
}

/** Open businesses whose ids are outside these ranges. */
export async function selectStrangers(sql: Queryable, ranges: readonly Range[]): Promise<number[]> {
  return await sql<{ merchant_id: number }[]>`
    select m.merchant_id from merchants m where m.merchant_id > 0 and m.moved_at is null and not exists (
      select from unnest(${ranges.map(one => one.from)}::bigint[], ${ranges.map(one => one.last)}::bigint[]) as r (first, last)
      where m.merchant_id between r.first and r.last)
    order by m.merchant_id`.column();
}

/** No business can be created until the transaction ends. */
export async function lockMerchantsTable(tx: Transaction): Promise<void> {
  await tx`set local lock_timeout = '5s'`;
  await tx`lock table merchants in share row exclusive mode`;
}

export async function selectIds(sql: Queryable): Promise<number[]> {
  return await sql<
    { merchant_id: number }[]
  >`select merchant_id from merchants where merchant_id > 0`.column();
}

/** Identifies the database, independent of the address that it is reached by. */
export async function selectIdentity(sql: Queryable): Promise<string> {
  const [row] = await sql<{ identity: string }[]>`
    select concat_ws(' ', extract(epoch from pg_postmaster_start_time()), oid, current_schema()) as identity
    from pg_database where datname = current_database()`;
  return row!.identity;
}
