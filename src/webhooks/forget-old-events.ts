import type { World } from '../world.ts';
import { deleteOldEvents } from './queries/forget.ts';

const batch = 1000;

/** What was told about an order leaves with the order: events hold the customer's name and address. */
export async function forgetOldEvents({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const count = await deleteOldEvents(sql, clock.now(), batch);
    forgotten += count;
    if (count < batch) return forgotten;
  }
}
