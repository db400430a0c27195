import type { Queryable, Transaction } from '../../../base/database/connect.ts';

export type Buyer = {
  order_id: string;
  paid_at: Date;
  received_paise: number;
  customer: string | null;
  payer: string | null;
};

export type OversoldRow = { order_id: string; title: string; stock: number; buyers: Buyer[] };

const most = 20;

/** Links that sold one piece more than there is and that nobody has dealt with, with both buyers, the late one first. */
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

/** Its title; null where there is none, or somebody was faster. */
export async function endOversold(tx: Transaction, merchantId: number, orderId: string, now: Date) {
  const [row] = await tx<{ title: string }[]>`
    update oversold_links set ended_at = ${now}
    where merchant_id = ${merchantId} and order_id = ${orderId} and ended_at is null
    returning title`;
  return row?.title ?? null;
}
