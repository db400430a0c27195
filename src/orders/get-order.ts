import { withDeadline } from '../database/with-deadline.ts';
import { ApiError } from '../http/api-error.ts';
import type { PresentedKey } from '../merchants/api-key.ts';
import { refuseStranger } from '../merchants/find-caller.ts';
import type { World } from '../world.ts';
import type { Order } from './order.ts';
import { selectOrder } from './queries.ts';

/** Any prefix: ids of older installations stay valid (§9). */
const orderIdShape = /^[A-Za-z0-9]{1,12}-\d{10}$/;
/** Looked up instead of text that is no id, so that a stranger's key is refused first all the same. */
const nobodysId = '';

/** §4.2. Another merchant's id answers like an unknown one (R12). */
export async function getOrder(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  key: PresentedKey,
  orderId: string,
): Promise<Order> {
  const id = orderIdShape.test(orderId) ? orderId : nobodysId;
  const [row] = await withDeadline(selectOrder(sql, key, id, clock.now()));
  refuseStranger(row);
  if (row.order_id === null) throw new ApiError('order_not_found');
  return row;
}
