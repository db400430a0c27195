import { gzipSync } from 'node:zlib';
import type { World } from '../world.ts';
import { csvHeader, csvRow } from './csv-row.ts';
import { deleteArchived, insertArchivePart, markArchived, selectUnarchived } from './queries.ts';

export type ArchiveCount = { archived: number; removed: number };

const batch = 5000;

/**
 * Writes the orders that are about to leave their business's history window into its monthly archive, then removes
 * those that have left. Each batch is one transaction: interrupted anywhere, the next run goes on where it stopped.
 */
export async function archiveOrders({
  sql,
  clock,
  log,
}: Pick<World, 'sql' | 'clock' | 'log'>): Promise<ArchiveCount> {
  const count: ArchiveCount = { archived: 0, removed: 0 };
  for (;;) {
    const done = await sql.begin(async tx => {
      const now = clock.now();
      const orders = await selectUnarchived(tx, now, batch);
      const parts = Map.groupBy(orders, order => `${order.merchant_id} ${order.month}`);
      for (const part of parts.values()) {
        const { merchant_id: merchantId, month } = part[0]!;
        const header = await insertArchivePart(tx, {
          merchantId,
          month,
          orders: part.length,
          now,
          gzip: first => gzipSync((first ? csvHeader : '') + part.map(csvRow).join('')),
        });
        await markArchived(
          tx,
          merchantId,
          part.map(order => order.order_id),
          now,
        );
        log.info({ merchant_id: merchantId, month, orders: part.length, part: header }, 'archived orders');
      }
      return orders.length;
    });
    count.archived += done;
    if (done < batch) break;
  }
  for (;;) {
    const removed = await deleteArchived(sql, clock.now(), batch);
    count.removed += removed;
    if (removed > 0) log.info({ orders: removed }, 'removed archived orders');
    if (removed < batch) return count;
  }
}
