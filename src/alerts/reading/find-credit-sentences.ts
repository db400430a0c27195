import type { Bank, Part, Template } from '../banks/bank.ts';
import { ownedByPayers, slots } from '../banks/slots.ts';
import { type Lined, mostSplits, placesOf, type Span, type Split, splitsFrom } from './find-splits.ts';
import { readRows } from './read-rows.ts';

/** A bank's statement about money in one place of a mail, and every way to split it. */
export type CreditSentence = Split & {
  /** A wording may be listed again for subjects that are not known. */
  readonly templates: readonly [Template, ...Template[]];
  /** The statement is in rows, whose ends are the bank's, so nothing continues after them. */
  readonly isRows: boolean;
  /** All possible splits, including this one. With more than one it is unclear what the payer wrote. */
  readonly splits: readonly Split[];
};

/** Finds every statement of a bank in a text, except those that a payer quotes in a remark. */
export function findCreditSentences(bank: Pick<Bank, 'templates'>, said: Lined): CreditSentence[] {
  const found: CreditSentence[] = [];
  for (const template of bank.templates) {
    const statements = template.rows === null ? sentencesOf(template, said) : rowsOf(template, said);
    for (const statement of statements) {
      const known = found.findIndex(one => isSame(one, statement));
      if (known < 0) found.push(statement);
      else found[known] = together(found[known]!, statement);
    }
  }
  const isQuoted = ({ from }: CreditSentence) =>
    found.some(other => ownedSpans(other).some(([start, end]) => from >= start && from < end));
  return found.filter(one => !isQuoted(one));
}

/** The payers' parts of a statement: the bank's words are never looked for there. */
export function ownedSpans({ spans }: Split): Span[] {
  return Object.entries(spans).flatMap(([slot, span]) =>
    ownedByPayers.has(slot.split(' ')[0]!) ? [span] : [],
  );
}

/** All parts of a text that any split of any statement gives to a payer, in order. */
export function payersSpans(bank: Pick<Bank, 'templates'>, said: Lined): Span[] {
  const spans = findCreditSentences(bank, said).flatMap(({ splits }) => splits.flatMap(payersOf));
  const merged: [number, number][] = [];
  for (const [from, to] of spans.sort(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function isPayers(slot: string): boolean {
  return slots[slot.split(' ')[0]!]?.author === 'payer';
}

function sentencesOf(template: Template, said: Lined): CreditSentence[] {
  const starts = new Set(template.body.flatMap(parts => startsOf(parts[0]!, said.text)));
  return [...starts].flatMap(from => {
    const ways = template.body.flatMap(parts => {
      const all = splitsFrom(parts, said, from);
      // At the limit there may be further splits, so none is dropped as irrelevant.
      const splits = all.length < mostSplits ? withoutTails(all) : all;
      return splits.length === 0 ? [] : [splits];
    });
    const [fullest] = ways;
    if (fullest === undefined) return [];
    // An optional part must leave the facts in place, or there is more than one way to read them.
    const others = ways.slice(1).flatMap(splits => splits.filter(split => !agree(split, fullest[0]!)));
    return [
      { ...fullest[0]!, templates: [template], isRows: false, splits: [...fullest, ...others] } as const,
    ];
  });
}

function startsOf(part: Part, text: string): number[] {
  return part.kind === 'bank' ? placesOf(part.pattern, text).map(({ index }) => index) : [];
}

function rowsOf(template: Template, said: Lined): CreditSentence[] {
  return readRows(template, said).flatMap(read =>
    'doubt' in read ? [] : [{ ...read, templates: [template], isRows: true, splits: [read] } as const],
  );
}

/**
 * Among splits with the same end and the same facts, keeps the one with the least payer text. If the bank's last words
 * are complete, a shorter form of them is no other reading. Splits that differ in nothing important count as one.
 */
function withoutTails(splits: readonly Split[]): Split[] {
  const kept: Split[] = [];
  for (const split of splits) {
    const at = kept.findIndex(
      one => agree(one, split) && (one.to === split.to || payersReach(one) === payersReach(split)),
    );
    if (at < 0) kept.push(split);
    else if (payersEnd(split) < payersEnd(kept[at]!)) kept[at] = split;
  }
  return kept;
}

/** The range that a split gives to payers. How their slots share it decides nothing. */
function payersReach(split: Split): string {
  return `${Math.min(...payersOf(split).map(([from]) => from))} ${payersEnd(split)}`;
}

function payersEnd(split: Split): number {
  return Math.max(...payersOf(split).map(([, to]) => to));
}

export function payersOf({ spans }: Split): Span[] {
  return Object.entries(spans).flatMap(([slot, span]) => (isPayers(slot) ? [span] : []));
}

function agree(one: Split, other: Split): boolean {
  return Object.entries(one.spans).every(([slot, [from, to]]) => {
    if (slots[slot]?.author !== 'fact') return true;
    const there = other.spans[slot];
    return there === undefined || (there[0] === from && there[1] === to);
  });
}

/** One statement that two wordings read alike, even if one reads a sentence and the other rows. */
function isSame(one: CreditSentence, other: CreditSentence): boolean {
  const overlap = one.from < other.to && other.from < one.to;
  return (
    overlap &&
    one.templates[0].channel === other.templates[0].channel &&
    agree(one, other) &&
    agree(other, one)
  );
}

/** The wording with more facts reads it; on a tie, the first. Cells resolve a doubt about a sentence. */
function together(one: CreditSentence, other: CreditSentence): CreditSentence {
  const facts = ({ spans }: Split) =>
    Object.keys(spans).filter(slot => slots[slot]?.author === 'fact').length;
  const [best, second] = facts(other) > facts(one) ? [other, one] : [one, other];
  const inRows = [best, second].find(({ isRows }) => isRows);
  const splits =
    inRows?.splits ?? [best, second].find(({ splits }) => splits.length > 1)?.splits ?? best.splits;
  return { ...best, templates: [...best.templates, ...second.templates], splits };
}
