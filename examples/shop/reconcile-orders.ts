import { MilaanError } from '../../sdk/src/milaan.ts';
import type { ShopOrder } from './order-book.ts';
import { markPaid } from './receive-webhook.ts';
import type { ShopWorld } from './shop-world.ts';

const minute = 60_000;
/** Five minutes to pay and ten for a late alert: after these, pending means that we were not told. */
const waitFor = 15 * minute;

/** Step 6: asks for every order that is pending for more than 15 minutes. Returns how many changed. */
export async function reconcileOrders(world: ShopWorld): Promise<number> {
  const { book, clock } = world;
  const old = book
    .all()
    .filter(
      order => order.state === 'pending' && clock.now().getTime() - Date.parse(order.createdAt) > waitFor,
    );
  let changed = 0;
  for (const order of old) {
    try {
      await ask(world, order);
    } catch (error) {
      // Away for a moment: the next round asks again.
      if (!(error instanceof MilaanError)) throw error;
    }
    if (book.find(order.number)?.state !== 'pending') changed++;
  }
  return changed;
}

async function ask({ milaan, book }: ShopWorld, { number, orderId }: ShopOrder): Promise<void> {
  // Without an id the create failed, or its answer was lost: the list knows the order by our number, if it exists.
  const found = orderId
    ? await milaan.getOrder(orderId)
    : (await milaan.listOrders({ merchant_order_id: number })).data[0];
  if (found?.status === 'paid') markPaid(book, found, 'reconciliation');
  else if (!found || found.status === 'expired' || found.status === 'failed') {
    book.change(number, { state: 'expired' });
  }
}
