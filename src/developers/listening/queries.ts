import type { Queryable } from '../../base/database/connect.ts';

/** The newest first; those behind `before` where it is named. What left with its week is gone. */
export function selectEvents(
  sql: Queryable,
  merchantId: number,
  { only, before, limit }: { only: string | null; before: string | null; limit: number },
) {
  return sql<{ event_id: string; type: string; order_id: string | null; body: string }[]>`
    select e.event_id, e.type, e.order_id, b.body
    from events e join event_bodies b
      on b.merchant_id = e.merchant_id and b.event_id = e.event_id and b.created_at = e.created_at
    where e.merchant_id = ${merchantId}
      ${only === null ? sql`` : sql`and e.type = ${only}`}
      ${
        before === null
          ? sql``
          : sql`and (e.created_at, e.event_id) < (select created_at, event_id from events
              where merchant_id = ${merchantId} and event_id = ${before})`
      }
    order by e.created_at desc, e.event_id desc limit ${limit}`;
}
