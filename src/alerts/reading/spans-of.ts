import type { Bank } from '../banks/bank.ts';
import { slots } from '../banks/slots.ts';
import { noCreditIn } from './read-wording.ts';
import { weighPlace } from './weigh-place.ts';

/** From one place of a text to another. */
export type Span = readonly [from: number, to: number];

export type Stated = {
  /** Where a credit wording of the bank stands whose direction words matched. */
  readonly statements: readonly Span[];
  /** Everything that a payer may have written, in any way to take the text apart. */
  readonly payers: readonly Span[];
  /** The account and the payee that the bank names in its own words; null where a payer may have. */
  readonly accountDigits: string | null;
  readonly payeeVpa: string | null;
};

/**
 * Whose words are whose, by the most careful of all splits: from the first slot that a payer fills, to the end of the
 * text, anything may be a payer's. Null where no wording that tells of a credit stands in the bank's place.
 */
export function spansOf(bank: Bank, subject: string, text: string): Stated | null {
  const matches = bank.templates
    .filter(template => template.channel !== 'other' && template.subject.test(subject))
    .flatMap(({ body }) => [...text.matchAll(body)])
    .sort((one, other) => one.index - other.index);
  const [first] = matches;
  if (first === undefined || weighPlace(bank, text, first) !== null) return null;
  if (noCreditIn(bank, subject, text.slice(0, first.index + first[0].length)) !== null) return null;
  const payers = Math.min(...matches.map(firstPayer));
  const own = (slot: string) => {
    const place = first.indices?.groups?.[slot];
    return place === undefined || place[1] > payers ? null : (first.groups?.[slot] ?? null);
  };
  return {
    statements: [[first.index, first.index + first[0].length]],
    payers: [[payers, text.length]],
    accountDigits: /[0-9]+$/.exec(own('account') ?? '')?.[0] ?? null,
    payeeVpa: own('payee_vpa')?.toLowerCase() ?? null,
  };
}

function firstPayer(match: RegExpExecArray | RegExpMatchArray): number {
  const places = Object.entries(match.indices?.groups ?? {});
  const starts = places.flatMap(([slot, place]) =>
    slots[slot]?.author === 'payer' && place !== undefined ? [place[0]] : [],
  );
  return Math.min(...starts, (match.index ?? 0) + match[0].length);
}
