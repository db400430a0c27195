import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { day, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { keptFor } from '../../base/retention.ts';
import type { World } from '../../base/world.ts';
import { csvHeader } from './csv-line.ts';
import type { Leaving, Step } from './history-step.ts';
import {
  type ArchivableOrder,
  deleteArchived,
  insertArchivePart,
  markArchived,
  selectPlace,
  selectUnarchived,
  writePlace,
} from './queries/archives.ts';

/** Archives are written a day before an order is hidden, so that it is always in at least one place. */
export const headStart = 1 * day;

/** Writes the next orders that are about to be hidden into their business's monthly archive. */
export const archiveOrders: Step = async (tx, merchant, limit, world) => {
  const from = await selectPlace(tx, merchant.merchantId);
  const upTo = later(merchant.hidesBefore, headStart);
  const orders = await selectUnarchived(tx, merchant.merchantId, {
    from,
    upTo,
    now: world.clock.now(),
    limit,
  });
  await archive(tx, world, merchant, orders);
  const last = orders.length < limit ? undefined : orders.at(-1);
  // Fewer orders than asked for means that everything up to the last moment is archived.
  await writePlace(tx, merchant.merchantId, {
    createdAt: last?.created_at ?? later(upTo, 1),
    orderId: last?.order_id ?? '',
  });
  return orders.length;
};

/** Deletes the next due orders. An order that was paid after it was archived is first archived again, as paid. */
export const removeOrders: Step = async (tx, merchant, limit, world) => {
  const { merchantId, leavesBefore: upTo } = merchant;
  const { removed, unarchived } = await deleteArchived(tx, merchantId, {
    upTo,
    limit,
    spentUntil: later(world.clock.now(), keptFor('order_ids')),
  });
  if (unarchived === 0) return removed;
  const from = { createdAt: '-infinity' as const, orderId: '' };
  await archive(
    tx,
    world,
    merchant,
    await selectUnarchived(tx, merchantId, { from, upTo, now: world.clock.now(), limit }),
  );
  return removed + unarchived;
};

async function archive(
  tx: Transaction,
  { clock, log }: Pick<World, 'clock' | 'log'>,
  { merchantId }: Leaving,
  orders: readonly ArchivableOrder[],
): Promise<void> {
  const now = clock.now();
  for (const [month, part] of Map.groupBy(orders, order => order.month)) {
    const number = await insertArchivePart(tx, {
      merchantId,
      month,
      orders: part.length,
      now,
      gzip: first => promisify(gzip)((first ? csvHeader : '') + part.map(order => order.line).join('')),
    });
    await markArchived(
      tx,
      merchantId,
      part.map(order => order.order_id),
      now,
    );
    log.info({ merchant: merchantId, month, orders: part.length, part: number }, 'archived orders');
  }
}
