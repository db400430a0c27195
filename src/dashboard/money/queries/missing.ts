import type { Queryable } from '../../../base/database/connect.ts';
import { insideHistory } from '../../../orders/sql-fragments.ts';

export type MissingOrder = {
  order_id: string;
  received_paise: number;
  bank: string;
  told_at: Date;
  /** Of all of them. */
  count: number;
};

/** Paid orders that a statement of their bank should have and does not, the latest first. */
export async function selectMissing(
  sql: Queryable,
  merchantId: number,
  { now, limit }: { now: Date; limit: number },
): Promise<MissingOrder[]> {
  return await sql<MissingOrder[]>`
    select o.order_id, o.received_paise, s.bank, a.alert_time as told_at, count(*) over () as count
    -- Each order and mail by its key (offset 0): otherwise all of the business may be read for each mark.
    from statement_marks s cross join lateral (select o.order_id, o.received_paise, o.created_at from orders o
        where o.merchant_id = s.merchant_id and o.order_id = s.order_id offset 0) o
      cross join lateral (select a.alert_time from alerts a
        where a.merchant_id = s.merchant_id and a.alert_id = s.alert_id offset 0) a
      join merchants m on m.merchant_id = s.merchant_id join plans p on p.plan = m.plan
    where s.merchant_id = ${merchantId} and s.state = 'missing' and ${insideHistory(sql, now)}
    order by s.marked_at desc, s.order_id limit ${limit}`;
}
