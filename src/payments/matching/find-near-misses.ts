import type { Transaction } from '../../base/database/connect.ts';
import type { Credit, NearMiss } from './credit.ts';
import { doubtAboutAccount } from './doubt-about-account.ts';
import { plainSlip } from './plain-slip.ts';
import { selectNearOrders } from './queries/payments.ts';

/** Each of these hears of it at the counter: whoever is left out would be asked to pay again. */
const mostShown = 25;

/** The unpaid orders that this money may have been meant for, plain slips first. */
export async function findNearMisses(tx: Transaction, credit: Credit, now: Date): Promise<NearMiss[]> {
  const near = (await selectNearOrders(tx, credit, now))
    .filter(order => doubtAboutAccount(credit, order) === null)
    .map(({ order_id, amount_paise, payable_paise }) => {
      const slip = plainSlip(credit.amount, { amount_paise, payable_paise });
      return { order_id, payable_paise, slip };
    });
  const slips = near.filter(({ slip }) => slip !== null);
  const others = near.filter(
    one => one.slip === null && rupeesOf(one.payable_paise) === rupeesOf(credit.amount),
  );
  return [...slips, ...others].slice(0, mostShown);
}

function rupeesOf(sum: number): number {
  return Math.floor(sum / 100);
}
