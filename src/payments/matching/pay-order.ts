import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { noteOversold } from '../../orders/links/note-oversold.ts';
import { tillPrefix } from '../../orders/links/take-payment.ts';
import type { Order } from '../../orders/order.ts';
import { presentOrder } from '../../orders/present-order.ts';
import { queuePaymentPush } from '../../outbox/pushes/queue-push.ts';
import { recordPaidEvent } from '../../outbox/webhooks/record-event.ts';
import type { Payment } from './credit.ts';
import { releaseCredit } from './queries/credits.ts';
import { addToCollections, markOrderPaid } from './queries/payments.ts';

/**
 * The one place where an order becomes paid: marked, counted to the month, its event and first delivery written,
 * devices told, all in the caller's transaction. The caller found that this payment is the order's, and holds the alert
 * and the order locked.
 */
export async function payOrder(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  payment: Payment,
  order: Order,
  now: Date,
): Promise<void> {
  const { merchantId, amount, reference } = payment;
  const paid: Order = {
    ...order,
    status: 'paid',
    paid_at: now,
    bank_reference: reference,
    received_paise: amount,
  };
  await markOrderPaid(tx, payment, order.order_id, now);
  if (order.status === 'manual_review') await releaseCredit(tx, merchantId, order.order_id, now);
  await addToCollections(tx, merchantId, amount, now);
  if (order.merchant_order_id.startsWith(tillPrefix))
    await noteOversold(tx, { merchantId, orderId: order.order_id, now });
  await queuePaymentPush(tx, { merchantId, orderId: order.order_id, amount, now });
  await recordPaidEvent(tx, {
    merchantId,
    orderId: order.order_id,
    webhookUrl: order.webhook_url,
    order: presentOrder(world, paid),
    now,
  });
}
