import type { Paise } from '../../base/money.ts';
import type { ReasonCode } from '../../texts/verdicts.ts';
import type { Bank, Wording } from '../banks/bank.ts';
import { normaliseText } from '../mail/plain-text.ts';
import type { Span } from './find-splits.ts';
import { parseAmount } from './parse-amount.ts';
import { linedOf, longestText } from './read-wording.ts';
import { spansOf } from './spans-of.ts';

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
export type Offer = {
  /** The mail as plain lines. */
  readonly text: string;
  /** What of it may be a payer's. */
  readonly doubtful: readonly Span[];
  readonly amounts: readonly Paise[];
  readonly references: readonly string[];
  readonly accountDigits: string | null;
  readonly payeeVpa: string | null;
};

/** Null where nothing can be offered: no sum is surely the bank's, or no account that it names. */
export function offerFigures(bank: Bank, wording: Wording): Offer | null {
  const said = linedOf(wording);
  const { text } = said;
  if (text.length > longestText) return null;
  const stated = spansOf(bank, normaliseText(wording.subject), said);
  if (stated === null) return null;
  const { statement, payers, accountDigits, payeeVpa } = stated;
  if (accountDigits === null && payeeVpa === null) return null;
  const isSure = (from: number, to: number) =>
    from >= statement[0] && to <= Math.min(statement[1], payers[0]);
  const found = (pattern: RegExp) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: whole, 1: value = '' }) =>
      isSure(index, index + whole.length) ? [value] : [],
    );
  const amounts = found(sum).flatMap(one => parseAmount(one.replace(/[.,]+$/, '')) ?? []);
  if (amounts.length === 0) return null;
  return {
    text,
    doubtful: [payers],
    amounts: [...new Set(amounts)].filter(amount => amount > 0),
    references: [...new Set(found(reference))],
    accountDigits,
    payeeVpa,
  };
}

const sum = /(?:\bRs\.?|\bINR\.?|₹) ?([0-9][0-9,.]{0,20})/gi;
const reference = /(?<![\p{L}\p{N}@.,-])([0-9]{12})(?![\p{L}\p{N}@]|[.,]\p{N})/gu;
