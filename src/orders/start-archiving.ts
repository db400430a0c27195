import { hour } from '../clock.ts';
import { repeat } from '../repeat.ts';
import type { World } from '../world.ts';
import { archiveOrders } from './archive-orders.ts';

/** Once an hour, in the `deliver` role. Several processes may do it at once: each takes rows the others have not. */
export function startArchiving(world: Pick<World, 'sql' | 'clock' | 'log'>): { stop(): Promise<void> } {
  return repeat(world.log, 'archiving orders', 1 * hour, async () => {
    await archiveOrders(world);
  });
}
