import { notifyOwner } from '../notices/notify-owner.ts';
import type { World } from '../world.ts';
import { setUnconfirmableTold, untoldUnconfirmable } from './queries/states.ts';

/** Tells an owner, once until a mailbox is connected, that orders are created whose payments nobody can confirm. */
export async function tellUnconfirmable({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql.begin(async tx => {
    for (const { merchant_id, since } of await untoldUnconfirmable(tx)) {
      await setUnconfirmableTold(tx, merchant_id, now);
      await notifyOwner(tx, {
        merchantId: merchant_id,
        kind: 'orders_unconfirmable',
        facts: { since },
        dedupeKey: `orders_unconfirmable:${since.toISOString()}`,
        now,
      });
    }
  });
}
