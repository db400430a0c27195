import type { Queryable } from '../base/database/connect.ts';

/** The compressed bytes of the query's alert `a`; null once they are deleted. */
export function rawOf(sql: Queryable) {
  return sql`(select r.raw from raw_mails r where ${isOf(sql)})`;
}

export function hasRaw(sql: Queryable) {
  return sql`exists (select from raw_mails r where ${isOf(sql)})`;
}

export async function deleteRaw(
  sql: Queryable,
  { merchant_id, alert_id, arrived_at }: { merchant_id: number; alert_id: string; arrived_at: Date },
): Promise<void> {
  await sql`
    delete from raw_mails where merchant_id = ${merchant_id} and alert_id = ${alert_id} and arrived_at = ${arrived_at}`;
}

/** The arrival time limits the query to one partition. */
function isOf(sql: Queryable) {
  return sql`r.merchant_id = a.merchant_id and r.alert_id = a.alert_id and r.arrived_at = a.arrived_at`;
}

/** The reason for an alert's verdict, as one value; null before it is judged. */
export function reasonColumn(sql: Queryable) {
  return sql`case when reason_code is not null then jsonb_build_object('code', reason_code, 'facts', facts) end as reason`;
}

/** A NOTIFY on this channel wakes the judges. */
export const alertChannel = 'alerts';
