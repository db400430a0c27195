import type { CallOptions } from './call-api.ts';
import { MilaanError } from './milaan-error.ts';
import type { Order, OrderPage } from './order.ts';

/** An order in your books. Leave `order_id` out if the create got no answer; your own id then finds the order. */
export type PendingOrder = { merchant_order_id: string; order_id?: string | null };

/** Neither order nor error: there was no `order_id`, and no create with this id has arrived. */
export type Reconciled = { merchant_order_id: string; order: Order | null; error: MilaanError | null };

/** The client's methods that this needs. */
type Asked = {
  getOrder(orderId: string, options: CallOptions): Promise<Order>;
  listOrders(filter: { merchant_order_id: string; limit: number }, options: CallOptions): Promise<OrderPage>;
};

/** Asks about one order after another. A failure is reported for its order, and the next one is asked anyway. */
export async function* reconcile(
  milaan: Asked,
  pending: Iterable<PendingOrder> | AsyncIterable<PendingOrder>,
  options: CallOptions = {},
): AsyncGenerator<Reconciled, void, undefined> {
  for await (const one of pending) {
    const { merchant_order_id } = one;
    try {
      yield { merchant_order_id, order: await find(milaan, one, options), error: null };
    } catch (error) {
      if (!(error instanceof MilaanError)) throw error;
      yield { merchant_order_id, order: null, error };
    }
  }
}

async function find(
  milaan: Asked,
  { order_id, merchant_order_id }: PendingOrder,
  options: CallOptions,
): Promise<Order | null> {
  // The create's answer was lost, or the create never arrived. Then there is no order, and that is no error.
  if (!order_id) return (await milaan.listOrders({ merchant_order_id, limit: 1 }, options)).data[0] ?? null;
  return await milaan.getOrder(order_id, options);
}
