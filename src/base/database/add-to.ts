import type { Queryable } from './connect.ts';

/** A column's moment and a length of time, for an update: as such a sum stands it depends on settings, and Citus refuses it. */
export function addTo(sql: Queryable, moment: unknown, length: string) {
  return sql`(${moment} at time zone 'UTC' + ${length}::interval) at time zone 'UTC'`;
}
