import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { decideLine, lockOpenLine } from './queries/held-lines.ts';
import { type SavedBy, type SavedEntry, saveBankEntry } from './save-bank-entry.ts';

/**
 * The operator says that a line is the bank's own: from now on it may stand before a statement, and the mails it held
 * back are judged again. Null when the question is no longer open.
 */
export async function listHeldLine(
  tx: Transaction,
  world: Pick<World, 'banks' | 'clock'>,
  lineId: number,
  by: SavedBy,
): Promise<SavedEntry | null> {
  const held = await lockOpenLine(tx, lineId);
  if (held === null) return null;
  const saved = await saveBankEntry(tx, world, { id: held.bank, openings: [held.line] }, by);
  await decideLine(tx, lineId, world.clock.now());
  return saved;
}
