import type { Bank } from '../banks/bank.ts';
import { type Lined, mostSplits, type Span } from './find-splits.ts';
import { findStatements, payersOf } from './find-statements.ts';
import { noCreditIn } from './read-wording.ts';
import { weighPlace } from './weigh-place.ts';

export type Stated = {
  /** The sums and references that the bank's wording has in their places, in every way to take it apart. */
  readonly amounts: readonly string[];
  readonly references: readonly string[];
  /** Everything that a payer may have written, in any way to take the text apart. */
  readonly payers: Span;
  /** The account and the payee that the bank names in its own words; null where a payer may have. */
  readonly accountDigits: string | null;
  readonly payeeVpa: string | null;
};

/**
 * Whose words are whose, by the most careful of all splits: from the first place that any of them gives to a payer, to
 * the end of the text, anything may be a payer's. Null where no wording that tells of a credit stands in the bank's
 * place, or where there are more ways to take it apart than were looked at.
 */
export function spansOf(bank: Bank, subject: string, said: Lined): Stated | null {
  const found = findStatements(bank, said)
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
