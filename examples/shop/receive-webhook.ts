import type { IncomingHttpHeaders } from 'node:http';
import { type Order, verifyWebhook, WebhookRefused } from '../../sdk/src/milaan.ts';
import type { ShopWorld } from './shop-world.ts';

/** Step 4: an order is paid when a signed webhook says so. Returns the response status. */
export async function receiveWebhook(
  { book, clock, webhookSecret }: ShopWorld,
  headers: IncomingHttpHeaders,
  rawBody: Uint8Array,
): Promise<number> {
  try {
    const event = await verifyWebhook(rawBody, headers, webhookSecret, { now: clock.now() });
    if (event.type === 'payment.paid') markPaid(book, event.data, 'webhook');
    // A test, or a type that this shop does not know: received, nothing to do.
    return 204;
  } catch (error) {
    if (error instanceof WebhookRefused) return 400;
    throw error;
  }
}

/** An event may come twice, or after a reconciliation. The second time changes nothing. */
export function markPaid(book: ShopWorld['book'], paid: Order, learntBy: 'webhook' | 'reconciliation'): void {
  const order = book.find(paid.merchant_order_id);
  if (!order || order.state === 'paid') return;
  // The goods have a price; an order with another amount did not pay for them.
  if (paid.status !== 'paid' || paid.amount !== order.amount) {
    console.error(`shop: ${paid.order_id} does not fit order ${order.number}; look at it by hand`);
    return;
  }
  book.change(order.number, {
    state: 'paid',
    orderId: paid.order_id,
    paidAt: paid.paid_at,
    learntBy,
    bankReference: paid.bank_reference,
  });
}
