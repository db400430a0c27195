import type { Transaction } from '../../base/database/connect.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { Credit } from './credit.ts';
import { type AccountDoubt, accountDoubts, doubtAboutAccount, type Recorded } from './doubt-about-account.ts';
import { selectAccountMarks } from './queries/payments.ts';

/** R13: why this is not the money of the order that holds its amount or, without one, of any account; null when it is. */
export async function foreignMoney(
  tx: Transaction,
  credit: Credit,
  holder: Recorded | undefined,
  bankName: (id: string) => string,
): Promise<Reason | null> {
  const accounts = holder ? [holder] : await selectAccountMarks(tx, credit.merchantId);
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
