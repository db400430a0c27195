import type { Transaction } from '../../base/database/connect.ts';
import { rupeesText } from '../../base/money.ts';
import { type Actor, recordAudit } from '../../business/accounts/record-audit.ts';
import {
  keepMerchant,
  lockCredit,
  lockOrder,
  moveOrder,
  selectOrderOf,
  selectStanding,
  storeStep,
} from '../matching/queries/credits.ts';
import { type ReviewRefusal, refuse } from '../matching/review-refusal.ts';
import { reopenCredit } from './decide-by-hand.ts';
import { undoTime } from './give-back.ts';

/**
 * Takes back the last step with a payment that paid no order: kept, given back, attached or declined. It is as before
 * the step, which is named by its moment. An undo that comes late, or after a further step, changes nothing. Accepting
 * paid an order and is final (R4).
 */
export async function undoStep(
  tx: Transaction,
  who: Actor,
  { alertId, at }: { alertId: string; at: Date },
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = who;
  if (!(await keepMerchant(tx, merchantId))) return refuse('unknown_credit');
  const credit = await lockCredit(tx, merchantId, alertId, now);
  if (!credit) return refuse('unknown_credit');
  const orderId = await selectOrderOf(tx, merchantId, alertId);
  const order = orderId === null ? undefined : await lockOrder(tx, merchantId, orderId, now);
  const { state, done_at, order_id } = await selectStanding(tx, merchantId, alertId);
  if (state === 'open' || state === 'accepted' || order_id !== orderId) return refuse('changed_since');
  if (done_at?.getTime() !== at.getTime()) return refuse('changed_since');
  if (now.getTime() - at.getTime() > undoTime) return refuse('undo_over');

  // A declined order has the sum until its money has another end.
  const wasDeclined = order?.status === 'failed' && order.received_paise === credit.amount_paise;
  if (state === 'attached' || (state !== 'to_give_back' && !wasDeclined))
    return await reopenCredit(tx, who, { alertId });
  if (!wasDeclined) return refuse('changed_since');
  const step = { merchantId, alertId, orderId, foundBy: null, by, now, note: '', returnReference: null };
  const audited = { subject: alertId, details: { order: order.order_id, undone: state } };
  if (state === 'to_give_back') {
    await storeStep(tx, { ...step, state: 'attached' });
    await moveOrder(tx, merchantId, order.order_id, {
      status: 'manual_review',
      received: credit.amount_paise,
    });
    await recordAudit(tx, who, { action: 'credit.attach', ...audited });
    return null;
  }
  await storeStep(tx, { ...step, state: 'to_give_back' });
  const sums = { received: rupeesText(credit.amount_paise!), asked: rupeesText(order.payable_paise) };
  await recordAudit(tx, who, {
    action: 'credit.decline',
    ...audited,
    details: { ...audited.details, ...sums },
  });
  return null;
}
