import type { Transaction } from '../../base/database/connect.ts';
import { rupeesText } from '../../base/money.ts';
import { type Doer, recordDeed } from '../../business/accounts/record-deed.ts';
import { settleCredit } from '../matching/count-credit.ts';
import { isGenuine } from '../matching/join-credit.ts';
import {
  countable,
  keepBusiness,
  lockCredit,
  selectStanding,
  storeStep,
} from '../matching/queries/credits.ts';
import { type ReviewRefusal, refuse } from '../matching/review-refusal.ts';
import { storableNote } from './storable-note.ts';

export type CreditEnd = {
  alertId: string;
  end: 'given_back' | 'kept';
  /** Of the payment that gave it back, as the bank's app shows it; null where nobody noted it. */
  returnReference: string | null;
  note: string;
};

const deeds = { given_back: { action: 'credit.given_back' }, kept: { action: 'credit.keep' } } as const;

/**
 * Money that belongs to no order is settled: the shop has given it back in its bank's app, or keeps it. From now on it
 * counts for nothing else (R2), so that another business with the same mail cannot be paid by it.
 */
export async function endCredit(
  tx: Transaction,
  doer: Doer,
  { alertId, end, returnReference, note }: CreditEnd,
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = doer;
  if (!(await keepBusiness(tx, merchantId))) return refuse('unknown_credit');
  const credit = await lockCredit(tx, merchantId, alertId, now);
  if (!credit) return refuse('unknown_credit');
  if (!isGenuine(credit)) return refuse(credit.verdict === 'paid' ? 'credit_taken' : 'not_genuine');
  const { state, order_id: orderId } = await selectStanding(tx, merchantId, alertId);
  if (state !== 'open' && state !== 'to_give_back') return refuse('credit_taken');
  if (!(await settleCredit(tx, countable(merchantId, credit), now))) return refuse('credit_taken');

  const text = storableNote(note);
  const reference = returnReference === null ? null : storableNote(returnReference);
  const step = { merchantId, alertId, orderId, foundBy: null, by, now, note: text };
  await storeStep(tx, { ...step, state: end, returnReference: reference });
  await recordDeed(tx, doer, {
    ...deeds[end],
    subject: alertId,
    details: {
      order: orderId ?? '',
      amount: rupeesText(credit.amount_paise),
    },
    words: { reference: reference ?? '', note: text },
  });
  return null;
}
