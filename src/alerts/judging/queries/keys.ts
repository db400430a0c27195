import type { Queryable } from '../../../base/database/connect.ts';

export async function rememberKey(sql: Queryable, name: string, record: string, now: Date): Promise<boolean> {
  const [row] = await sql<{ is_new: boolean }[]>`
    insert into dkim_keys (name, record, first_seen, last_seen) values (${name}, ${record}, ${now}, ${now})
    on conflict (name, record) do update set last_seen = greatest(dkim_keys.last_seen, excluded.last_seen)
    returning xmax = 0 as is_new`;
  return row?.is_new ?? false;
}

/** A record with an empty p= withdraws its key (RFC 6376 §3.6.1). */
const isWithdrawal = (sql: Queryable) => sql`record ~ '(^|;)\\s*p\\s*=\\s*(;|$)'`;

/** `withdrawn_at`: when this name's key was last seen withdrawn. */
export type SeenKey = { record: string; first_seen: Date; last_seen: Date; withdrawn_at: Date | null };

export async function seenKeys(sql: Queryable, name: string, most: number): Promise<SeenKey[]> {
  return await sql<SeenKey[]>`
    select record, first_seen, last_seen, max(last_seen) filter (where ${isWithdrawal(sql)}) over () as withdrawn_at
    from dkim_keys where name = ${name}
    order by last_seen desc, first_seen desc limit ${most}`;
}

/** Counts names whose key was in DNS after `after` and was withdrawn since. */
export async function countWithdrawn(sql: Queryable, after: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from (
      select max(last_seen) filter (where ${isWithdrawal(sql)}) as withdrawn,
        max(last_seen) filter (where not ${isWithdrawal(sql)}) as seen
      from dkim_keys group by name) k
    where withdrawn >= seen and seen > ${after}`;
  return row!.count;
}

export async function staleKeyNames(sql: Queryable, before: Date, after: Date, most: number) {
  const rows = await sql<{ name: string }[]>`
    select name from dkim_keys group by name
    having max(last_seen) < ${before} and max(last_seen) > ${after}
    order by max(last_seen) limit ${most}`;
  return rows.map(row => row.name);
}
