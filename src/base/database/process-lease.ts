import type { Queryable } from './connect.ts';

/**
 * A lease for one process on long work, such as an installation's history or a mailbox. The holder renews it; if it
 * stops, another process takes over after the end. It uses the database's clock, because only this lease keeps two
 * hosts apart, and a host's clock may be wrong.
 */
export function leaseEnd(sql: Queryable, milliseconds: number) {
  return sql`statement_timestamp() + ${milliseconds} * interval '1 millisecond'`;
}

/** Also true for an end later than possible: it was set before the clock was set back, and a live holder renews it. */
export function isLapsed(sql: Queryable, end: unknown, milliseconds: number) {
  return sql`${end} not between statement_timestamp() and ${leaseEnd(sql, 2 * milliseconds)}`;
}

/** Takes or renews the lease on work that only one process may do. */
export async function takeLease(
  sql: Queryable,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  const taken = await sql`
    update leases set holder = ${holder}, leased_until = ${leaseEnd(sql, milliseconds)}
    where name = ${name} and (holder = ${holder} or ${isLapsed(sql, sql`leased_until`, milliseconds)}) returning name`;
  if (taken.length === 1) return true;
  const first = await sql`
    insert into leases (name, holder, leased_until) values (${name}, ${holder}, ${leaseEnd(sql, milliseconds)})
    on conflict do nothing returning name`;
  return first.length === 1;
}

/** Ends the lease early, so that another process need not wait. */
export async function endLease(sql: Queryable, name: string, holder: string): Promise<void> {
  await sql`delete from leases where name = ${name} and holder = ${holder}`;
}

/** Milliseconds for which another process may still hold it; 0 if none does. */
export async function leaseLeft(sql: Queryable, name: string): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    select ceil(extract(epoch from leased_until - clock_timestamp()) * 1000)::float8 as left
    from leases where name = ${name}`;
  return Math.max(0, row?.left ?? 0);
}
