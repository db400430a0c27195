import { hour, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { destinationOf } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import { noteOversold } from '../../orders/links/note-oversold.ts';
import type { Order } from '../../orders/order.ts';
import { presentOrder } from '../../orders/present-order.ts';
import { rolesFor } from '../../outbox/topics.ts';
import { derivedEventId, eventBody, paidEventType } from '../../outbox/webhooks/record-event.ts';
import type { Settled } from './count-credit.ts';
import type { Payment } from './credit.ts';

/** How long a payment is news for devices. */
const toldFor = 1 * hour;

/**
 * Pays an order by the one function that does (`pay_order` of migration 34), in the caller's transaction. The caller
 * found that this payment is the order's and nobody else's (`count-credit.ts`), and holds the alert and the order locked.
 */
export async function payOrder(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  _settled: Settled,
  payment: Payment,
  order: Order,
  now: Date,
): Promise<void> {
  const { merchantId, alertId, amount, reference } = payment;
  const { order_id: orderId } = order;
  const { event, event_body, destination, roles, told_until } = writeNews(world, payment, order, now);
  const [row] = await tx<{ is_piece: boolean }[]>`
    select pay_order(${merchantId}, ${orderId}, ${alertId}, ${amount}, ${reference}, ${now},
      ${event}, ${event_body}, ${destination}, ${roles}, ${told_until}) as is_piece`;
  if (row!.is_piece) await noteOversold(tx, { merchantId, orderId, now });
}

/** The event with its bytes (§6), which say the order as get returns it, and whom it is news for. */
export function writeNews(
  world: Pick<World, 'baseUrl'>,
  { merchantId, amount, reference }: Payment,
  order: Order,
  now: Date,
) {
  const told = { status: 'paid', paid_at: now, bank_reference: reference, received_paise: amount } as const;
  const body = eventBody(paidEventType, presentOrder(world, { ...order, ...told }), now);
  return {
    event: derivedEventId(merchantId, order.order_id, paidEventType),
    event_body: body,
    destination: destinationOf(order.webhook_url),
    roles: [...rolesFor('payment')],
    told_until: later(now, toldFor),
  };
}
