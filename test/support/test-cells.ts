import { openMetrics } from '../../src/base/metrics.ts';
import { openCells } from '../../src/base/open-cells.ts';
import { idsEnd } from '../../src/base/settings/config-cells.ts';
import type { Cells } from '../../src/base/world.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

export type TestCells = {
  cells: Cells;
  /** Ordered by cell number. They share clock, DNS and key; each has its own database. */
  worlds: TestWorld[];
  /** A business in each cell, of the same name and account; and a twin of each in the other cells, see `addTwin`. */
  merchants: TestMerchant[];
  stop(): Promise<void>;
};

/** A value that only a query in the wrong cell sees. */
export const wrongCell = 'WRONG CELL';

/**
 * Two databases with other data in each. For every business there is another one with its id in the other cell: a query
 * that forgets its cell finds that one, and not merely nothing.
 */
export async function openTestCells(env: Record<string, string> = {}, count = 2): Promise<TestCells> {
  const worlds = await Promise.all(Array.from({ length: count }, () => openTestWorld(env)));
  const [{ config, clock, dns, log, secrets, banks }] = worlds as [TestWorld];
  for (const [cell, world] of worlds.entries())
    Object.assign(world, { config, clock, dns, log, secrets, banks, cell, metrics: openMetrics(cell) });
  const ranges = worlds.map((_, cell) => ({ from: Math.floor((idsEnd / count) * cell), cell }));
  const cells = openCells({ ranges, newCell: count - 1 }, worlds);
  const merchants: TestMerchant[] = [];
  for (const world of worlds) {
    const merchant = await addTestMerchant(world);
    merchants.push(merchant);
    await addTwins(worlds, merchant.merchantId);
  }
  return {
    cells,
    worlds,
    merchants,
    async stop() {
      for (const world of worlds) await world.stop();
    },
  };
}

/** A business of the same id in every cell but its own. */
export async function addTwins(worlds: readonly TestWorld[], merchantId: number): Promise<void> {
  for (const world of worlds) {
    if (world === world.cells?.of(merchantId)) continue;
    await world.sql`
      insert into merchants (merchant_id, name, plan, created_at, webhook_secret)
      values (${merchantId}, ${wrongCell}, 'standard', ${world.clock.now()}, '')`;
  }
}
