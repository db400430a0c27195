import type { Queryable } from '../../database/connect.ts';

/**
 * A mail that is still to be judged keeps its bytes, however old it is, and so does one that waits for a person or was
 * taken for an order that came after it (R1).
 */
export async function clearRaw(sql: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await sql`
    update alerts set raw = null
    where (merchant_id, alert_id) in (
      select a.merchant_id, a.alert_id
      from alerts a
        join merchants m on m.merchant_id = a.merchant_id
        join plans p on p.plan = m.plan
      where a.raw is not null and a.next_try_at is null and a.verdict <> 'unjudged'
        and a.arrived_at <= ${now}::timestamptz - p.history_days * interval '1 day'
        and not exists (select from handled_credits h
          where h.merchant_id = a.merchant_id and h.alert_id = a.alert_id and (h.state = 'attached'
            or (h.state = 'accepted' and exists (select from orders o
              where o.merchant_id = h.merchant_id and o.order_id = h.order_id and o.archived_at is null))))
      limit ${limit} for update of a skip locked
    )
    returning alert_id`;
  return rows.length;
}
