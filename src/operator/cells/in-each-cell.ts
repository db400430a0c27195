import { isDatabaseAway } from '../../base/database/database-away.ts';
import type { World } from '../../base/world.ts';

/** Asks every cell at once; with one database that alone. Null from one that is away: what the others say still stands. */
export async function inEachCell<Found>(
  world: World,
  ask: (cell: World) => Promise<Found>,
): Promise<(Found | null)[]> {
  return await Promise.all(
    (world.cells?.worlds ?? [world]).map(async one => {
      try {
        return await ask(one);
      } catch (error) {
        if (!world.cells || !isDatabaseAway(error)) throw error;
        return null;
      }
    }),
  );
}
