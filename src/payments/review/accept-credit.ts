import type { Transaction } from '../../base/database/connect.ts';
import { rupeesText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { type Doer, recordDeed } from '../../business/accounts/record-deed.ts';
import { because } from '../../texts/verdicts.ts';
import { settleCredit } from '../matching/count-credit.ts';
import { joinCredit } from '../matching/join-credit.ts';
import { payOrder } from '../matching/pay-order.ts';
import { countable, keepBusiness, markAccepted, storeStep } from '../matching/queries/credits.ts';
import { countPaymentBy, paymentsOfATrial } from '../matching/queries/trials.ts';
import { asksFirst } from '../matching/queries/twins.ts';
import { type ReviewRefusal, refuse } from '../matching/review-refusal.ts';
import { storableNote } from './storable-note.ts';

/** `seen`: the twins that the person was shown, and says are other payments. */
export type Decision = { alertId: string; orderId: string; note: string; seen?: readonly string[] };

/**
 * A person takes this money for this order, whatever the sum (R16). It is attached first if nobody has done so; then
 * the order is paid like any other, by what was received. Final (R4).
 */
export async function acceptCredit(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  doer: Doer,
  { alertId, orderId, note, seen = [] }: Decision,
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = doer;
  if (!(await keepBusiness(tx, merchantId))) return refuse('unknown_credit');
  await tx`savepoint asking`;
  const isAsked = await asksFirst(tx, doer, { alertId, seen });
  const joined = await joinCredit(tx, { merchantId, alertId, orderId, foundBy: 'person', by, now });
  if ('refusal' in joined) return await undo(joined);
  if (isAsked) return await undo(refuse('maybe_counted'));
  const { credit, order } = joined;
  // What the program attached by itself has settled nothing until now.
  const settled = await settleCredit(tx, countable(merchantId, credit), now);
  if (!settled) return await undo(refuse('credit_taken'));
  const text = storableNote(note);
  const step = { merchantId, alertId, orderId, foundBy: null, by, now, note: text, returnReference: null };
  await storeStep(tx, { ...step, state: 'accepted' });
  await markAccepted(tx, merchantId, alertId, orderId, because('accepted', { order: orderId, by }));
  await countPaymentBy(tx, { merchantId, alertId, orderId, most: paymentsOfATrial });
  const { amount_paise: amount, bank_reference: reference } = credit;
  await payOrder(tx, world, settled, { merchantId, alertId, amount, reference }, order, now);
  await recordDeed(tx, doer, {
    action: 'credit.accept',
    subject: alertId,
    details: {
      order: orderId,
      received: rupeesText(amount),
      asked: rupeesText(order.payable_paise),
    },
    words: { note: text },
  });
  return null;

  async function undo(refusal: ReviewRefusal): Promise<ReviewRefusal> {
    await tx`rollback to savepoint asking`;
    return refusal;
  }
}
