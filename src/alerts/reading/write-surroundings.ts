import { storable } from '../../base/http/text.ts';
import type { Bank } from '../banks/bank.ts';
import { announces } from '../banks/check-template.ts';
import { slots } from '../banks/slots.ts';
import type { CreditSentence } from './find-credit-sentences.ts';
import { readLead } from './weigh-place.ts';

const mostLines = 60;
const longestLine = 200;
const longestSurroundings = 3_000;
/** Shorter values occur inside any word. */
const shortestValue = 3;

/**
 * The mail around its statement, without personal and changing values. So two mails with the same layout give the same
 * text, and a new layout is noticed. It contains no customer, payer or sum.
 */
export function writeSurroundings(bank: Bank, text: string, only: CreditSentence): string {
  const above = linesOf(text.slice(0, only.from)).slice(-mostLines);
  const stated = text.slice(only.from, only.to).trimEnd();
  const below = linesOf(text.slice(only.from + stated.length)).slice(0, mostLines);
  const led = above.map(line => withoutGreeting(bank, line));
  const whole = `${led.join('\n')}{statement}${below.join('\n')}`;
  return storable(withoutValues(withoutStated(whole, text, only)), longestSurroundings);
}

function linesOf(text: string): string[] {
  return text.split('\n').map(line => line.slice(0, longestLine));
}

/** A greeting usually names the customer. */
function withoutGreeting(bank: Bank, line: string): string {
  const { greets, unlisted } = readLead(bank, line);
  return greets ? `{greeting}${unlisted}` : line;
}

/** The statement's values may be repeated elsewhere in the mail. */
function withoutStated(whole: string, text: string, { spans }: CreditSentence): string {
  let out = whole;
  for (const [slot, span] of Object.entries(spans)) {
    const value = text.slice(...span);
    if (value.length >= shortestValue) out = out.replaceAll(value, `{${slot}}`);
  }
  return out;
}

function withoutValues(text: string): string {
  return text
    .replace(/\bhttps?:\/\/\S{1,2000}/giu, '{link}')
    .replace(/(?<![\p{L}\p{N}._+-])[\p{L}\p{N}._+-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu, '{address}')
    .replace(/[Xx*]{0,18}\p{N}[\p{N}Xx*]{0,30}(?:[.,:/-]\p{N}{1,18}){0,6}/gu, '#');
}

/** A longer line is no opening, and a person must write the entry. */
const longestOpening = 500;

/**
 * Writes a line before a statement as an entry for a bank's `openings`. Changing values become slots, and signs of the
 * template language become plain characters. Null if the line is too long, has invisible characters or announces
 * somebody's words: then a person decides.
 */
export function writeOpening(line: string): string | null {
  if (line.length > longestOpening || unseen.test(line) || announces(line)) return null;
  return line
    .replace(/[[\]{}\\]/g, '\\$&')
    .replace(accounts, '{account}')
    .replace(numbers, '{token}')
    .replace(dates, '{date}');
}

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u;
const standingAlone = (value: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}{])(?:${value})(?![\\p{L}\\p{N}])`, 'gu');
const dates = standingAlone(slots['date']!.pattern);
const accounts = standingAlone('[Xx*]{1,18}[0-9]{2,18}');
const numbers = standingAlone('[0-9]{5,18}');
