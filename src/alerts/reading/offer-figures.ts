import type { Paise } from '../../base/money.ts';
import type { ReasonCode } from '../../texts/verdicts.ts';
import type { Bank, Wording } from '../banks/bank.ts';
import { normaliseText } from '../mail/plain-text.ts';
import type { Span } from './find-splits.ts';
import { parseAmount } from './parse-amount.ts';
import { linedOf, longestText } from './read-wording.ts';
import { type Stated, spansOf } from './spans-of.ts';

/**
 * Doubts of the reading alone: the bank's wording is there, in the bank's place and under its subject, and something in
 * a payer's text keeps the program from saying which words are whose.
 */
const readingDoubts: ReadonlySet<string> = new Set([
  'words_repeated',
  'odd_payer_name',
  'two_wordings',
  'many_splits',
]);

export function isReadingDoubt(code: ReasonCode): boolean {
  return readingDoubts.has(code);
}

/** What a person may choose from: figures that stand in the bank's own words under every split. Nothing is typed. */
export type Offer = Pick<Stated, 'references' | 'accountDigits' | 'payeeVpa'> & {
  /** The mail as plain lines. */
  readonly text: string;
  /** What of it may be a payer's. */
  readonly doubtful: readonly Span[];
  readonly amounts: readonly Paise[];
};

/** Null where nothing can be offered: no sum is surely the bank's, or no account that it names. */
export function offerFigures(bank: Bank, wording: Wording): Offer | null {
  const said = linedOf(wording);
  const { text } = said;
  if (text.length > longestText) return null;
  const stated = spansOf(bank, normaliseText(wording.subject), said);
  if (stated === null) return null;
  const { payers, accountDigits, payeeVpa } = stated;
  if (accountDigits === null && payeeVpa === null) return null;
  const amounts = stated.amounts.map(parseAmount).filter(amount => amount !== null && amount > 0) as Paise[];
  if (amounts.length === 0) return null;
  // Where a second number could be one, a payer may have written either.
  const isAlone = new Set(text.match(numbers)).size === 1;
  return {
    text,
    doubtful: [payers],
    amounts,
    references: isAlone ? stated.references : [],
    accountDigits,
    payeeVpa,
  };
}

/** What looks like a reference, wherever it stands. */
const numbers = /(?<![0-9])[0-9]{12}(?![0-9])/g;
