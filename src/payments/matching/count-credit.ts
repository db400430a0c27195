import type { Transaction } from '../../base/database/connect.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { Credit } from './credit.ts';
import { jsonOf } from './queries/payments.ts';

declare const settled: unique symbol;
/** The credit counts for this alert and for nothing else (R2). Only `settleCredit` gives one, and nothing pays without. */
export type Settled = { readonly [settled]: true };

/** What a credit is known by. */
export type Countable = Pick<
  Credit,
  'merchantId' | 'alertId' | 'signatureIds' | 'reference' | 'accountDigits' | 'mark'
> & { bank: string | null };

/**
 * Counts the credit, once (R2): null, or why it was counted before, and then nothing is taken. A copy that took half of
 * what the first mail counted would make that one a duplicate too, and its order would never be paid. Until it is
 * settled it gives way to another business.
 */
export async function countCredit(tx: Transaction, credit: Countable, now: Date): Promise<Reason | null> {
  return await count(tx, credit, now, { settles: false });
}

/** The same for what pays an order or what a person has decided: it is settled for all. Null where it counts elsewhere. */
export async function settleCredit(tx: Transaction, credit: Countable, now: Date): Promise<Settled | null> {
  // Without a signature nothing keeps it from counting again.
  if (credit.signatureIds.length === 0) return null;
  return (await count(tx, credit, now, { settles: true })) === null ? ({} as Settled) : null;
}

/** Takes back what this transaction has counted; whatever it wrote since goes with it. */
export async function uncountCredit(tx: Transaction): Promise<void> {
  await tx`rollback to savepoint counting`;
}

async function count(
  tx: Transaction,
  { merchantId, alertId, signatureIds: signatures, bank, reference, accountDigits: digits, mark }: Countable,
  now: Date,
  { settles }: { settles: boolean },
): Promise<Reason | null> {
  const known = jsonOf({ signatures, bank, reference, digits, mark });
  await tx`savepoint counting`;
  const [row] = await tx<{ counted: 'counted_before' | 'counted_elsewhere' | null }[]>`
    select count_credit(${merchantId}, ${alertId}, ${known}::jsonb, ${now}, ${settles}) as counted`;
  if (row!.counted === null) return null;
  await uncountCredit(tx);
  return because(row!.counted);
}
