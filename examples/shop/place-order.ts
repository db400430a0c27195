import type { CreatedOrder } from '../../sdk/src/milaan.ts';
import type { Product } from './products.ts';
import type { ShopWorld } from './shop-world.ts';

/**
 * Steps 2 and 3 of the recommended flow. The shop stores the order before it calls Milaan, so that no webhook comes for
 * an unknown order. The number was made with the page. A double click or a repeated request therefore gets the same
 * order.
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
