import type { World } from '../../base/world.ts';
import { csvHeader } from '../../orders/history/csv-line.ts';
import type { ListPosition } from '../../orders/list-cursor.ts';
import { type OrderFilter, selectLines, selectTakingLines } from './queries.ts';

/** Small, so that what is made and thrown away for one never grows the process. */
const batch = 250;

/**
 * The orders of a filter and then its takings as CSV, batch by batch: each batch is one short query, so that an export of a million
 * orders holds neither a connection nor memory. `now` stays that of the beginning, so that no order changes its
 * status between two batches.
 */
export async function* exportOrders(
  { sql }: Pick<World, 'sql'>,
  merchantId: number,
  filter: OrderFilter,
  now: Date,
): AsyncGenerator<string> {
  yield csvHeader;
  let after: ListPosition | null = null;
  do {
    const { lines, next }: Awaited<ReturnType<typeof selectLines>> = await selectLines(
      sql,
      merchantId,
      filter,
      { after, limit: batch, now },
    );
    if (lines !== '') yield lines;
    after = next;
  } while (after !== null);
  let last: Awaited<ReturnType<typeof selectTakingLines>>[number] | null = null;
  do {
    const takings = await selectTakingLines(sql, merchantId, filter, { after: last, limit: batch, now });
    if (takings.length > 0) yield takings.map(({ line }) => line).join('');
    last = takings.length === batch ? takings.at(-1)! : null;
  } while (last !== null);
}
