import type { Bank, Template } from '../banks/bank.ts';
import { announces } from '../banks/check-template.ts';
import { longestName, longestPayerText, longestRemark, ownedByPayers, slots } from '../banks/slots.ts';
import { cellBorder, sumsIn, typedLength } from '../mail/plain-text.ts';
import type { CreditSentence } from './find-credit-sentences.ts';
import type { Lined } from './find-splits.ts';

/**
 * Why a statement is not believed in its place: an unknown line is before it, or it may be a stranger's text. `listed`:
 * only a line that the operator listed is before it, and a payer could have written all of it.
 */
export type Doubt =
  | { readonly kind: 'unlisted'; readonly line: string }
  | { readonly kind: 'quoted' | 'listed' };

type Placed = Pick<CreditSentence, 'from' | 'to' | 'spans' | 'isRows'> & { readonly template: Template };
/** `longest`: how long it may be if payers wrote it. In cells of one row a name and a remark may be side by side. */
type Said = Placed & { readonly statement: string; readonly longest: number };

/**
 * Decides whose text the statement is. The bank writes the whole mail except the payer's name, VPA and remark, each
 * one line of at most `longestPayerText` characters. So the bank's own statement begins a line or follows only listed
 * openings in it. Every line from the greeting down to it is listed, and the text after it continues as after a
 * complete sentence. Banners may come above the greeting, where no payer's text brings its own.
 */
export function weighPlace(bank: Bank, { text, cells }: Lined, placed: Placed): Doubt | null {
  const [from, to] = [placed.from, ownEnd(placed)];
  const statement = text.slice(from, to);
  const isInCells = !statement.includes('\n') && cells.slice(from, to).includes(cellBorder);
  const said = { ...placed, statement, longest: isInCells ? longestName + longestRemark : longestPayerText };
  const doubt = doubtAbout(bank, text, said);
  if (doubt !== null || bank.listed.length === 0 || typedLength(statement) > said.longest) return doubt;
  // Nobody can tell from its words whether a new line announces somebody else's. So it never vouches for a short
  // statement below it.
  const openings = bank.openings.filter(one => !bank.listed.includes(one));
  const without = doubtAbout({ ...bank, openings }, text, said);
  return without?.kind === 'unlisted' ? { kind: 'listed' } : without;
}

function doubtAbout(bank: Bank, text: string, said: Said): Doubt | null {
  const { from, to, statement, longest } = said;
  const lines = text.slice(0, from).split('\n');
  const leads = lines.map(line => readLead(bank, line));
  const greeting = leads.findIndex(lead => lead.greets);
  const unknown = leads.findIndex((lead, at) => at >= greeting && lead.unlisted !== '');
  // A line that announces somebody's words must never be listed, or the next quotation below it would pay.
  if (unknown >= 0 && announces(lines[unknown]!) && typedLength(statement) <= longest)
    return { kind: 'quoted' };
  if (unknown >= 0) return { kind: 'unlisted', line: leads[unknown]!.unlisted };

  const ownLine = `${lines.at(-1)}${statement}`;
  const banners = leads.slice(0, Math.max(greeting, 0)).filter(lead => lead.unlisted !== '');
  const greetsInLine = greeting === lines.length - 1;
  if (isDoubtedBelow(banners, { statement, ownLine, greetsInLine, longest })) return { kind: 'quoted' };

  // Rows end with the bank's own cells and lines.
  if (said.isRows) return null;
  // A remark fills its line. But if any subject matches, a short statement may be a name in some other mail.
  const isAny = said.template.written.subjects.includes('{any}');
  const behind = text.slice(isAny ? from + statement.length : to);
  const [inLine = ''] = behind.split('\n', 1);
  const couldBeName = typedLength(statement) <= longestName;
  // "‹name› has sent you Rs. 1": only a name is at the beginning of that bank's line.
  if (couldBeName && namesOtherMoney(inLine, statement)) return { kind: 'quoted' };
  return goesOn(statement, couldBeName ? behind : inLine) ? { kind: 'quoted' } : null;
}

/** The end of the bank's own words: a remark to the line's end must not make the statement look longer. */
function ownEnd({ to, spans }: Placed): number {
  const places = Object.entries(spans);
  if (!places.some(([slot, [, end]]) => ownedByPayers.has(slot) && end === to)) return to;
  const facts = places.flatMap(([slot, [, end]]) => (slots[slot]?.author === 'fact' ? [end] : []));
  return Math.min(...places.flatMap(([, [from]]) => (from >= Math.max(...facts) ? [from] : [])));
}

/**
 * A small letter without a full stop before it: the sentence did not end with the statement, nor with the line after a
 * name. After a slash the payer's remark follows, in letters of any kind.
 */
function goesOn(statement: string, behind: string): boolean {
  const hasEnded = /[.!?।]$/.test(statement) || (statement.endsWith('/') && /^[\p{L}\p{N}]/u.test(behind));
  return !hasEnded && /^[^\p{L}\p{N}.!?।]*(?!www\.|https?:)\p{Ll}/u.test(behind);
}

/** Below banners, a payer may have written greeting and statement in one line, or a statement about other money. */
function isDoubtedBelow(
  banners: readonly Lead[],
  said: { statement: string; ownLine: string; greetsInLine: boolean; longest: number },
): boolean {
  const last = banners.at(-1);
  if (last === undefined) return false;
  if (announces(last.unlisted)) return true;
  if (said.greetsInLine && typedLength(said.ownLine) <= said.longest) return true;
  const isSurelyTheBanks = !said.greetsInLine && typedLength(said.statement) > said.longest;
  return !isSurelyTheBanks && banners.some(banner => namesOtherMoney(banner.unlisted, said.statement));
}

/** A balance or a second language repeats only the statement's own sums. */
function namesOtherMoney(text: string, statement: string): boolean {
  const own = new Set(sumsIn(statement));
  return sumsIn(text).some(sum => sum === null || !own.has(sum));
}

/** Whether a line before the statement greets, and its unlisted part. */
export type Lead = { readonly greets: boolean; readonly unlisted: string };

/** Texts that may come before a statement. */
export type Listed = Pick<Bank, 'greetings' | 'openings'>;

/** Reads a line as a sequence of listed greetings and openings; the rest is unlisted. */
export function readLead({ greetings, openings }: Listed, line: string): Lead {
  const reached = new Set([endOf(filler, line, 0) ?? 0]);
  const step = (listed: RegExp, from: number): boolean => {
    const end = endOf(listed, line, from);
    if (end !== null) reached.add(endOf(filler, line, end) ?? end);
    return end !== null;
  };
  let greets = false;
  // The loop also visits entries that are added to the set on the way.
  for (const from of reached) {
    for (const greeting of greetings) greets = step(greeting, from) || greets;
    for (const opening of openings) step(opening, from);
  }
  return { greets, unlisted: line.slice(Math.max(...reached)) };
}

/** Characters between two openings that say nothing: marks, stars for bold, a picture. */
const filler = /(?:[ .,!*]|\p{Extended_Pictographic}|\uFE0F){0,8}/uy;

function endOf(expression: RegExp, line: string, from: number): number | null {
  expression.lastIndex = from;
  return expression.test(line) ? expression.lastIndex : null;
}
