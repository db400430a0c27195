import type { Queryable } from './connect.ts';

/**
 * How one process of all holds work that it does for long: the history of an installation, a mailbox. It renews its
 * lease while it lives, and whoever falls silent is replaced once the time is over. By the database's clock: this lease
 * is all that keeps two hosts apart, and the clock of one may be wrong.
 */
export function leaseEnd(sql: Queryable, milliseconds: number) {
  return sql`statement_timestamp() + ${milliseconds} * interval '1 millisecond'`;
}

/** Also where it ends later than any can: it was given before the clock was set back, and its holder renews it. */
export function isLapsed(sql: Queryable, end: unknown, milliseconds: number) {
  return sql`${end} not between statement_timestamp() and ${leaseEnd(sql, 2 * milliseconds)}`;
}

/** Takes or renews the lease on work that there is once. */
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
