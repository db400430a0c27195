import { minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { paise, rupeesText } from '../../base/money.ts';
import { randomId } from '../../base/random.ts';
import { type Actor, recordAudit } from '../../business/accounts/record-audit.ts';
import { keepMerchant, lockOrder } from '../matching/queries/credits.ts';
import { type ReviewRefusal, refuse } from '../matching/review-refusal.ts';
import { deleteRefund, insertRefund, type Refund, selectRefunds } from './queries/refunds.ts';

/** A decision that paid no order can be undone for so long. */
export const undoTime = 5 * minute;

/** `before`: what the person saw as given back already. A second press, or another person's, then changes nothing. */
export type GivingBack = { orderId: string; amount: number; before: number };

/**
 * A person notes that the shop gave back a paid order, or a part of it. All notes of an order are together at most what
 * it received. The order stays paid (R4), and its credit and the month's collections stay counted (R2).
 */
export async function giveBack(
  tx: Transaction,
  who: Actor,
  { orderId, amount, before }: GivingBack,
): Promise<Refund | ReviewRefusal> {
  const order = await lockPaid(tx, who, orderId);
  if (!order) return refuse('unknown_order');
  const given = sumOf(await selectRefunds(tx, who.merchantId, orderId));
  if (given !== before) return refuse('given_meanwhile');
  if (amount <= 0 || given + amount > order.received_paise!) return refuse('more_than_received');
  const refund = {
    refund_id: randomId('rf'),
    order_id: orderId,
    account_id: order.account_id,
    amount_paise: paise(amount),
    done_by: who.actor,
    done_at: who.now,
  };
  await insertRefund(tx, who.merchantId, refund);
  await recordAudit(tx, who, {
    action: 'order.give_back',
    subject: orderId,
    details: { amount: rupeesText(refund.amount_paise) },
  });
  return refund;
}

/** Removes the note again, if it is the order's last one and not too old. */
export async function undoGivingBack(
  tx: Transaction,
  who: Actor,
  { orderId, refundId }: { orderId: string; refundId: string },
): Promise<ReviewRefusal | null> {
  if (!(await lockPaid(tx, who, orderId))) return refuse('unknown_order');
  const last = (await selectRefunds(tx, who.merchantId, orderId)).at(-1);
  if (last?.refund_id !== refundId) return refuse('changed_since');
  if (who.now.getTime() - last.done_at.getTime() > undoTime) return refuse('undo_over');
  await deleteRefund(tx, who.merchantId, last);
  await recordAudit(tx, who, {
    action: 'order.give_back_undo',
    subject: orderId,
    details: { amount: rupeesText(last.amount_paise) },
  });
  return null;
}

/** The order's lock makes two people who give back at once see each other's note. */
async function lockPaid(tx: Transaction, { merchantId, now }: Actor, orderId: string) {
  if (!(await keepMerchant(tx, merchantId))) return null;
  const order = await lockOrder(tx, merchantId, orderId, now);
  return order?.is_inside && order.status === 'paid' ? order : null;
}

function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { amount_paise }) => sum + amount_paise, 0);
}
