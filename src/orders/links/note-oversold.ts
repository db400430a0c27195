import type { Transaction } from '../../base/database/connect.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { insertOversold, selectOtherBuyer, selectStock } from './queries.ts';

/**
 * An order by a link was paid: if that is one piece more than there is, the owner has two buyers for one piece, and is
 * told of both. The order stays paid, for its money came in time.
 */
export async function noteOversold(
  tx: Transaction,
  { merchantId, orderId, now }: { merchantId: number; orderId: string; now: Date },
): Promise<void> {
  // Two payments of one link took turns when they were counted, and the second one sees the first.
  const link = await selectStock(tx, merchantId, orderId);
  if (!link || link.paid_pieces <= link.stock) return;
  const { title, stock, link_id: linkId } = link;
  const other = await selectOtherBuyer(tx, { merchantId, linkId, orderId });
  if (other === null) return;
  await insertOversold(tx, {
    merchant_id: merchantId,
    order_id: orderId,
    other_order_id: other,
    title,
    stock,
    noted_at: now,
  });
  await notifyOwner(tx, {
    merchantId,
    kind: 'link_oversold',
    facts: { title, stock, order: orderId, other },
    dedupeKey: `link_oversold ${orderId}`,
    now,
  });
}
