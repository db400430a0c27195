import type { Queryable } from '../../../base/database/connect.ts';

/** Why an alert has its verdict, as one value; null while nobody has judged it. */
export function reasonColumn(sql: Queryable) {
  return sql`case when reason_code is not null then jsonb_build_object('code', reason_code, 'facts', facts) end as reason`;
}
