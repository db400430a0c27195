import { storable } from '../../base/http/text.ts';
import type { Bank } from '../banks/bank.ts';
import type { Statement } from './find-statements.ts';
import { readLead } from './read-lead.ts';

const mostLines = 60;
const longestLine = 200;
const longestSurroundings = 3_000;
/** Shorter values stand in any word. */
const shortestValue = 3;

/**
 * A mail around its statement, with everything replaced that is somebody's own or changes from mail to mail: so two
 * mails of one making have one text, and a new making shows itself. It names no customer, no payer and no sum.
 */
export function writeSurroundings(bank: Bank, text: string, only: Statement): string {
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

/** A greeting mostly names the customer. */
function withoutGreeting(bank: Bank, line: string): string {
  const { greets, unlisted } = readLead(bank, line);
  return greets ? `{greeting}${unlisted}` : line;
}

/** What the statement says of the payment may be said again elsewhere. */
function withoutStated(whole: string, text: string, { spans }: Statement): string {
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
