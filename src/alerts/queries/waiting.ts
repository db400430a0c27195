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
      select merchant_id, alert_id,
        sum(octet_length(raw)) over (partition by merchant_id order by octet_length(raw), arrived_at, alert_id) as filled
      from alerts where verdict = 'retrying'
    )
    update alerts a set verdict = 'forged', reason_code = ${reason.code}, facts = ${sql.json(reason.facts)}, judged_at = ${now}, next_try_at = null, raw = null
    from waiting w
    where w.filled > ${mostBytes} and a.merchant_id = w.merchant_id and a.alert_id = w.alert_id
      and a.verdict = 'retrying' and a.claim is null
    returning a.alert_id`;
  return rows.length;
}
