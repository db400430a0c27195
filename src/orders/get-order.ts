import { batchQueries } from '../base/database/batch-queries.ts';
import { withDeadline } from '../base/database/with-deadline.ts';
import { ApiError } from '../base/http/api-error.ts';
import type { World } from '../base/world.ts';
import type { PresentedKey } from '../business/merchants/api-key.ts';
import { refuseStranger } from '../business/merchants/find-caller.ts';
import type { Order } from './order.ts';
import { type OrderQuestion, selectOrders } from './queries.ts';

/** Accepts any prefix, because ids of older installations stay valid (§9). */
const orderIdShape = /^[A-Za-z0-9]{1,12}-\d{10}$/;
/** Replaces text that is no id. The query still runs, so a stranger's key is refused first. */
const nobodysId = '';

export type GetOrder = (key: PresentedKey, orderId: string) => Promise<Order>;

/** §4.2. Another merchant's id is answered like an unknown one (R12). Simultaneous callers share a query. */
export function openGetOrder({ sql, clock }: Pick<World, 'sql' | 'clock'>): GetOrder {
  const read = batchQueries(async (asked: readonly OrderQuestion[]) => {
    const rows = await withDeadline(selectOrders(sql, asked, clock.now()));
    const answers = new Array<(typeof rows)[number] | undefined>(asked.length);
    for (const row of rows) answers[row.place - 1] = row;
    return answers;
  });
  return async (key, orderId) => {
    const row = await read({ key, orderId: orderIdShape.test(orderId) ? orderId : nobodysId });
    refuseStranger(row);
    if (row.order_id === null) throw new ApiError('order_not_found');
    return row;
  };
}
