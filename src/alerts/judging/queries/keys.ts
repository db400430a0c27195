import type { Queryable } from '../../../base/database/connect.ts';

/** True when it is new under its name. */
export async function rememberKey(sql: Queryable, name: string, record: string, now: Date): Promise<boolean> {
  const [row] = await sql<{ is_new: boolean }[]>`
    insert into dkim_keys (name, record, first_seen, last_seen) values (${name}, ${record}, ${now}, ${now})
    on conflict (name, record) do update set last_seen = greatest(dkim_keys.last_seen, excluded.last_seen)
    returning xmax = 0 as is_new`;
  return row?.is_new ?? false;
}

export type SeenKey = { record: string; first_seen: Date; last_seen: Date };

/** The keys that were seen under a name, the latest first. */
export async function seenKeys(sql: Queryable, name: string, most: number): Promise<SeenKey[]> {
  return await sql<SeenKey[]>`
    select record, first_seen, last_seen from dkim_keys where name = ${name}
    order by last_seen desc, first_seen desc limit ${most}`;
}

/** Names whose newest key was seen before `before`, but not before `after`. */
export async function staleKeyNames(sql: Queryable, before: Date, after: Date, most: number) {
  const rows = await sql<{ name: string }[]>`
    select name from dkim_keys group by name
    having max(last_seen) < ${before} and max(last_seen) > ${after}
    order by max(last_seen) limit ${most}`;
  return rows.map(row => row.name);
}
