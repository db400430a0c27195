import type { Transaction } from '../../base/database/connect.ts';
import { type Doer, recordDeed } from '../../business/accounts/record-deed.ts';
import {
  keepBusiness,
  type LockedCredit,
  lockCredit,
  lockOrder,
  markNotArrived,
  moveOrder,
  type ReviewedOrder,
  type Standing,
  selectOrderOf,
  selectStanding,
  storeStep,
} from '../matching/queries/credits.ts';
import { type ReviewRefusal, refuse } from '../matching/review-refusal.ts';

/**
 * The undo: money that was given back, kept, declined or attached is to be looked at again. An order that waited for it
 * becomes pending or expired, as its own time says; a declined one stays failed. What was accepted is final (R4).
 * `notArrived`: somebody looked for attached money, and it is not in the account. It stays a case, and is counted.
 */
export async function reopenCredit(
  tx: Transaction,
  doer: Doer,
  { alertId, notArrived = false }: { alertId: string; notArrived?: boolean },
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = doer;
  if (!(await keepBusiness(tx, merchantId))) return refuse('unknown_credit');
  const credit = await lockCredit(tx, merchantId, alertId, now);
  if (!credit) return refuse('unknown_credit');
  const orderId = await selectOrderOf(tx, merchantId, alertId);
  const order = orderId === null ? undefined : await lockOrder(tx, merchantId, orderId, now);
  const standing = await selectStanding(tx, merchantId, alertId);
  if (standing.state === 'accepted' || (notArrived && standing.state !== 'attached'))
    return refuse('credit_taken');
  if (standing.state === 'open') return null;

  const step = { merchantId, alertId, orderId, foundBy: null, by, now, note: '', returnReference: null };
  await storeStep(tx, { ...step, state: 'open' });
  if (order) await letGo(tx, merchantId, { credit, order, standing });
  if (notArrived) await markNotArrived(tx, merchantId, alertId, by, now);
  await recordDeed(tx, doer, {
    ...(notArrived ? { action: 'credit.not_arrived' } : { action: 'credit.reopen' }),
    subject: alertId,
    details: { order: orderId ?? '' },
  });
  return null;
}

async function letGo(
  tx: Transaction,
  merchantId: number,
  { credit, order, standing }: { credit: LockedCredit; order: ReviewedOrder; standing: Standing },
): Promise<void> {
  const { order_id, status, received_paise } = order;
  if (standing.state === 'attached')
    await moveOrder(tx, merchantId, order_id, { status: 'pending', received: null });
  else if (status === 'failed' && received_paise === credit.amount_paise)
    await moveOrder(tx, merchantId, order_id, { status: 'failed', received: null });
}
