import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second, stopwatch } from '../../src/base/clock.ts';
import { acceptCredit, reopenCredit } from '../../src/payments/review/decide-by-hand.ts';
import type { KnownOrder } from './checkout.ts';
import type { Stage } from './stage.ts';

const longestPatience = 8 * minute;

export type Owner = { accept(order: KnownOrder, alertId: string): Promise<void> };

/** Waits until the customer's near miss is judged and accepts it for its order, however often the database dies. */
export function openOwner({ world }: Stage): Owner {
  const { sql } = world;
  const actorOf = ({ merchant }: KnownOrder) => ({
    merchantId: merchant.merchantId,
    actor: `owner@${merchant.name}.example`,
    address: '',
    now: world.clock.now(),
  });

  /** True once the order is paid by it. */
  const tryToAccept = async (order: KnownOrder, alertId: string): Promise<boolean> => {
    const [alert] = await sql`select verdict from alerts where alert_id = ${alertId}`;
    if (alert?.['verdict'] === 'paid') return true;
    if (alert?.['verdict'] !== 'no_order') return false;
    const { orderId } = order;
    // Another credit may be attached to this order already. Reopen it first.
    const [other] = await sql`
      select alert_id from handled_credits where order_id = ${orderId} and state = 'attached' and alert_id <> ${alertId}`;
    if (other) await sql.begin(tx => reopenCredit(tx, actorOf(order), { alertId: other['alert_id'] }));
    const given = { alertId, orderId, note: 'the drill' };
    return (await world.sql.begin(tx => acceptCredit(tx, world, actorOf(order), given))) === null;
  };

  return {
    async accept(order, alertId) {
      const waited = stopwatch();
      while (waited() < longestPatience) {
        if (await tryToAccept(order, alertId).catch(() => false)) return;
        await sleep(0.5 * second);
      }
      throw new Error(`the slip ${alertId} for ${order.orderId} could not be accepted`);
    },
  };
}
