import { day, later } from '../../base/clock.ts';
import type { Cells, World } from '../../base/world.ts';
import { removeAllOf } from '../../business/accounts/remove-businesses.ts';
import { selectHere } from '../moving/queries.ts';

/** For this long, a process with an older CELLS_FILE finds the paused copy instead of no business. */
const copyStays = 1 * day;

/**
 * Removes the copy that `export-business --inside` left in the old cell, once the business is open in its new cell.
 * Otherwise the copy would keep data that a customer asked to erase.
 */
export async function removeCopies(cells: Cells, { sql, clock }: World): Promise<void> {
  const before = later(clock.now(), -copyStays);
  const paused = await sql<{ merchant_id: number; moved_at: Date; arrival_epoch: number }[]>`
    select merchant_id, moved_at, arrival_epoch from merchants where moved_at <= ${before} and left_at is null`;
  for (const { merchant_id: merchantId, moved_at, arrival_epoch } of paused) {
    const home = cells.of(merchantId);
    if (home.sql === sql) continue;
    const there = await selectHere(home.sql, merchantId);
    // Each import raises the epoch. A lower epoch means an older copy that was opened again, without the later changes.
    if (!there || there.moved_at || there.arrival_epoch < arrival_epoch) continue;
    const isMarked = await sql.begin(async tx => {
      const marked = await tx`
        update merchants set removal_began_at = coalesce(removal_began_at, ${clock.now()})
        where merchant_id = ${merchantId} and moved_at = ${moved_at} returning 1`;
      // A mail that settled nothing here may still count for another business in this cell (R2).
      if (marked.length > 0)
        await tx`
          update counted_signatures set merchant_id = 0, alert_id = '' where merchant_id = ${merchantId} and not settled`;
      return marked.length > 0;
    });
    if (isMarked) await removeAllOf(sql, merchantId);
  }
}
