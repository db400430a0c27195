import type { Queryable } from '../../database/connect.ts';

export async function rememberKey(sql: Queryable, name: string, record: string, now: Date): Promise<void> {
  await sql`
    insert into dkim_keys (name, record, first_seen, last_seen) values (${name}, ${record}, ${now}, ${now})
    on conflict (name, record) do update set last_seen = greatest(dkim_keys.last_seen, excluded.last_seen)`;
}

export async function latestKey(
  sql: Queryable,
  name: string,
): Promise<{ record: string; last_seen: Date } | null> {
  const [row] = await sql<{ record: string; last_seen: Date }[]>`
    select record, last_seen from dkim_keys where name = ${name} order by last_seen desc limit 1`;
  return row ?? null;
}

/** Names whose newest key was seen before `before`, but not before `after`. */
export async function staleKeyNames(
  sql: Queryable,
  before: Date,
  after: Date,
  most: number,
): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from dkim_keys group by name
    having max(last_seen) < ${before} and max(last_seen) > ${after}
    order by max(last_seen) limit ${most}`;
  return rows.map(row => row.name);
}
