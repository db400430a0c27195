import { later } from '../clock.ts';
import { randomBase62 } from '../random.ts';
import type { Queryable } from './connect.ts';

/**
 * How a worker holds a row that waits, in every queue: `leased_until` says until when, beside the moment at which the row
 * is due, and `claim` says who. A claim counts the try before it is made; the outcome ends the lease in the write that
 * stores it. Whoever dies is replaced once the time has passed, and whoever was only slow finds another's claim and
 * writes nothing. By the service's clock, like the due moment.
 *
 * Webhook deliveries hold theirs in a table that a crash of the database empties, `deliveries_in_hand`: a row there is
 * the lease, `delivery_id` its claim.
 */
export type RowLease = { readonly claim: string; readonly now: Date; readonly until: Date };

export function newLease(now: Date, length: number, claim = randomBase62(16)): RowLease {
  return { claim, now, until: later(now, length) };
}

export function isFree(sql: Queryable, now: Date) {
  return sql`(leased_until is null or leased_until <= ${now})`;
}

export function setLease(sql: Queryable, { claim, until }: RowLease) {
  return sql`claim = ${claim}, leased_until = ${until}`;
}

export function clearLease(sql: Queryable) {
  return sql`claim = null, leased_until = null`;
}
