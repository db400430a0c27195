import type { Transaction } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import { creditVerdicts } from '../../texts/verdicts.ts';
import { countCredit, settleCredit } from './count-credit.ts';
import { doubtAboutAccount } from './pay-order.ts';
import {
  countable,
  type FoundBy,
  type LockedCredit,
  lockCredit,
  lockOrder,
  moveOrder,
  type ReviewedOrder,
  type Standing,
  selectStanding,
  storeStep,
} from './queries/credits.ts';
import { type ReviewRefusal, refuse } from './review-refusal.ts';

export type Joining = {
  merchantId: number;
  alertId: string;
  orderId: string;
  foundBy: FoundBy;
  /** A person's mail address, or `milaan`. */
  by: string;
  now: Date;
  /** Attached by somebody who may not decide, so those who may are notified. */
  asksOwner?: boolean;
};

export type GenuineCredit = LockedCredit & { amount_paise: Paise };
/** `isNew`: they were not together before. `order` has its state after this. */
export type Joined = { credit: GenuineCredit; order: ReviewedOrder; isNew: boolean };

/**
 * R16: attaches a genuine credit that settled nothing else to an unpaid order of the same account, which then waits in
 * `manual_review`. Alert, order and the credit's state are always locked in this order, so that the second of two
 * callers sees what the first did.
 */
export async function joinCredit(tx: Transaction, joining: Joining): Promise<Joined | ReviewRefusal> {
  const { merchantId, alertId, orderId, foundBy, by, now } = joining;
  const credit = await lockCredit(tx, merchantId, alertId, now);
  if (!credit) return refuse('unknown_credit');
  const order = await lockOrder(tx, merchantId, orderId, now);
  const standing = await selectStanding(tx, merchantId, alertId);
  const isTogether = standing.state === 'attached' && standing.order_id === orderId;
  if (!isGenuine(credit)) return refuse(credit.verdict === 'paid' ? 'credit_taken' : 'not_genuine');
  if (!order) return refuse('unknown_order');
  const refusal =
    doubtAbout(credit, order) ?? (isTogether ? null : obstacle(credit, order, standing, foundBy));
  if (refusal) return refusal;
  if (isTogether) return { credit, order, isNew: false };

  const known = countable(merchantId, credit);
  // A credit that the program attaches by itself waits for a person, and has settled nothing.
  const isOurs = by === 'milaan' ? !(await countCredit(tx, known, now)) : await settleCredit(tx, known, now);
  if (!isOurs) return refuse('credit_taken');
  const step = { merchantId, alertId, orderId, foundBy, by, now, note: '', returnReference: null };
  await storeStep(tx, { ...step, state: 'attached' });
  const waiting = { status: 'manual_review', received: credit.amount_paise } as const;
  await moveOrder(tx, merchantId, orderId, waiting);
  return {
    credit,
    order: { ...order, status: waiting.status, received_paise: waiting.received },
    isNew: true,
  };
}

export function isGenuine(credit: LockedCredit): credit is GenuineCredit {
  return creditVerdicts.some(one => one === credit.verdict) && credit.amount_paise !== null;
}

/** Checked again when a person accepts, because the account's record may have changed. */
function doubtAbout(credit: GenuineCredit, order: ReviewedOrder): ReviewRefusal | null {
  if (order.status === 'paid') return refuse('order_paid');
  const says = {
    bank: credit.bank ?? '',
    accountDigits: credit.account_digits,
    payeeVpa: credit.payee_vpa,
  };
  return doubtAboutAccount(says, order) === null ? null : refuse('other_account');
}

function obstacle(
  credit: GenuineCredit,
  order: ReviewedOrder,
  { state }: Standing,
  foundBy: FoundBy,
): ReviewRefusal | null {
  if (state !== 'open') return refuse('credit_taken');
  if (!credit.is_kept) return refuse('unknown_credit');
  if (!order.is_inside) return refuse('unknown_order');
  // A person declined it, so the program must not attach it again.
  if (order.status === 'failed' && foundBy === 'slip') return refuse('unknown_order');
  return order.status === 'manual_review' ? refuse('order_waits_for_another') : null;
}
