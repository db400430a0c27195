import { because } from '../../texts/verdicts.ts';
import type { Bank, CreditFacts, Reading } from '../banks/bank.ts';
import { sumsIn, unwrapLines } from '../mail/plain-text.ts';
import type { Lined } from './find-splits.ts';
import type { BodyText } from './read-body.ts';
import { factsIn, linedOf, noCreditIn, readWording, unreadable } from './read-wording.ts';
import { readLead } from './weigh-place.ts';

/**
 * Reads the part that the bank's file names and compares it with the other one. If HTML and plain text differ, a
 * person and this program would see different mails, so neither is believed.
 */
export function compareReadings(bank: Bank, subject: string, body: BodyText): Reading {
  const { html, plain } = linedParts(bank, body);
  const [main, other] = bank.part === 'html' ? [html, plain] : [plain, html];
  // A mail with only one part has only one reading, of either kind.
  const reading = readWording(bank, { subject, ...(main ?? other ?? linedOf({ text: '' })) });
  if (main === null || other === null || other.text === '') return reading;
  if (reading.outcome === 'credit') return saysTheSame(bank, other, reading.facts) ? reading : disagreement;
  if (reading.outcome === 'unreadable') return reading;
  return readWording(bank, { subject, ...other }).outcome === 'credit' ? disagreement : reading;
}

function linedParts(bank: Bank, body: BodyText) {
  return {
    html:
      body.html === null
        ? null
        : linedOf({ text: body.html, cells: body.cells ?? null, source: body.source ?? null }),
    plain: body.text === null ? null : linedOf({ text: unwrapLines(body.text, beginsLine(bank)) }),
  };
}

export function partsOf(bank: Bank, body: BodyText): Lined[] {
  const { html, plain } = linedParts(bank, body);
  return [html, plain].filter(part => part !== null && part.text !== '') as Lined[];
}

/** Whether the bank surely began this line of plain text: it greets, or is a row of one of its alerts. */
export function beginsLine(bank: Bank): (line: string) => boolean {
  const labels = bank.templates.flatMap(({ rows }) => rows ?? []).map(({ pattern }) => pattern);
  return line => readLead(bank, line).greets || labels.some(label => label.test(line));
}

const disagreement = unreadable(because('texts_differ'));

/**
 * Whether the other part agrees. It may contain the same statement anywhere, or be a placeholder without money
 * (Federal's "view this mail as HTML"). Or it is the same alert in another layout (links written out, stars for bold):
 * then its first sum and its reference decide.
 */
function saysTheSame(bank: Bank, said: Lined, facts: CreditFacts): boolean {
  const { text } = said;
  const stated = factsIn(bank, said);
  if (stated.length > 0) return stated.every(one => one !== null && isSameMoney(one, facts));
  const [sum] = sumsIn(text);
  if (sum === undefined) return true;
  const { amount, reference } = facts;
  const named = reference === null ? null : new RegExp(`(?<!\\d)${reference}(?!\\d)`).exec(text);
  if (named === null || sum !== amount) return false;
  return noCreditIn(bank, '', text.slice(0, named.index + named[0].length)) === null;
}

/** Compares everything that decides. The payer's name may be spaced differently in two renderings. */
export function isSameMoney(one: CreditFacts, other: CreditFacts): boolean {
  return (
    one.amount === other.amount &&
    one.reference === other.reference &&
    one.accountDigits === other.accountDigits &&
    one.payeeVpa === other.payeeVpa
  );
}
