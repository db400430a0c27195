import { withDeadline } from '../../base/database/with-deadline.ts';
import type { World } from '../../base/world.ts';
import { selectReaders } from './queries/addresses.ts';

/**
 * R2 across cells: whether one of these addresses belongs to a business of another cell, which got the same mail and
 * counts it itself. Also true if a cell does not answer or is not known: then a person decides. Nearly every alert has
 * one recipient and needs no query.
 */
export async function isInOtherCell(
  { cells, cell }: Pick<World, 'cells' | 'cell'>,
  addresses: readonly string[],
): Promise<boolean> {
  if (!cells || addresses.length === 0) return false;
  // A cell that this process does not know cannot be asked.
  if (cells.unlisted.length > 0) return true;
  const others = cells.worlds.filter(one => one.cell !== cell);
  const asked = await Promise.allSettled(
    others.map(async other => {
      const readers = await withDeadline(selectReaders(other.sql, addresses));
      // A copy that an export left behind reads no mail.
      return readers.some(id => cells.of(id) === other);
    }),
  );
  return asked.some(answer => answer.status === 'rejected' || answer.value);
}
