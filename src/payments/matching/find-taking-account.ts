import type { Transaction } from '../../base/database/connect.ts';
import type { Credit } from './credit.ts';
import { doubtAboutAccount } from './doubt-about-account.ts';
import { isDoubtful, selectTakingAccounts } from './queries/takings.ts';

/**
 * The account of which a credit without an order is a taking; null where it is none. A mail that could be about several
 * accounts (R13) is of one that counts takings only where all of them do.
 */
export async function findTakingAccount(tx: Transaction, credit: Credit, now: Date): Promise<string | null> {
  if (credit.twoCells) return null;
  const accounts = await selectTakingAccounts(tx, credit, now);
  const [first, ...others] = accounts.filter(account => doubtAboutAccount(credit, account) === null);
  if (!first?.counts || !others.every(account => account.counts)) return null;
  return (await isDoubtful(tx, credit)) ? null : first.account_id;
}
