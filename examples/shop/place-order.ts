import type { CreatedOrder } from '../../sdk/src/milaan.ts';
import type { Product } from './products.ts';
import type { ShopWorld } from './shop-world.ts';

/**
 * Steps 2 and 3 of the recommended flow. The order is written down here before Milaan hears of it, so that no webhook
 * can come for an order we do not know. The number was made when the page was shown: a button pressed twice, or a
 * page sent again, asks for the same order and gets it, not a second one.
 */
export async function placeOrder(
  { milaan, book, clock, shopUrl }: ShopWorld,
  product: Product,
  number: string,
): Promise<CreatedOrder> {
  if (!book.find(number)) {
    book.add({
      number,
      productId: product.id,
      amount: product.price,
      createdAt: clock.now().toISOString(),
      orderId: null,
      state: 'pending',
      paidAt: null,
      learntBy: null,
      bankReference: null,
    });
  }
  const created = await milaan.createOrder({
    amount: book.find(number)?.amount ?? product.price,
    merchant_order_id: number,
    success_url: `${shopUrl}/back/${number}`,
    failure_url: `${shopUrl}/back/${number}`,
    webhook_url: `${shopUrl}/webhooks/upi`,
  });
  book.change(number, { orderId: created.order_id });
  return created;
}
