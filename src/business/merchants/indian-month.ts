import type { Queryable } from '../../base/database/connect.ts';

export function indianMonth(sql: Queryable, moment: Date) {
  return sql`date_trunc('month', ${moment}::timestamptz at time zone 'Asia/Kolkata')::date`;
}
