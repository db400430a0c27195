import type { Sql } from '../../src/base/database/connect.ts';
import type { LiveShop } from '../../test/support/live-shop.ts';
import type { Promised } from './load.ts';

export type Found = {
  /** How many orders are paid. */
  paid: number;
  /** Orders that a shop was notified of and the database does not have. */
  lostOrders: string[];
  /** Orders that were reported to a shop as paid, but are not paid in the database. */
  lostPayments: string[];
  /** Orders whose mail the bank wrote and which are not paid. */
  unpaid: string[];
};

/** Compares what was promised with what the promoted database holds, or several do. */
export async function check(
  databases: Sql | readonly Sql[],
  shop: LiveShop,
  promised: Promised,
): Promise<Found> {
  const stores = await Promise.all(
    [databases]
      .flat()
      .map(sql => sql<{ order_id: string; status: string }[]>`select order_id, status from orders`),
  );
  const rows = stores.flat();
  const stored = new Set(rows.map(row => row.order_id));
  const paid = new Set(rows.filter(row => row.status === 'paid').map(row => row.order_id));
  return {
    paid: paid.size,
    lostOrders: [...promised.orders].filter(id => !stored.has(id)),
    lostPayments: [...notifiedPaid(shop)].filter(id => !paid.has(id)),
    unpaid: [...promised.mailed].filter(id => !paid.has(id)),
  };
}

/** The orders of all the webhooks that the shop has answered with 200. */
export function notifiedPaid(shop: LiveShop): Set<string> {
  return new Set(shop.receiver.received.map(({ body }) => JSON.parse(body).data.order_id as string));
}
