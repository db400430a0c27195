import type { Cells } from '../../base/cells.ts';
import type { World } from '../../base/world.ts';
import { insertTaken, selectNames } from '../../business/accounts/queries/taken.ts';
import { claimSettled } from '../../payments/matching/claim-settled.ts';
import { undoMove } from '../moving/hold-still.ts';
import { selectHere, setMoved, wasExported } from '../moving/queries.ts';
import { place, selectHeld, selectOpen, selectPlaces } from './queries.ts';

/**
 * A cell that came back from a backup is older than the others: what is open elsewhere went there since, and stands
 * still here. What came here since is not here; while its old cell still has it, it is opened there again. Lines of what
 * was done. Before any process is started.
 */
export async function settleRestored(cells: Cells, restored: World): Promise<string[]> {
  const home = cells.worlds[0]!;
  const said: string[] = [];
  const put = async (merchantId: number, to: World) => {
    const from = (await selectPlaces(home.sql)).get(merchantId) ?? to.cell!;
    await place(home.sql, { merchantId, from, to: to.cell!, now: home.clock.now() });
  };
  await cells.look();
  for (const other of cells.worlds.filter(one => one !== restored)) {
    for (const merchantId of await selectOpen(other.sql)) {
      if (cells.of(merchantId) !== other) await put(merchantId, other);
      const here = await selectHere(restored.sql, merchantId);
      if (!here || here.moved_at) continue;
      await restored.sql.begin(tx => setMoved(tx, merchantId, 'inside', restored.clock.now()));
      said.push(`business ${merchantId} had moved to cell ${other.cell} since, and is closed here`);
    }
  }
  await cells.look();
  for (const other of cells.worlds.filter(one => one !== restored)) {
    for (const { merchant_id, is_going } of await selectHeld(other.sql)) {
      if (is_going) continue;
      // Looked for where it is where cell 0 has forgotten the move too.
      const sought = cells.of(merchant_id);
      const isSought = sought === restored || (restored === home && sought === other);
      if (!isSought || (await selectHere(restored.sql, merchant_id))) continue;
      if (await wasExported(other.sql, merchant_id)) continue;
      await put(merchant_id, other);
      await other.sql.begin(tx => undoMove(tx, merchant_id, other.clock.now()));
      said.push(
        `business ${merchant_id} had moved here since: it is open in cell ${other.cell}, as it left there`,
      );
    }
  }
  if (restored !== home) return said;
  // Cell 0 has forgotten what the others claimed since: names, and what settled something (R2).
  for (const one of cells.worlds) {
    await insertTaken(home.sql, await selectNames(one.sql), home.clock.now());
    let claimed = 0;
    for (const merchantId of await selectOpen(one.sql))
      claimed += await claimSettled(cells, merchantId, one.sql);
    if (claimed > 0)
      said.push(
        `${claimed} signatures and references that settled something in cell ${one.cell} are claimed again`,
      );
  }
  return said;
}
