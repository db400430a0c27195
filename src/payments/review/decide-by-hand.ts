import type { Transaction } from '../../base/database/connect.ts';
import { rupeesText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { type Actor, recordAudit } from '../../business/accounts/record-audit.ts';
import { because } from '../../texts/verdicts.ts';
import { attachCredit } from '../matching/attach-credit.ts';
import { settleCredit } from '../matching/count-credit.ts';
import { isGenuine, joinCredit } from '../matching/join-credit.ts';
import { payOrder } from '../matching/pay-order.ts';
import {
  countable,
  keepMerchant,
  type LockedCredit,
  lockCredit,
  lockOrder,
  markAccepted,
  markNotArrived,
  moveOrder,
  type ReviewedOrder,
  type Standing,
  selectOrderOf,
  selectStanding,
  storeStep,
} from '../matching/queries/credits.ts';
import { countPaymentBy, paymentsOfATrial } from '../matching/queries/trials.ts';
import { asksFirst } from '../matching/queries/twins.ts';
import { type ReviewRefusal, refuse } from '../matching/review-refusal.ts';
import { fitsOneTap } from './one-tap.ts';

/** A person says that this money belongs to this order, which then waits to be accepted or declined. */
export async function attachByHand(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  who: Actor,
  { alertId, orderId, asksOwner = false }: { alertId: string; orderId: string; asksOwner?: boolean },
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = who;
  if (!(await keepMerchant(tx, merchantId))) return refuse('unknown_credit');
  const joining = { merchantId, alertId, orderId, foundBy: 'person', by, now, asksOwner } as const;
  const refusal = await attachCredit(tx, world, joining);
  if (refusal) return refusal;
  await recordAudit(tx, who, { action: 'credit.attach', subject: alertId, details: { order: orderId } });
  return null;
}

/**
 * `seen`: the twins that the person was shown, and says are other payments. `oneTap`: the person saw no comparison and
 * gave no password, so the credit must fit one tap.
 */
export type Decision = {
  alertId: string;
  orderId: string;
  note: string;
  seen?: readonly string[];
  oneTap?: boolean;
};

/**
 * A person takes this money for this order, whatever the sum (R16). It is attached first if nobody has done so. Then
 * the order is paid like any other, by the received sum. Final (R4).
 */
export async function acceptCredit(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  who: Actor,
  { alertId, orderId, note, seen = [], oneTap = false }: Decision,
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = who;
  if (!(await keepMerchant(tx, merchantId))) return refuse('unknown_credit');
  await tx`savepoint asking`;
  const isAsked = await asksFirst(tx, who, { alertId, seen });
  const joined = await joinCredit(tx, { merchantId, alertId, orderId, foundBy: 'person', by, now });
  if ('refusal' in joined) return await undo(joined);
  if (isAsked) return await undo(refuse('maybe_counted'));
  // Checked under the locks of alert and order: a second tap, or an attached second credit, finds it changed.
  if (oneTap && !(await fitsOneTap(tx, merchantId, { alertId, orderId }, now)))
    return await undo(refuse('not_one_tap'));
  const { credit, order } = joined;
  // A credit that the program attached by itself has settled nothing until now.
  const settled = await settleCredit(tx, countable(merchantId, credit), now);
  if (!settled) return await undo(refuse('credit_taken'));
  const text = storableNote(note);
  const step = { merchantId, alertId, orderId, foundBy: null, by, now, note: text, returnReference: null };
  await storeStep(tx, { ...step, state: 'accepted' });
  await markAccepted(tx, merchantId, alertId, orderId, because('accepted', { order: orderId, by }));
  await countPaymentBy(tx, { merchantId, alertId, orderId, most: paymentsOfATrial });
  const { amount_paise: amount, bank_reference: reference } = credit;
  await payOrder(tx, world, settled, { merchantId, alertId, amount, reference }, order, now);
  await recordAudit(tx, who, {
    action: 'credit.accept',
    subject: alertId,
    details: {
      order: orderId,
      received: rupeesText(amount),
      asked: rupeesText(order.payable_paise),
      ...(oneTap && { one_tap: 'yes' }),
    },
    words: { note: text },
  });
  return null;

  async function undo(refusal: ReviewRefusal): Promise<ReviewRefusal> {
    await tx`rollback to savepoint asking`;
    return refusal;
  }
}

/** A person declines the attached money. The order becomes `failed`, and the money is to be given back. */
export async function declineCredit(
  tx: Transaction,
  who: Actor,
  { alertId, orderId, note }: Decision,
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = who;
  if (!(await keepMerchant(tx, merchantId))) return refuse('unknown_credit');
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
  await recordAudit(tx, who, {
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

export type CreditEnd = {
  alertId: string;
  end: 'given_back' | 'kept';
  /** The reference of the payment that gave it back, from the bank's app. Null if nobody noted it. */
  returnReference: string | null;
  note: string;
};

const auditEntries = {
  given_back: { action: 'credit.given_back' },
  kept: { action: 'credit.keep' },
} as const;

/**
 * Ends money without an order: the shop gave it back in its bank's app, or keeps it. It then counts for nothing else
 * (R2), so another business with the same mail cannot be paid by it.
 */
export async function endCredit(
  tx: Transaction,
  who: Actor,
  { alertId, end, returnReference, note }: CreditEnd,
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = who;
  if (!(await keepMerchant(tx, merchantId))) return refuse('unknown_credit');
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
  await recordAudit(tx, who, {
    ...auditEntries[end],
    subject: alertId,
    details: {
      order: orderId ?? '',
      amount: rupeesText(credit.amount_paise),
    },
    words: { reference: reference ?? '', note: text },
  });
  return null;
}

/**
 * The undo: money that was given back, kept, declined or attached is open again. An order that waited for it becomes
 * pending or expired, as its time says. A declined one stays failed. Accepted money is final (R4). `notArrived`: a
 * person did not find attached money in the account. It stays a case, and is counted.
 */
export async function reopenCredit(
  tx: Transaction,
  who: Actor,
  { alertId, notArrived = false }: { alertId: string; notArrived?: boolean },
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = who;
  if (!(await keepMerchant(tx, merchantId))) return refuse('unknown_credit');
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
  await recordAudit(tx, who, {
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

export const longestNote = 500;

/** A person's text as a row can store it. PostgreSQL refuses NUL, and half a surrogate pair is no text. */
function storableNote(text: string): string {
  return [...text.toWellFormed().replace(/\p{Cc}+/gu, ' ')].slice(0, longestNote).join('').trim();
}
