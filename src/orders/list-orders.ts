import { withDeadline } from '../base/database/with-deadline.ts';
import { ApiError } from '../base/http/api-error.ts';
import type { World } from '../base/world.ts';
import type { PresentedKey } from '../business/merchants/api-key.ts';
import { findCaller, refuseStranger } from '../business/merchants/find-caller.ts';
import { writeCursor } from './list-cursor.ts';
import type { Order } from './order.ts';
import { selectPage } from './queries.ts';
import { readListQuery } from './read-list-query.ts';

export type OrderPage = { orders: Order[]; hasMore: boolean; nextCursor: string | null };

/** §4.3. A disabled business is refused before the parameters are examined. */
export async function listOrders(
  { sql, clock, secrets }: Pick<World, 'sql' | 'clock' | 'secrets'>,
  key: PresentedKey,
  query: Record<string, unknown>,
): Promise<OrderPage> {
  const read = readListQuery(secrets, key.merchantId, query);
  if ('details' in read) {
    await findCaller({ sql }, key);
    throw new ApiError('invalid_request', { fields: { details: read.details } });
  }
  const rows = await withDeadline(selectPage(sql, key, read.filter, clock.now()));
  refuseStranger(rows[0]);
  const found = rows.filter((row): row is Extract<typeof row, Order> => row.order_id !== null);
  const orders = found.slice(0, read.filter.limit);
  const hasMore = found.length > orders.length;
  const last = orders.at(-1);
  return {
    orders,
    hasMore,
    nextCursor:
      hasMore && last
        ? writeCursor(secrets, key.merchantId, { createdAt: last.created_at, orderId: last.order_id })
        : null,
  };
}
