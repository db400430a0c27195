import type { Wording } from '../banks/bank.ts';
import { checkBody, checkSubject } from '../banks/check-template.ts';
import { parseTemplate, TemplateError } from '../banks/parse-template.ts';
import { currency, slots } from '../banks/slots.ts';
import { normaliseText } from '../mail/plain-text.ts';
import { type Listed, readLead } from '../reading/weigh-place.ts';
import {
  findSelections,
  type Place,
  placesOf,
  type SelectionRefusal,
  type Selections,
} from './find-selections.ts';

export type DraftedTemplate = {
  readonly outcome: 'drafted';
  readonly body: string;
  /** `{any}` if the subject cannot be used; then the template stays unconfirmed. */
  readonly subject: string;
  readonly channel: 'upi' | 'imps' | 'any' | 'other';
  readonly from: number;
  readonly to: number;
};

export type DraftRefusal = { readonly outcome: 'refused' } & (
  | SelectionRefusal
  | ({ readonly code: 'unmarked' } & Unselected)
  | { readonly code: 'payer_before_amount' | 'amount_is_balance' }
  | { readonly code: 'no_credit_words' }
  /** The error of `check-template.ts`. */
  | { readonly code: 'not_anchored'; readonly detail: string }
);

export const anySubject = '{any}';

/** The words for "money came in" may be this many lines above or below the marked ones. */
const farthestLines = 8;
/** The most words' length after a payer's text that marks its end. */
const longestBound = 40;
/** The longest text between the statement and a balance after it in the same line. */
const longestWayToBalance = 120;

/**
 * Turns a mail's statement into a template. Marked and other changing values become slots, and all other words stay as
 * the bank prints them. `text` is line by line, as the mail reader sees it.
 */
export function draftTemplate(
  listed: Listed,
  { subject, text }: Pick<Wording, 'subject' | 'text'>,
  chosen: Selections,
): DraftedTemplate | DraftRefusal {
  const places = findSelections(text, chosen);
  if ('code' in places) return { outcome: 'refused', ...places };
  const amount = places.findIndex(({ slot }) => slot === 'amount');
  if (places.slice(0, amount).some(isPayers)) return { outcome: 'refused', code: 'payer_before_amount' };

  if (leadsToBalance.test(text.slice(0, places[amount]!.from)))
    return { outcome: 'refused', code: 'amount_is_balance' };

  const span = spanOf(listed, text, places);
  if (span === null) return { outcome: 'refused', code: 'no_credit_words' };
  const end = Math.max(span.to, places.at(-1)!.to);
  const behind = end > places.at(-1)!.to ? '' : tailOf(text, places.at(-1)!);
  const fixed = stretchesBetween(text, places, span.from, end + behind.length);
  // The money that came is named first. A balance or an expense is not a payment to the shop.
  if (fixed.slice(0, amount + 1).some(words => writeWords(words).includes('{balance}')))
    return { outcome: 'refused', code: 'amount_is_balance' };
  const unselected = findUnselected(
    fixed.join('\n'),
    places.map(({ slot }) => slot),
  );
  if (unselected !== null) return { outcome: 'refused', code: 'unmarked', ...unselected };

  const to = end + behind.length;
  const body =
    fill(fixed, places) +
    balanceBehind(text, to) +
    (isPayers(places.at(-1)!) && isLineEnd(text, to) ? '{end}' : '');
  const channel = channelOf(text.slice(span.from, to));
  const detail = problemOf(() => checkBody(parseTemplate(body), channel));
  if (detail !== null) return { outcome: 'refused', code: 'not_anchored', detail };
  return { outcome: 'drafted', body, subject: draftSubject(subject, chosen), channel, from: span.from, to };
}

const leadsToBalance = /\bbal(?:ance)?\b[^\n{}]{0,20}$/i;

function isPayers({ slot }: Place): boolean {
  return slots[slot]?.author === 'payer';
}

function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === '\n';
}

/** The same words that `checkBody` requires. */
const saysCredit = /credit|receiv|added|deposit/i;

/**
 * The minimal range of the bank's statement. It starts with a line's first words after any listed opening, and extends
 * up or down to the word that says that money came in.
 */
function spanOf(listed: Listed, text: string, places: readonly Place[]): Omit<Place, 'slot'> | null {
  const last = places.at(-1)!.to;
  let from = wordsBefore(listed, text, places[0]!.from);
  for (let lines = 0; lines < farthestLines; lines++) {
    if (from < places[0]!.from && saysCredit.test(fixedIn(text, places, from, endOfLine(text, last))))
      return { from, to: 0 };
    const above = text.lastIndexOf('\n', from - 1);
    if (above < 0 || readLead(listed, lineEndingAt(text, above)).greets) break;
    from = wordsBefore(listed, text, above);
  }
  const start = wordsBefore(listed, text, places[0]!.from);
  let to = last;
  for (let lines = 0; lines < farthestLines && to < text.length; lines++) {
    to = endOfLine(text, to + 1);
    if (saysCredit.test(fixedIn(text, places, start, to))) return { from: start, to };
  }
  return null;
}

/** The start of the words in a line before a place, after greeting and openings. */
function wordsBefore(listed: Listed, text: string, at: number): number {
  const { unlisted } = readLead(listed, lineEndingAt(text, at));
  return at - unlisted.length;
}

function lineEndingAt(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function fixedIn(text: string, places: readonly Place[], from: number, to: number): string {
  return stretchesBetween(text, places, from, to).join(' ');
}

/** The words before, between and after the marked values: one piece more than there are values. */
function stretchesBetween(text: string, places: readonly Place[], from: number, to: number): string[] {
  const starts = [from, ...places.map(place => place.to)];
  return starts.map((start, at) => text.slice(start, places[at]?.from ?? to));
}

/**
 * The end of the statement after its last value: the rest of a sentence that continues in small letters, a slash
 * before a remark, or the words that end a payer's text.
 */
function tailOf(text: string, last: Place): string {
  const rest = text.slice(last.to, endOfLine(text, last.to));
  if (rest.startsWith('/')) return '/';
  const sentence = /^.*?(?=[.!?।](?:\s|$)|$)/u.exec(rest)![0];
  if (/^[^\p{L}\p{N}.!?।]*(?!www\.|https?:)\p{Ll}/u.test(rest)) return sentence;
  if (!isPayers(last)) return '';
  return rest.length <= longestBound ? rest : rest.slice(0, longestBound).replace(/\s\S*$/, '');
}

/** A balance in the same line belongs to the statement, but is not always printed. */
function balanceBehind(text: string, at: number): string {
  const rest = text.slice(at, endOfLine(text, at));
  const sum = /(?:\bRs\.? ?|\bINR ?|₹ ?)[0-9][0-9,]*(?:\.[0-9]+)?/i.exec(rest);
  if (sum === null || sum.index > longestWayToBalance) return '';
  const written = writeWords(rest.slice(0, sum.index + sum[0].length));
  // Another changing value before the balance may be a payer's remark, so there is no balance slot.
  return /^[^{/@]*\{balance\}$/.test(written) ? `[${written}]` : '';
}

function channelOf(statement: string): DraftedTemplate['channel'] {
  if (/\b(?:NEFT|RTGS|NACH|ACH|cheque|salary|interest|dividend)\b/i.test(statement)) return 'other';
  if (/\bIMPS\b/i.test(statement)) return 'imps';
  return /\b(?:UPI|VPA)\b/i.test(statement) ? 'upi' : 'any';
}

/**
 * Facts that the body also names become slots in the subject. If it has other changing values, or names the payer, any
 * subject must do.
 */
function draftSubject(subject: string, chosen: Selections): string {
  const line = normaliseText(subject);
  const places = (['amount', 'account', 'reference'] as const)
    .flatMap(name => (chosen[name] === undefined ? [] : (placesOf(line, name, chosen[name])[0] ?? [])))
    .sort((one, other) => one.from - other.from);
  const written = fill(stretchesBetween(line, places, 0, line.length), places);
  const payers = [chosen.payer_name, chosen.payer_vpa, chosen.note].map(value => normaliseText(value ?? ''));
  if (line === '' || payers.some(value => value !== '' && line.includes(value))) return anySubject;
  return problemOf(() => checkSubject(parseTemplate(written))) === null ? written : anySubject;
}

function fill(stretches: readonly string[], places: readonly Place[]): string {
  return stretches
    .map((words, at) => writeWords(words) + (places[at] ? `{${places[at].slot}}` : ''))
    .join('')
    .replace(ownBalance, '[$&]');
}

/** A balance between two sentences of the statement, in its own words, which some mails print and others do not. */
const ownBalance =
  /(?<=[^[{]{3}) (?:[A-Z][A-Za-z./]{0,12} ){0,4}[Bb]al[a-z]{0,4}\.? ?(?:is )?[:-]? ?(?:Rs\.? ?|INR ?|₹ ?)\{balance\}/;

function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** A value in fixed words that a person must select first: a guess would decide about money. */
type Unselected = { readonly name: 'account' | 'reference' | 'payer_vpa'; readonly value: string };

/**
 * Writes a mail's words as a template: changing values (days, times, balances, numbers) become slots, and signs of the
 * template language become plain characters.
 */
function writeWords(words: string): string {
  let written = '';
  let at = 0;
  for (const found of words.matchAll(values)) {
    const kind = Object.keys(patterns).find(name => found.groups?.[name] !== undefined)!;
    written += escaped(words.slice(at, found.index)) + slotFor(kind, found.groups!);
    at = found.index + found[0].length;
  }
  // A line's end is a space in a template.
  return (written + escaped(words.slice(at))).replaceAll('\n', ' ');
}

/** A value that looks like a fact of the payment but is not selected, if nothing of its kind is. */
function findUnselected(words: string, selected: readonly string[]): Unselected | null {
  const has = (...names: string[]) => names.some(name => selected.includes(name));
  for (const { groups = {} } of words.matchAll(values)) {
    if (groups['vpa'] !== undefined && !has('payer_vpa', 'payee_vpa'))
      return { name: 'payer_vpa', value: groups['vpa'] };
    if (groups['masked'] !== undefined && !has('account'))
      return { name: 'account', value: groups['masked'] };
    const number = groups['number'];
    if (number !== undefined && /^[0-9]{9,16}$/.test(number) && !has('reference', 'utr'))
      return { name: 'reference', value: number };
  }
  return null;
}

function slotFor(kind: string, groups: Record<string, string>): string {
  // An unmarked UPI ID may be anybody's, because some mails contain two. A payer's slot never decides.
  if (kind === 'vpa') return '{payer_vpa}';
  if (kind === 'sum') return `${groups['mark']}{balance}`;
  return { date: '{date}', time: '{time}', masked: '{mobile}', number: '{token}' }[kind]!;
}

function escaped(words: string): string {
  return words.replace(/[[\]{}\\]/g, '\\$&');
}

/** The patterns are tried in this order at every place. */
const patterns = {
  vpa: slots['payer_vpa']!.pattern,
  sum: `(?<mark>${currency})(?:${slots['balance']!.pattern})`,
  date: slots['date']!.pattern,
  time: slots['time']!.pattern,
  masked: '(?:[0-9]{1,6})?[Xx*]{1,18}[0-9]{2,18}',
  number: '(?=[A-Z]{0,12}[0-9])(?:[0-9]{5,18}|[A-Z0-9]{8,22})',
};
const values = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${Object.entries(patterns)
    .map(([name, pattern]) => `(?<${name}>${pattern})(?![\\p{L}\\p{N}])`)
    .join('|')})`,
  'gu',
);
