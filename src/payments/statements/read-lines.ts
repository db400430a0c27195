import { type Paise, paise } from '../../base/money.ts';
import { readReference } from '../../base/read-reference.ts';
import type { Found } from './find-columns.ts';
import { mostLines, StatementFault } from './table-limits.ts';

/** Received money, as the bank's file lists it. */
export type StatementLine = {
  /** Its day in India, yyyy-mm-dd. */
  day: string;
  amount: Paise;
  /** In the form in which it counts once: twelve digits at least. */
  reference: string | null;
  text: string;
};

export type Lines = {
  lines: StatementLine[];
  /** Credits that do not say UPI or IMPS. They need no mail, but a payment may be found among them. */
  others: StatementLine[];
  /** Rows that could be credits, with a sum and no day or the other way round. */
  unclear: number;
  /** The first and the last day with any booking. Null if there is none. */
  covers: { first: string; last: string } | null;
};

const longestText = 140;

/** The credits below the titles. Debits, balances, totals and other rows are skipped. */
export function readLines(rows: readonly string[][], { place, titles, columns }: Found): Lines {
  const at = (name: string | null) => (name === null ? -1 : titles.indexOf(name));
  const [date, amount, direction] = [at(columns.date), at(columns.amount), at(columns.direction)];
  const [reference, description] = [at(columns.reference), at(columns.description)];
  const found: Lines = { lines: [], others: [], unclear: 0, covers: null };
  for (const row of rows.slice(place + 1)) {
    const cell = (column: number) => row[column]?.trim() ?? '';
    const sum = readSum(cell(amount), direction < 0 ? null : cell(direction));
    const day = readDay(cell(date));
    // A day without a sum in its row may be the day of printing.
    if (day !== null && row.some((text, at) => at !== date && isSum(text))) {
      const days = [day, found.covers?.first ?? day, found.covers?.last ?? day].sort();
      found.covers = { first: days[0]!, last: days[2]! };
    }
    if (sum === null) continue;
    if (day === null || sum === 'unclear') {
      // Totals at the end have a sum and no day, and titles that are printed on each page have neither.
      if (day !== null || cell(date) !== '') found.unclear++;
      continue;
    }
    const text = cell(description);
    const number = countedNumber(cell(reference)) ?? countedNumber(text);
    const isOther = number === null && !/\b(?:UPI|IMPS)\b/i.test(text);
    const line = { day, amount: sum, reference: number, text: [...text].slice(0, longestText).join('') };
    (isOther ? found.others : found.lines).push(line);
    if (found.lines.length + found.others.length > mostLines) throw new StatementFault('too_many_lines');
  }
  return found;
}

/** Null for an empty cell and for a debit. */
function readSum(cell: string, direction: string | null): Paise | 'unclear' | null {
  if (direction !== null && !/^(?:c|\+)/i.test(direction)) return null;
  // Accountants write debits like this: (500.00).
  if (/^\(\D*[\d,]+(?:\.\d+)?\s*\)$/.test(cell)) return null;
  const [, bare = '', side = ''] =
    /^(.*?)\s*(cr|dr)?\.?\)?$/i.exec(cell.replace(/[₹,\s(]|INR|Rs\.?/gi, '')) ?? [];
  if (bare === '' || /^-/.test(bare) || /^d/i.test(side)) return null;
  if (!/^\+?\d{1,10}(?:\.\d+)?$/.test(bare)) return /\d/.test(bare) ? 'unclear' : null;
  const sum = Math.round(Number(bare) * 100);
  return sum === 0 ? null : paise(sum);
}

function isSum(text: string): boolean {
  return typeof readSum(text.trim(), null) === 'number';
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Day before month, as in India, unless the year comes first. A time after it is skipped. */
function readDay(cell: string): string | null {
  const [, year4 = '', month4 = '', day4 = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/.exec(cell) ?? [];
  if (year4 !== '') return isoDay(Number(year4), Number(month4), Number(day4));
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})[-/. ]\s*(\d{1,2}|[A-Za-z]{3,9})[-/., ]\s*(\d{4}|\d{2})\b/.exec(cell) ?? [];
  if (day === '') return null;
  const number = /^\d/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return isoDay(year.length === 2 ? 2000 + Number(year) : Number(year), number, Number(day));
}

function isoDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 2000 && year < 2100;
  return isReal ? date.toISOString().slice(0, 10) : null;
}

/** A separate cell often has zeros before the number, to the width of a cheque's or an account's. */
function countedNumber(text: string): string | null {
  const bare = /^0*([1-9]\d{8,11})$/.exec(text)?.[1];
  return bare?.padStart(12, '0') ?? readReference(text);
}
