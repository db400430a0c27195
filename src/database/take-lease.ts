import type { Queryable } from './connect.ts';

/**
 * Takes or renews the lease on work that one process does at a time. Whoever falls silent is replaced once the time is
 * over. By the database's clock: that of a host may be wrong.
 */
export async function takeLease(
  sql: Queryable,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  const rows = await sql`
    insert into leases (name, holder, leased_until)
    values (${name}, ${holder}, clock_timestamp() + ${milliseconds} * interval '1 millisecond')
    on conflict (name) do update set holder = excluded.holder, leased_until = excluded.leased_until
      where leases.holder = excluded.holder or leases.leased_until <= clock_timestamp()
    returning name`;
  return rows.length === 1;
}

/** Given back, so that another need not wait for its end. */
export async function endLease(sql: Queryable, name: string, holder: string): Promise<void> {
  await sql`delete from leases where name = ${name} and holder = ${holder}`;
}

/** For how many milliseconds somebody else may still hold it; 0 when nobody does. */
export async function leaseLeft(sql: Queryable, name: string): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    select ceil(extract(epoch from leased_until - clock_timestamp()) * 1000)::float8 as left
    from leases where name = ${name}`;
  return Math.max(0, row?.left ?? 0);
}
