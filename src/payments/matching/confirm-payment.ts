import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { Confirmation, Credit, WrongAccount } from './credit.ts';
import { accountDoubts, doubtAboutAccount } from './doubt-about-account.ts';
import { findNearMisses } from './find-near-misses.ts';
import { holdForReview, isUnpaid } from './hold-for-review.ts';
import { payOrder } from './pay-order.ts';
import {
  countOnce,
  lockAlert,
  lockOrderFor,
  selectAccountMarks,
  selectDeclined,
  selectLatestHolder,
  settleSignatures,
  storeVerdict,
  uncountCredit,
} from './queries/payments.ts';

/**
 * Where a genuine credit meets its order. One transaction: the alert, its signature and its reference are taken, the
 * order is found and paid (`pay-order.ts`), or the money is held for a person to look at; the verdict is stored with the
 * facts it rests on (R1), and the judge's claim ends. Called again with the same alert it changes
 * nothing: two judges may have had it in hand.
 */
export async function confirmPayment(
  world: Pick<World, 'sql' | 'clock' | 'baseUrl'>,
  credit: Credit,
  bankName: (id: string) => string = id => id,
): Promise<Confirmation> {
  return await world.sql.begin(async tx => {
    const now = world.clock.now();
    const alert = await lockAlert(tx, credit);
    if (alert.decided) return alert.decided;
    const confirmation = await meet(tx, world, credit, now);
    await storeVerdict(tx, credit, {
      verdict: confirmation.outcome,
      reason: reasonOf(confirmation, credit, bankName),
      orderId: 'orderId' in confirmation ? (confirmation.orderId ?? null) : null,
      nearMisses: 'nearMisses' in confirmation ? confirmation.nearMisses : [],
      judgedAt: now,
    });
    if (isUnpaid(confirmation) && !alert.was_unmatched)
      await holdForReview(tx, world, credit, confirmation, now);
    return confirmation;
  });
}

async function meet(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  credit: Credit,
  now: Date,
): Promise<Confirmation> {
  const counted = await countOnce(tx, credit, now);
  if (counted !== null) return { outcome: 'duplicate', counted };

  const order = await lockOrderFor(tx, credit, now);
  if (!order) return await unmatched(tx, credit, now);
  const doubt = doubtAboutAccount(credit, order);
  if (doubt !== null) return await foreign(tx, order.order_id, { doubt, bank: order.bank });

  if (order.status === 'paid') return { outcome: 'extra_payment', orderId: order.order_id };
  await settleSignatures(tx, credit);
  await payOrder(tx, world, credit, order, now);
  return { outcome: 'paid', orderId: order.order_id };
}

/** Money that no open order waits for: it came too late or once too often, went to a foreign account, or meets nobody. */
async function unmatched(tx: Transaction, credit: Credit, now: Date): Promise<Confirmation> {
  const accounts = await selectAccountMarks(tx, credit.merchantId);
  const doubts = accounts.map(account => ({ doubt: doubtAboutAccount(credit, account), bank: account.bank }));
  const nearest = accountDoubts.map(doubt => doubts.find(one => one.doubt === doubt)).find(Boolean);
  if (nearest?.doubt && !doubts.some(({ doubt }) => doubt === null))
    return await foreign(tx, null, { doubt: nearest.doubt, bank: nearest.bank });
  const holder = await selectLatestHolder(tx, credit);
  if (holder) {
    // "Too late" would read as if the order had never been paid, and its goods might leave a second time.
    return { outcome: holder.is_paid ? 'extra_payment' : 'too_late', orderId: holder.order_id };
  }
  const declined = await selectDeclined(tx, credit);
  const nearMisses = await findNearMisses(tx, credit, now);
  return { outcome: 'no_order', nearMisses, ...(declined !== null && { orderId: declined }) };
}

/** Not this money: it takes no reference and no signature away from what comes to the account itself. */
async function foreign(tx: Transaction, orderId: string | null, why: WrongAccount): Promise<Confirmation> {
  await uncountCredit(tx);
  return { outcome: 'wrong_account', orderId, why };
}

function reasonOf(confirmation: Confirmation, credit: Credit, bankName: (id: string) => string): Reason {
  switch (confirmation.outcome) {
    case 'paid':
      return because('paid', { order: confirmation.orderId });
    case 'extra_payment':
      return because('paid_already', { order: confirmation.orderId });
    case 'too_late':
      return because('too_late', { order: confirmation.orderId });
    case 'wrong_account':
      return wrongAccountReason(confirmation.why, credit, bankName);
    case 'duplicate':
      return confirmation.counted;
    case 'no_order':
      if (confirmation.orderId !== undefined) return because('declined', { order: confirmation.orderId });
      return confirmation.nearMisses.length > 0 ? because('near_amounts') : because('no_such_amount');
  }
}

function wrongAccountReason(
  { doubt, bank }: WrongAccount,
  credit: Credit,
  bankName: (id: string) => string,
): Reason {
  switch (doubt) {
    case 'other_bank':
      return because('other_bank', { alert: bankName(credit.bank), account: bankName(bank ?? '') });
    case 'no_bank':
      return because('no_bank');
    case 'no_digits':
      return because('no_digits', { digits: credit.accountDigits ?? '' });
    case 'other_account':
      return because('other_account');
  }
}
