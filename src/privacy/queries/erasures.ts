import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { Erasure, Report } from '../erasure.ts';

export const erasureChannel = 'milaan_erasures';

export async function insertErasure(
  sql: Queryable,
  row: Pick<
    Erasure,
    'merchant_id' | 'erasure_id' | 'asked_at' | 'asked_by' | 'marks' | 'sealed' | 'watch_until' | 'next_at'
  >,
): Promise<void> {
  await sql`insert into erasures ${sql(row)} on conflict do nothing`;
  await sql`select pg_notify(${erasureChannel}, '')`;
}

export async function selectDueErasures(sql: Queryable, now: Date, limit: number): Promise<Erasure[]> {
  return await sql<Erasure[]>`
    select e.* from erasures e join merchants m on m.merchant_id = e.merchant_id and m.removal_began_at is null
    where e.next_at <= ${now} order by e.next_at limit ${limit}`;
}

/** Locked, so that concurrent requests cannot exceed the limit. */
export async function countOpen(tx: Transaction, merchantId: number): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended('erasures', ${merchantId}))`;
  const [row] = await tx<{ count: number }[]>`
    select count(*) from erasures where merchant_id = ${merchantId} and next_at is not null`;
  return row!.count;
}

export async function selectErasures(sql: Queryable, merchantId: number, limit: number): Promise<Erasure[]> {
  return await sql<Erasure[]>`
    select * from erasures where merchant_id = ${merchantId} order by asked_at desc, erasure_id limit ${limit}`;
}

/** Removes the typed values once the erasure is over, because nobody needs them any more. */
export async function storeReport(
  sql: Queryable,
  { merchant_id, erasure_id }: Erasure,
  { report, now, isErased, nextAt }: { report: Report; now: Date; isErased: boolean; nextAt: Date | null },
): Promise<void> {
  await sql`
    update erasures set report = ${sql.json(report)}, next_at = ${nextAt},
      erased_at = coalesce(erased_at, case when ${isErased} then ${now}::timestamptz end),
      done_at = case when ${nextAt}::timestamptz is null then ${now}::timestamptz end,
      sealed = case when ${nextAt}::timestamptz is null then null else sealed end
    where merchant_id = ${merchant_id} and erasure_id = ${erasure_id}`;
}

export type Listed = Pick<Erasure, 'merchant_id' | 'erasure_id' | 'asked_at' | 'marks'>;

export async function selectListed(sql: Queryable): Promise<Listed[]> {
  return await sql<Listed[]>`
    select merchant_id, erasure_id, asked_at, marks from erasures order by asked_at, erasure_id`;
}

export async function selectMerchantIds(sql: Queryable, ids: readonly number[]): Promise<number[]> {
  return await sql<{ merchant_id: number }[]>`
    select merchant_id from merchants where merchant_id = any (${[...ids]}::bigint[]) and removal_began_at is null`.column();
}

export async function insertErasureKey(tx: Transaction, sealed: string): Promise<void> {
  await tx`insert into erasure_keys (merchant_id, sealed) values (0, ${sealed}) on conflict do nothing`;
}

export async function countErased(sql: Queryable, { merchant_id, erasure_id }: Erasure) {
  const [row] = await sql<{ orders: number; alerts: number }[]>`
    select (select count(*) from orders where merchant_id = ${merchant_id} and erasure_id = ${erasure_id}) as orders,
      (select count(*) from alerts where merchant_id = ${merchant_id} and erasure_id = ${erasure_id}) as alerts`;
  return row!;
}
