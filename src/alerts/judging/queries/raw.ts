import type { Queryable } from '../../../base/database/connect.ts';

/** The compressed bytes of an alert, null once they have left; `alert` is its name in the query. */
export function rawOf(sql: Queryable, alert = sql`a`) {
  return sql`(select r.raw from raw_mails r where ${isOf(sql, alert)})`;
}

export function hasRaw(sql: Queryable, alert = sql`a`) {
  return sql`exists (select from raw_mails r where ${isOf(sql, alert)})`;
}

export async function deleteRaw(
  sql: Queryable,
  { merchant_id, alert_id, arrived_at }: { merchant_id: number; alert_id: string; arrived_at: Date },
): Promise<void> {
  await sql`
    delete from raw_mails where merchant_id = ${merchant_id} and alert_id = ${alert_id} and arrived_at = ${arrived_at}`;
}

/** The arrival leads to the one partition. */
function isOf(sql: Queryable, alert: object) {
  return sql`r.merchant_id = ${alert}.merchant_id and r.alert_id = ${alert}.alert_id and r.arrived_at = ${alert}.arrived_at`;
}
