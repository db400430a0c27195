import { markPaid } from './receive-webhook.ts';
import type { ShopWorld } from './shop-world.ts';

const minute = 60_000;
/** Five minutes to pay and ten for a late alert. An order still pending after that may have lost its webhook. */
const waitFor = 15 * minute;

/** Step 6: asks about every order that is pending for more than 15 minutes. Returns how many changed. */
export async function reconcileOrders({ milaan, book, clock }: ShopWorld): Promise<number> {
  const old = book
    .all()
    .filter(
      order => order.state === 'pending' && clock.now().getTime() - Date.parse(order.createdAt) > waitFor,
    );
  const pending = old.map(({ number, orderId }) => ({ merchant_order_id: number, order_id: orderId }));
  let changed = 0;
  for await (const { merchant_order_id: number, order, error } of milaan.reconcile(pending)) {
    // Milaan is down, or this is another installation: the next round asks again.
    if (error) continue;
    if (order?.status === 'paid') markPaid(book, order, 'reconciliation');
    // The create call never arrived, so there is no order to wait for.
    else if (!order || order.status === 'expired' || order.status === 'failed')
      book.change(number, { state: 'expired' });
    if (book.find(number)?.state !== 'pending') changed++;
  }
  return changed;
}
