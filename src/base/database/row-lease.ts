import { later } from '../clock.ts';
import { randomBase62 } from '../random.ts';
import type { Queryable } from './connect.ts';

/**
 * How a worker leases a queued row, in every queue: `leased_until` is the end, and `claim` names the worker. Claiming
 * counts the try first. The statement that stores the outcome also ends the lease. If a worker dies, another takes over
 * after the end. A worker that was only slow finds the other's claim and writes nothing. Uses the service's clock, as
 * the due time does. Webhook deliveries keep their leases in `deliveries_in_hand`, a table that is emptied by a
 * database crash. A row there is the lease, and `delivery_id` its claim.
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
