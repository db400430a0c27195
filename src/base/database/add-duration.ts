import type { Queryable } from './connect.ts';

/** Without `at time zone` the sum would depend on the session's settings, and Citus refuses that in an update. */
export function addDuration(sql: Queryable, moment: unknown, length: string) {
  return sql`(${moment} at time zone 'UTC' + ${length}::interval) at time zone 'UTC'`;
}
