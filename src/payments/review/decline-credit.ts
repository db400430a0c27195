import type { Transaction } from '../../base/database/connect.ts';
import { rupeesText } from '../../base/money.ts';
import { type Doer, recordDeed } from '../../business/accounts/record-deed.ts';
import { settleCredit } from '../matching/count-credit.ts';
import {
  countable,
  keepBusiness,
  lockCredit,
  lockOrder,
  moveOrder,
  selectStanding,
  storeStep,
} from '../matching/queries/credits.ts';
import { type ReviewRefusal, refuse } from '../matching/review-refusal.ts';
import type { Decision } from './accept-credit.ts';
import { storableNote } from './storable-note.ts';

/** A person does not take the attached money for its order: the order is `failed`, and the money is to be given back. */
export async function declineCredit(
  tx: Transaction,
  doer: Doer,
  { alertId, orderId, note }: Decision,
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = doer;
  if (!(await keepBusiness(tx, merchantId))) return refuse('unknown_credit');
  const credit = await lockCredit(tx, merchantId, alertId, now);
  if (!credit) return refuse('unknown_credit');
  const order = await lockOrder(tx, merchantId, orderId, now);
  if (!order) return refuse('unknown_order');
  const standing = await selectStanding(tx, merchantId, alertId);
  if (standing.state !== 'attached' || standing.order_id !== orderId)
    return refuse(order.status === 'paid' ? 'order_paid' : 'credit_taken');
  if (!(await settleCredit(tx, countable(merchantId, credit), now))) return refuse('credit_taken');

  const received = credit.amount_paise!;
  const text = storableNote(note);
  const step = { merchantId, alertId, orderId, foundBy: null, by, now, note: text, returnReference: null };
  await storeStep(tx, { ...step, state: 'to_give_back' });
  await moveOrder(tx, merchantId, orderId, { status: 'failed', received });
  await recordDeed(tx, doer, {
    action: 'credit.decline',
    subject: alertId,
    details: {
      order: orderId,
      received: rupeesText(received),
      asked: rupeesText(order.payable_paise),
    },
    words: { note: text },
  });
  return null;
}
