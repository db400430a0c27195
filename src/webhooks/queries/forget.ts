import type { Sql } from '../../database/connect.ts';

/** Events older than the history window whose order is gone, with their attempts; none that is still to be sent. */
export async function deleteOldEvents(sql: Sql, now: Date, limit: number): Promise<number> {
  return await sql.begin(async tx => {
    const leaving = await tx<{ merchant_id: number; event_id: string }[]>`
      select e.merchant_id, e.event_id
      from events e
        join merchants m on m.merchant_id = e.merchant_id
        join plans p on p.plan = m.plan
      where e.created_at <= ${now}::timestamptz - p.history_days * interval '1 day'
        and not exists (select from orders o where o.merchant_id = e.merchant_id and o.order_id = e.order_id)
        and not exists (select from deliveries d where d.merchant_id = e.merchant_id and d.event_id = e.event_id
          and d.state in ('waiting', 'sending'))
      limit ${limit} for update of e skip locked`;
    for (const { merchant_id, event_id } of leaving) {
      await tx`delete from deliveries where merchant_id = ${merchant_id} and event_id = ${event_id}`;
      await tx`delete from events where merchant_id = ${merchant_id} and event_id = ${event_id}`;
    }
    return leaving.length;
  });
}
