import type { Bank, Template } from '../banks/bank.ts';
import { announces } from '../banks/check-template.ts';
import { longestName, longestPayerText, ownedByPayers, slots } from '../banks/slots.ts';
import type { CreditSentence } from './find-credit-sentences.ts';
import type { Lined } from './find-splits.ts';
import { sumsIn } from './parse-amount.ts';

/** Why a statement is not believed where it stands: an unknown line in front of it, or it may be a stranger's text. */
export type Doubt = { readonly kind: 'unlisted'; readonly line: string } | { readonly kind: 'quoted' };

type Placed = Pick<CreditSentence, 'from' | 'to' | 'spans' | 'isRows'> & { readonly template: Template };

/**
 * Whose text is the statement? The bank writes all of a mail but the payer's name, VPA and remark, each of them one
 * line of at most `longestPayerText` characters. So the bank's own statement begins a line, or follows in it nothing
 * but listed openings; from the greeting down to it every line is listed; and the mail goes on behind it as behind a
 * sentence that has ended. Banners may stand above the greeting, where no text of a payer brings one of its own.
 */
export function weighPlace(bank: Bank, { text }: Lined, placed: Placed): Doubt | null {
  const statement = text.slice(placed.from, ownEnd(placed));
  const lines = text.slice(0, placed.from).split('\n');
  const leads = lines.map(line => readLead(bank, line));
  const greeting = leads.findIndex(lead => lead.greets);
  const unknown = leads.slice(Math.max(greeting, 0)).find(lead => lead.unlisted !== '');
  // What announces somebody's words is no line to be listed: below it the next quotation would pay.
  if (unknown !== undefined && announces(unknown.unlisted) && couldBePayers(statement))
    return { kind: 'quoted' };
  if (unknown !== undefined) return { kind: 'unlisted', line: unknown.unlisted };

  const ownLine = `${lines.at(-1)}${statement}`;
  const banners = leads.slice(0, Math.max(greeting, 0)).filter(lead => lead.unlisted !== '');
  const greetsInLine = greeting === lines.length - 1;
  if (isDoubtedBelow(banners, { statement, ownLine, greetsInLine })) return { kind: 'quoted' };

  // Rows end with the bank's own cells and lines.
  if (placed.isRows) return null;
  // A remark owns its line; but where any subject will do, a short statement may be a name in some other mail.
  const isAny = placed.template.written.subjects.includes('{any}');
  const behind = text.slice(isAny ? placed.from + statement.length : placed.to);
  const [inLine = ''] = behind.split('\n', 1);
  const couldBeName = statement.length <= longestName;
  // "‹name› has sent you Rs. 1": only a name stands at the beginning of a line of the bank.
  if (couldBeName && namesOtherMoney(inLine, statement)) return { kind: 'quoted' };
  return goesOn(statement, couldBeName ? behind : inLine) ? { kind: 'quoted' } : null;
}

/** Where the bank's own words end: a remark to the end of the line makes no statement longer than a payer's text. */
function ownEnd({ to, spans }: Placed): number {
  const places = Object.entries(spans);
  if (!places.some(([slot, [, end]]) => ownedByPayers.has(slot) && end === to)) return to;
  const facts = places.flatMap(([slot, [, end]]) => (slots[slot]?.author === 'fact' ? [end] : []));
  return Math.min(...places.flatMap(([, [from]]) => (from >= Math.max(...facts) ? [from] : [])));
}

/**
 * A small letter with no full stop before it: the sentence has not ended with the statement, and behind a name that has
 * a line of its own it has not ended with the line. Behind a slash the payer's remark follows, in whatever letters.
 */
function goesOn(statement: string, behind: string): boolean {
  const hasEnded = /[.!?।]$/.test(statement) || (statement.endsWith('/') && /^[\p{L}\p{N}]/u.test(behind));
  return !hasEnded && /^[^\p{L}\p{N}.!?।]*(?!www\.|https?:)\p{Ll}/u.test(behind);
}

/** Below banners, greeting and statement in one line may both be a payer's, and so may be a statement of other money. */
function isDoubtedBelow(
  banners: readonly Lead[],
  said: { statement: string; ownLine: string; greetsInLine: boolean },
): boolean {
  const last = banners.at(-1);
  if (last === undefined) return false;
  if (announces(last.unlisted)) return true;
  if (said.greetsInLine && couldBePayers(said.ownLine)) return true;
  const isSurelyTheBanks = !said.greetsInLine && !couldBePayers(said.statement);
  return !isSurelyTheBanks && banners.some(banner => namesOtherMoney(banner.unlisted, said.statement));
}

function couldBePayers(text: string): boolean {
  return text.length <= longestPayerText;
}

/** A balance or a second language repeats only sums that the statement itself names. */
function namesOtherMoney(text: string, statement: string): boolean {
  const own = new Set(sumsIn(statement));
  return sumsIn(text).some(sum => sum === null || !own.has(sum));
}

/** What a line in front of the statement says: whether it greets, and what of it is not listed. */
export type Lead = { readonly greets: boolean; readonly unlisted: string };

/** What may stand in front of a statement. */
export type Listed = Pick<Bank, 'greetings' | 'openings'>;

/** Reads a line as listed greetings and openings, one after the other; what they do not cover is unlisted. */
export function readLead({ greetings, openings }: Listed, line: string): Lead {
  const reached = new Set([endOf(filler, line, 0) ?? 0]);
  const step = (listed: RegExp, from: number): boolean => {
    const end = endOf(listed, line, from);
    if (end !== null) reached.add(endOf(filler, line, end) ?? end);
    return end !== null;
  };
  let greets = false;
  // A set is walked through to its end, with what is added on the way.
  for (const from of reached) {
    for (const greeting of greetings) greets = step(greeting, from) || greets;
    for (const opening of openings) step(opening, from);
  }
  return { greets, unlisted: line.slice(Math.max(...reached)) };
}

/** What may stand between two openings and says nothing: marks, stars for bold, a picture. */
const filler = /(?:[ .,!*]|\p{Extended_Pictographic}|\uFE0F){0,8}/uy;

function endOf(expression: RegExp, line: string, from: number): number | null {
  expression.lastIndex = from;
  return expression.test(line) ? expression.lastIndex : null;
}
