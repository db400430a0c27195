import type { Queryable } from '../../base/database/connect.ts';

/** The first day of the moment's month in India. */
export function indianMonth(sql: Queryable, moment: Date) {
  return sql`date_trunc('month', ${moment}::timestamptz at time zone 'Asia/Kolkata')::date`;
}
