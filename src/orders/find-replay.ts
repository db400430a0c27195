import type { Queryable } from '../database/connect.ts';
import { withDeadline } from '../database/with-deadline.ts';
import { refuseStranger } from '../merchants/find-caller.ts';
import type { Caller } from '../merchants/queries.ts';
import type { World } from '../world.ts';
import type { Order } from './order.ts';
import { selectReplay } from './queries.ts';

/** §4.1 replay rule 2: a used id is answered before the rest of the body is even looked at. */
export async function findReplay(
  sql: Queryable,
  { clock }: Pick<World, 'clock'>,
  key: Caller,
  merchantOrderId: string,
): Promise<Order | null> {
  const [row] = await withDeadline(selectReplay(sql, key, merchantOrderId, clock.now()));
  refuseStranger(row);
  return row.order_id === null ? null : row;
}
