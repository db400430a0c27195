import { because } from '../../texts/verdicts.ts';
import type { Bank, CreditFacts, Reading } from '../banks/bank.ts';
import { unwrapLines } from '../mail/plain-text.ts';
import type { Lined } from './find-splits.ts';
import { sumsIn } from './parse-amount.ts';
import type { BodyText } from './read-body.ts';
import { factsIn, linedOf, noCreditIn, readWording, unreadable } from './read-wording.ts';
import { readLead } from './weigh-place.ts';

/**
 * Reads the part that the bank's file names and holds the other one against it. Where a mail says one thing as HTML
 * and another as plain text, a person and this program would see different mails, so neither is believed.
 */
export function compareReadings(bank: Bank, subject: string, body: BodyText): Reading {
  const { html, plain } = linedParts(bank, body);
  const [told, other] = bank.part === 'html' ? [html, plain] : [plain, html];
  // With one part only there is one reading only, whichever kind the bank's file expects.
  const reading = readWording(bank, { subject, ...(told ?? other ?? linedOf({ text: '' })) });
  if (told === null || other === null || other.text === '') return reading;
  if (reading.outcome === 'credit') return saysTheSame(bank, other, reading.facts) ? reading : disagreement;
  if (reading.outcome === 'unreadable') return reading;
  return readWording(bank, { subject, ...other }).outcome === 'credit' ? disagreement : reading;
}

/** Both parts as they are read. */
function linedParts(bank: Bank, body: BodyText) {
  return {
    html:
      body.html === null
        ? null
        : linedOf({ text: body.html, cells: body.cells ?? null, source: body.source ?? null }),
    plain: body.text === null ? null : linedOf({ text: unwrapLines(body.text, beginsLine(bank)) }),
  };
}

/** The parts of a mail that say anything, as they are read. */
export function partsOf(bank: Bank, body: BodyText): Lined[] {
  const { html, plain } = linedParts(bank, body);
  return [html, plain].filter(part => part !== null && part.text !== '') as Lined[];
}

/** Whether a line of plain text was surely begun by the bank: it greets, or is a row of one of its alerts. */
export function beginsLine(bank: Bank): (line: string) => boolean {
  const labels = bank.templates.flatMap(({ rows }) => rows ?? []).map(({ pattern }) => pattern);
  return line => readLead(bank, line).greets || labels.some(label => label.test(line));
}

const disagreement = unreadable(because('texts_differ'));

/**
 * The other part holds the same statement, wherever it stands in it; or it is a placeholder (Federal's "view this mail
 * as HTML") and names no money; or the same alert laid out in another way (links written out, stars for bold), whose
 * first sum and reference tell.
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

/** All that decides; the payer's name may be spaced differently in two renderings of one mail. */
export function isSameMoney(one: CreditFacts, other: CreditFacts): boolean {
  return (
    one.amount === other.amount &&
    one.reference === other.reference &&
    one.accountDigits === other.accountDigits &&
    one.payeeVpa === other.payeeVpa
  );
}
