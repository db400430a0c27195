import type { Queryable } from '../../base/database/connect.ts';

export type KeyRow = {
  key_id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  /** How often the key read orders today, and in the thirty days up to it, by India's clock. */
  reads_today: number;
  reads: number;
  revoked_at: Date | null;
  /** The shop that got it by one click; null for a key that somebody created here. */
  shop_url: string | null;
  /** When the shop's own webhook secret changed; null while it is the first. */
  secret_rotated_at: Date | null;
};

const mostListed = 200;

/** Working keys first, then the keys revoked in the last 90 days, so that a surprise can be explained. */
export async function selectKeys(sql: Queryable, merchantId: number, now: Date): Promise<KeyRow[]> {
  const today = sql`(${now}::timestamptz at time zone 'Asia/Kolkata')::date`;
  return await sql<KeyRow[]>`
    select k.key_id, k.name, k.created_at, k.last_used_at, k.revoked_at, c.return_url as shop_url, c.secret_rotated_at,
      coalesce(r.today, 0) as reads_today, coalesce(r.month, 0) as reads
    from api_keys k left join connections c on c.merchant_id = k.merchant_id and c.key_id = k.key_id
      left join lateral (select sum(r.reads) filter (where r.day = ${today})::bigint as today, sum(r.reads)::bigint as month
        from key_reads r where r.merchant_id = k.merchant_id and r.key_id = k.key_id and r.day > ${today} - 30) r on true
    where k.merchant_id = ${merchantId}
      and (k.revoked_at is null or k.revoked_at > ${now}::timestamptz - interval '90 days')
    order by k.revoked_at is not null, k.created_at desc, k.key_id limit ${mostListed}`;
}

export async function countWorkingKeys(sql: Queryable, merchantId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from api_keys where merchant_id = ${merchantId} and revoked_at is null`;
  return row?.count ?? 0;
}
