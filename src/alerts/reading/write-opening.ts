import { announces } from '../banks/check-template.ts';
import { slots } from '../banks/slots.ts';

/** A line longer than this is no opening; a person writes what is to be listed. */
const longestOpening = 500;

/**
 * A line in front of a statement as an entry of a bank's `openings`: what changes from mail to mail is a slot, and the
 * signs of the template language are plain characters. Null where a line is too long to be listed as it stands, or holds
 * what no eye sees, or announces somebody's words: a person is to judge it.
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
