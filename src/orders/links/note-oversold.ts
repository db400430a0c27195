import type { Transaction } from '../../base/database/connect.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { insertOversold, lockStock, selectOtherBuyers } from './queries.ts';

/**
 * An order by a link was paid: if that is one piece more than there is, the owner has two buyers for one piece, and is
 * told of both. The order stays paid, for its money came in time.
 */
export async function noteOversold(
  tx: Transaction,
  { merchantId, orderId, now }: { merchantId: number; orderId: string; now: Date },
): Promise<void> {
  // Two payments of one link take turns here, and the second one sees the first.
  const link = await lockStock(tx, merchantId, orderId);
  if (!link) return;
  const { title, stock } = link;
  const others = await selectOtherBuyers(tx, { merchantId, linkId: link.link_id, orderId });
  if (others.count < stock || others.last === null) return;
  await insertOversold(tx, {
    merchant_id: merchantId,
    order_id: orderId,
    other_order_id: others.last,
    title,
    stock,
    noted_at: now,
  });
  await notifyOwner(tx, {
    merchantId,
    kind: 'link_oversold',
    facts: { title, stock, order: orderId, other: others.last },
    dedupeKey: `link_oversold ${orderId}`,
    now,
  });
}
