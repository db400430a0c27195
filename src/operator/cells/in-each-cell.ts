import { isDatabaseDown } from '../../base/database/database-down.ts';
import type { World } from '../../base/world.ts';
import { countMerchants } from '../queries.ts';

/** Asks all cells at the same time, or the only database. The answer of a cell that is down is null. */
export async function inEachCell<Found>(
  world: World,
  ask: (cell: World) => Promise<Found>,
): Promise<(Found | null)[]> {
  return await Promise.all(
    (world.cells?.worlds ?? [world]).map(async one => {
      try {
        return await ask(one);
      } catch (error) {
        if (!world.cells || !isDatabaseDown(error)) throw error;
        return null;
      }
    }),
  );
}

/** Joins the rows of all cells. A business that was moved counts only in its new cell. */
export async function fromAll<Row extends object>(
  world: World,
  ask: (cell: World) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found = await inEachCell(world, async one =>
    (await ask(one)).filter(row => {
      const id = 'merchant_id' in row ? Number(row.merchant_id) : 0;
      return !world.cells || id === 0 || world.cells.of(id) === one;
    }),
  );
  return found.flatMap(rows => rows ?? []);
}

export async function countOnPlan(world: World, plan: string): Promise<number> {
  const counts = await inEachCell(world, ({ sql }) => countMerchants(sql, plan));
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
