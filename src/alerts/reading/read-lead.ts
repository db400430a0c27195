import type { Bank } from '../banks/bank.ts';

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
