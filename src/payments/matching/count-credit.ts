import type { Transaction } from '../../base/database/connect.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { Credit } from './credit.ts';
import { jsonOf } from './queries/payments.ts';

declare const settled: unique symbol;
/** The credit counts for this alert only (R2). Only `settleCredit` returns this, and nothing pays without it. */
export type Settled = { readonly [settled]: true };

export type Countable = Pick<
  Credit,
  'merchantId' | 'alertId' | 'signatureIds' | 'reference' | 'accountDigits' | 'erasureHash'
> & { bank: string | null };

/**
 * Counts the credit once (R2): null, or why it was counted before, and then nothing is taken. A copy that took half of
 * what the first mail counted would make that mail a duplicate, and its order would never be paid. Until the credit is
 * settled it gives way to another business.
 */
export async function countCredit(tx: Transaction, credit: Countable, now: Date): Promise<Reason | null> {
  return await count(tx, credit, now, { settles: false });
}

/** Settles what pays an order or what a person decided, for all businesses. Null if it counts elsewhere. */
export async function settleCredit(tx: Transaction, credit: Countable, now: Date): Promise<Settled | null> {
  // Without a signature it could count again.
  if (credit.signatureIds.length === 0) return null;
  return (await count(tx, credit, now, { settles: true })) === null ? ({} as Settled) : null;
}

/** Takes back what this transaction has counted, and everything that it wrote since. */
export async function uncountCredit(tx: Transaction): Promise<void> {
  await tx`rollback to savepoint counting`;
}

async function count(
  tx: Transaction,
  { merchantId, alertId, signatureIds, bank, reference, accountDigits: digits, erasureHash }: Countable,
  now: Date,
  { settles }: { settles: boolean },
): Promise<Reason | null> {
  const known = jsonOf({ signatures: signatureIds, bank, reference, digits, mark: erasureHash });
  await tx`savepoint counting`;
  const [row] = await tx<{ counted: 'counted_before' | 'counted_elsewhere' | null }[]>`
    select count_credit(${merchantId}, ${alertId}, ${known}::jsonb, ${now}, ${settles}) as counted`;
  if (row!.counted === null) return null;
  await uncountCredit(tx);
  return because(row!.counted);
}
