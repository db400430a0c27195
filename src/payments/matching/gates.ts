import type { Transaction } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import type { Trust } from '../../texts/verdicts.ts';
import { type ByWording, selectPaymentsBy } from './queries/trials.ts';

/** Why an exact payment waits for a person, as the reason that they read. */
export const gates = ['waits_review_only', 'waits_trial', 'waits_ceiling'] as const;
export type Gate = (typeof gates)[number];

/** So many payments by a wording has somebody of the business found in the account before it pays by itself. */
export const paymentsOfATrial = 3;

/**
 * Why an exact and timely credit waits for a person all the same; null when it pays by itself. Asked in the transaction
 * that pays, behind the locks of alert and order. The payments of a trial only ever grow, so that whoever reads an old
 * number waits once too often, and never too seldom.
 */
export async function whyWait(
  tx: Transaction,
  credit: ByWording & { trust: Trust; amount: Paise },
  account: { review_above_paise: Paise | null },
): Promise<Gate | null> {
  if (credit.trust === 'review_only') return 'waits_review_only';
  if (credit.trust === 'trial' && (await selectPaymentsBy(tx, credit)) < paymentsOfATrial)
    return 'waits_trial';
  const { review_above_paise: ceiling } = account;
  return ceiling !== null && credit.amount > ceiling ? 'waits_ceiling' : null;
}
