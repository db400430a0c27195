import type { Queryable } from '../../database/connect.ts';
import type { Reason } from '../../verdicts.ts';

/** Those that are in a judge's hands just now are left to him. */
export async function endLargestWaiting(
  sql: Queryable,
  now: Date,
  mostBytes: number,
  reason: Reason,
): Promise<number> {
  const rows = await sql`
    with waiting as (
      select a.merchant_id, a.alert_id, a.arrived_at, sum(octet_length(r.raw)) over (
        partition by a.merchant_id order by octet_length(r.raw), a.arrived_at, a.alert_id) as filled
      from alerts a join raw_mails r
        on r.merchant_id = a.merchant_id and r.alert_id = a.alert_id and r.arrived_at = a.arrived_at
      where a.verdict = 'retrying'
    ), ended as (
      update alerts a set verdict = 'forged', reason_code = ${reason.code}, facts = ${sql.json(reason.facts)}, judged_at = ${now}, next_try_at = null
      from waiting w
      where w.filled > ${mostBytes} and a.merchant_id = w.merchant_id and a.alert_id = w.alert_id
        and a.verdict = 'retrying' and a.claim is null
      returning a.merchant_id, a.alert_id, a.arrived_at
    )
    delete from raw_mails r using ended e
    where r.merchant_id = e.merchant_id and r.alert_id = e.alert_id and r.arrived_at = e.arrived_at
    returning r.alert_id`;
  return rows.length;
}
