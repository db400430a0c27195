import type { Queryable } from '../../database/connect.ts';

export type KeyRow = {
  key_id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

const mostListed = 200;

/** Working keys first, then the revoked ones of the last 90 days, so that a surprise can be explained. */
export async function selectKeys(sql: Queryable, merchantId: number, now: Date): Promise<KeyRow[]> {
  return await sql<KeyRow[]>`
    select key_id, name, created_at, last_used_at, revoked_at from api_keys
    where merchant_id = ${merchantId}
      and (revoked_at is null or revoked_at > ${now}::timestamptz - interval '90 days')
    order by revoked_at is not null, created_at desc, key_id limit ${mostListed}`;
}

export async function countWorkingKeys(sql: Queryable, merchantId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from api_keys where merchant_id = ${merchantId} and revoked_at is null`;
  return row?.count ?? 0;
}
