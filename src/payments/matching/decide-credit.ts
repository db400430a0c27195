import type { Transaction } from '../../base/database/connect.ts';
import type { Order } from '../../orders/order.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { countCredit, uncountCredit } from './count-credit.ts';
import { type Confirmation, type Credit, type NearMiss, nearMissKind } from './credit.ts';
import { type AccountDoubt, accountDoubts, doubtAboutAccount } from './pay-order.ts';
import type { FoundBy } from './queries/credits.ts';
import { isDoubtful, selectOrderlessAccounts } from './queries/orderless.ts';
import {
  holdsNearMisses,
  lockOrderFor,
  type Recorded,
  selectAccountFacts,
  selectDeclined,
  selectHolders,
  selectNearOrders,
} from './queries/payments.ts';
import { selectWhoTyped } from './queries/typed-references.ts';

/** The result for a credit, and why. Nothing is done yet, except that it was counted. */
export type Decision = Confirmation & {
  /** The row of the table. Null for foreign money, which is no credit of this business. */
  row: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | null;
  reason: Reason;
  pays?: Order & Recorded;
  /** The order that waits with it for a person, in `manual_review`. */
  waits?: { orderId: string; foundBy: FoundBy };
  /** The account in which it counts as a payment without an order. */
  takenBy?: string;
  /** Orders that a person is shown with it. */
  named?: NearMiss[];
};

/**
 * Decides about a genuine credit by the table in docs/internals/credits.md: the first row that fits. The caller has
 * locked the reference and the alert, and carries out the decision.
 */
export async function decideCredit(
  tx: Transaction,
  credit: Credit,
  now: Date,
  bankName: (id: string) => string,
): Promise<Decision> {
  const counted = await countCredit(tx, credit, now);
  if (counted !== null) return { row: 1, outcome: 'duplicate', orderId: null, reason: counted };

  const holder = await lockOrderFor(tx, credit, now);
  const foreign = await foreignMoney(tx, credit, holder, bankName);
  if (foreign !== null) {
    // Foreign money must not use up the reference and signature of a credit to the account itself.
    await uncountCredit(tx);
    return { row: null, outcome: 'wrong_account', orderId: holder?.order_id ?? null, reason: foreign };
  }

  if (holder) {
    const { order_id: order, gate } = holder;
    if (gate === null)
      return { row: 3, outcome: 'paid', orderId: order, pays: holder, reason: because('paid', { order }) };
    const reason = because(gate, { order });
    if (gate === 'paid_already') return { row: 4, outcome: 'extra_payment', orderId: order, reason };
    const waits = { orderId: order, foundBy: 'exact' } as const;
    return { row: gate === 'contested' ? 2 : 3, outcome: 'no_order', orderId: order, waits, reason };
  }

  const holders = await selectHolders(tx, credit);
  const near = await findNearMisses(tx, credit, now);
  const named = [...near, ...holders.map(({ is_paid: _, ...one }) => one)];
  const unmatched = { outcome: 'no_order', orderId: null, named } as const;
  const [claimant, another] = await selectWhoTyped(tx, credit);
  if (claimant !== undefined && another === undefined) {
    const waits = { orderId: claimant, foundBy: 'reference' } as const;
    return { row: 5, ...unmatched, waits, reason: because('claimed', { order: claimant }) };
  }
  if (claimant !== undefined) return { row: 5, ...unmatched, reason: because('claimed_by_several') };

  const [nearMiss, ...others] = near.filter(one => one.slip !== null);
  if (nearMiss && others.length === 0 && (await holdsNearMisses(tx, credit.merchantId))) {
    const waits = { orderId: nearMiss.order_id, foundBy: 'slip' } as const;
    return { row: 6, ...unmatched, waits, reason: nearReason(credit) };
  }
  const [likeliest] = holders;
  if (likeliest) {
    const { order_id: order, is_paid } = likeliest;
    // "Too late" would read as if the order had never been paid, and its goods might be sent a second time.
    return is_paid
      ? { row: 7, outcome: 'extra_payment', orderId: order, named, reason: because('paid_before', { order }) }
      : { row: 7, outcome: 'too_late', orderId: order, named, reason: because('too_late', { order }) };
  }
  // A person declined exactly this sum, but the customer paid anyway, so a person has to look.
  const order = await selectDeclined(tx, credit);
  if (order !== null) return { row: 9, ...unmatched, orderId: order, reason: because('declined', { order }) };
  const takenBy = nearMiss ? null : await findOrderlessAccount(tx, credit, now);
  if (takenBy !== null) return { row: 8, ...unmatched, takenBy, reason: because('taking') };
  return {
    row: 9,
    ...unmatched,
    reason: near.length > 0 ? nearReason(credit) : because('no_such_amount'),
  };
}

/** If another cell has the mail too, its shop sees the same near miss, so one tap is not enough there or here. */
function nearReason({ twoCells = false }: Credit): Reason {
  return because(twoCells ? 'near_two_cells' : 'near_amounts');
}

/** R13: why this is not the money of the order that holds its amount or, without one, of any account. Else null. */
async function foreignMoney(
  tx: Transaction,
  credit: Credit,
  holder: Recorded | undefined,
  bankName: (id: string) => string,
): Promise<Reason | null> {
  const accounts = holder ? [holder] : await selectAccountFacts(tx, credit.merchantId);
  const doubts = accounts.map(account => ({ doubt: doubtAboutAccount(credit, account), bank: account.bank }));
  const nearest = accountDoubts.map(doubt => doubts.find(one => one.doubt === doubt)).find(Boolean);
  if (!nearest?.doubt || doubts.some(({ doubt }) => doubt === null)) return null;
  return inWords(
    nearest.doubt,
    { alert: bankName(credit.bank), account: bankName(nearest.bank ?? '') },
    credit,
  );
}

function inWords(doubt: AccountDoubt, banks: { alert: string; account: string }, credit: Credit): Reason {
  switch (doubt) {
    case 'other_bank':
      return because('other_bank', banks);
    case 'no_bank':
      return because('no_bank');
    case 'no_digits':
      return because('no_digits', { digits: credit.accountDigits ?? '' });
    case 'other_account':
      return because('other_account');
  }
}

/** All of them are notified at the counter, because a customer who is left out would be asked to pay again. */
const mostShown = 25;

/** The unpaid orders that this money may have been meant for, near misses first. */
async function findNearMisses(tx: Transaction, credit: Credit, now: Date): Promise<NearMiss[]> {
  const near = (await selectNearOrders(tx, credit, now))
    .filter(order => doubtAboutAccount(credit, order) === null)
    .map(({ order_id, amount_paise, payable_paise }) => {
      const kind = nearMissKind(credit.amount, { amount_paise, payable_paise });
      return { order_id, payable_paise, slip: kind };
    });
  const nearMisses = near.filter(({ slip }) => slip !== null);
  const others = near.filter(
    one => one.slip === null && rupeesOf(one.payable_paise) === rupeesOf(credit.amount),
  );
  return [...nearMisses, ...others].slice(0, mostShown);
}

function rupeesOf(sum: number): number {
  return Math.floor(sum / 100);
}

/**
 * The account in which a credit without an order counts, or null. If a mail could be about several accounts (R13), all
 * of them must count such payments.
 */
async function findOrderlessAccount(tx: Transaction, credit: Credit, now: Date): Promise<string | null> {
  if (credit.twoCells) return null;
  const accounts = await selectOrderlessAccounts(tx, credit, now);
  const [first, ...others] = accounts.filter(account => doubtAboutAccount(credit, account) === null);
  if (!first?.counts || !others.every(account => account.counts)) return null;
  return (await isDoubtful(tx, credit)) ? null : first.account_id;
}
