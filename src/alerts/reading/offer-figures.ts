import type { Paise } from '../../base/money.ts';
import type { ReasonCode } from '../../texts/verdicts.ts';
import type { Bank, Wording } from '../banks/bank.ts';
import { normaliseText, parseAmount } from '../mail/plain-text.ts';
import { findCreditSentences, payersOf } from './find-credit-sentences.ts';
import { type Lined, mostSplits, type Span } from './find-splits.ts';
import { linedOf, longestText, noCreditIn } from './read-wording.ts';
import { weighPlace } from './weigh-place.ts';

/**
 * Doubts only about the reading. The bank's wording is in the bank's place and under its subject. But a payer's text
 * makes it unclear which words are whose, or how the money came.
 */
const readingDoubts: ReadonlySet<string> = new Set([
  'words_repeated',
  'odd_payer_name',
  'two_wordings',
  'many_splits',
  'channel_not_named',
]);

export function isReadingDoubt(code: ReasonCode): boolean {
  return readingDoubts.has(code);
}

/** The figures that a person may choose from: those in the bank's own words under every split. Nothing is typed. */
export type Offer = Pick<Stated, 'references' | 'accountDigits' | 'payeeVpa'> & {
  readonly text: string;
  readonly doubtful: readonly Span[];
  readonly amounts: readonly Paise[];
};

/** Null if no sum is surely the bank's, or if it names no account. */
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
  // If there is a second possible number, a payer may have written either.
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

/** Anything that looks like a reference, anywhere. */
const numbers = /(?<![0-9])[0-9]{12}(?![0-9])/g;

/** The length of a reference's slot, but not a UPI ID that begins with a telephone number. */
const references = /(?<![0-9])[0-9]{9,16}(?![0-9@])/g;

/** Every number that may be the bank's reference, except those in the bank's fixed words. */
export function numbersIn(bank: Bank, texts: readonly string[]): string[] {
  const found = [...new Set(texts.flatMap(text => text.slice(0, longestText).match(references) ?? []))];
  const fixed = found.length === 0 ? '' : JSON.stringify(bank.templates.map(({ written }) => written));
  return found.filter(number => !fixed.includes(number));
}

type Stated = {
  /** The sums and references in the places of the bank's wording, over all splits. */
  readonly amounts: readonly string[];
  readonly references: readonly string[];
  /** Everything that a payer may have written, in any split. */
  readonly payers: Span;
  /** The account and payee in the bank's own words; null if a payer may have written them. */
  readonly accountDigits: string | null;
  readonly payeeVpa: string | null;
};

/**
 * Separates the bank's words by the most careful of all splits: from the first place that any split gives to a payer,
 * to the end, all text may be a payer's. Null if no credit wording is in the bank's place, or if there are too many
 * splits to look at.
 */
function spansOf(bank: Bank, subject: string, said: Lined): Stated | null {
  const found = findCreditSentences(bank, said)
    .flatMap(statement => {
      const template = statement.templates.find(one => one.channel !== 'other' && one.subject.test(subject));
      return template ? [{ ...statement, template }] : [];
    })
    .sort((one, other) => one.from - other.from);
  const [first] = found;
  if (first === undefined || weighPlace(bank, said, first) !== null) return null;
  if (found.some(({ splits }) => splits.length >= mostSplits)) return null;
  if (noCreditIn(bank, subject, said.text.slice(0, first.to)) !== null) return null;
  const starts = found.flatMap(({ splits }) => splits.flatMap(payersOf)).map(([from]) => from);
  const payers = Math.min(...starts, ...found.map(({ to }) => to));
  const own = (slot: string) => {
    const values = first.splits.flatMap(({ spans }) => {
      const span = spans[slot];
      return span === undefined || span[1] > payers ? [] : [said.text.slice(...span)];
    });
    return [...new Set(values)];
  };
  return {
    amounts: own('amount'),
    references: own('reference'),
    payers: [payers, said.text.length],
    accountDigits: /[0-9]+$/.exec(own('account')[0] ?? '')?.[0] ?? null,
    payeeVpa: own('payee_vpa')[0]?.toLowerCase() ?? null,
  };
}
