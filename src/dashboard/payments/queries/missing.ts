import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { insideHistory } from '../../../orders/sql-fragments.ts';
import { lateAfter } from '../../../payments/matching/queries/payments.ts';

export type MissingOrder = {
  order_id: string;
  received_paise: number;
  bank: string;
  told_at: Date;
  count: number;
};

/** Paid orders that their bank's statement should list and does not, the latest first. */
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

type Buyer = {
  order_id: string;
  paid_at: Date;
  received_paise: number;
  customer: string | null;
  payer: string | null;
};

export type OversoldRow = { order_id: string; title: string; stock: number; buyers: Buyer[] };

const most = 20;

/** Links that sold one piece too many and that nobody has handled, with both buyers, the late one first. */
export async function selectOversold(sql: Queryable, merchantId: number): Promise<OversoldRow[]> {
  const rows = await sql<(Omit<OversoldRow, 'buyers'> & Buyer & { for_order: string })[]>`
    select c.order_id as for_order, c.title, c.stock, o.order_id, o.paid_at, o.received_paise,
      o.customer ->> 'name' as customer, a.payer
    from (select * from oversold_links where merchant_id = ${merchantId} and ended_at is null
        order by noted_at desc limit ${most}) c
      cross join lateral unnest(array[c.order_id, c.other_order_id]) with ordinality as buyer (order_id, place)
      join orders o on o.merchant_id = c.merchant_id and o.order_id = buyer.order_id
      left join alerts a on a.merchant_id = o.merchant_id and a.alert_id = o.alert_id
    order by c.noted_at desc, c.order_id, buyer.place`;
  const cases = new Map<string, OversoldRow>();
  for (const { for_order, title, stock, ...buyer } of rows) {
    const one = cases.get(for_order) ?? { order_id: for_order, title, stock, buyers: [] };
    one.buyers.push(buyer);
    cases.set(for_order, one);
  }
  return [...cases.values()];
}

/** Returns its title; null if there is none, or if somebody was faster. */
export async function endOversold(tx: Transaction, merchantId: number, orderId: string, now: Date) {
  return await tx<{ title: string }[]>`
    update oversold_links set ended_at = ${now}
    where merchant_id = ${merchantId} and order_id = ${orderId} and ended_at is null
    returning title`.value();
}

type LateMoney = { is_on: boolean; paid: number; waits: number };

/**
 * The owner's choice, the orders paid automatically since then, and how many would have waited at most. An order waits
 * if an earlier customer might still pay its amount and its own customer showed no sign for three minutes.
 */
export async function selectLateMoney(sql: Queryable, merchantId: number, since: Date): Promise<LateMoney> {
  const [row] = await sql<LateMoney[]>`
    select m.fresh_only as is_on, coalesce(week.paid, 0)::int as paid, coalesce(week.waits, 0)::int as waits
    from merchants m left join lateral (
      select count(*) as paid, count(*) filter (
        where coalesce(o.intent_at < e.alert_time - ${`${lateAfter} milliseconds`}::interval, true) and exists (
          select from orders b where b.merchant_id = o.merchant_id and b.payable_paise = o.payable_paise
            and b.status <> 'paid' and b.created_at < o.created_at and b.created_at > e.alert_time - interval '48 hours'
            and b.created_at > e.alert_time - case when b.intent_at is null then interval '24 hours' else interval '48 hours' end
        )) as waits
      from orders o join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id
      where o.merchant_id = m.merchant_id and o.paid_at > ${since} and e.table_row = 3
    ) as week on true
    where m.merchant_id = ${merchantId}`;
  return row!;
}

export async function updateHoldLate(sql: Queryable, merchantId: number, on: boolean): Promise<void> {
  await sql`update merchants set fresh_only = ${on} where merchant_id = ${merchantId}`;
}
