import { type Paise, paise } from '../../base/money.ts';
import { nfkc } from '../../base/nfkc.ts';

/**
 * Makes a mail's text comparable with a template: one form for every character, one space between words. Bidirectional
 * marks and control characters are kept. No template slot accepts them, so a text that hides behind them is not read.
 */
export function normaliseText(text: string): string {
  return normaliseForms(text).replace(zeroWidth, '').replace(whiteSpace, ' ').trim();
}

/**
 * Marks between two cells of a row, and at a line's end inside a cell that has text to its left. They are private-use
 * characters, which `htmlToText` removes from mails.
 */
export const cellBorder = '\uE000';
export const breakInCell = '\uE001';

/** The same text with the same length, without cell borders. */
export function withoutBorders(cells: string): string {
  return cells.replaceAll(cellBorder, ' ').replaceAll(breakInCell, '\n');
}

export function normaliseLines(text: string): string {
  return text
    .split('\n')
    .map(normaliseText)
    .map(line => (line.includes(cellBorder) || line.includes(breakInCell) ? tidyBorders(line) : line))
    .filter(line => line !== '')
    .join('\n');
}

/** Keeps only the border between two cells, and none at the end of a row. */
function tidyBorders(line: string): string {
  return line
    .replace(/[ \uE000\uE001]+/g, run => [cellBorder, breakInCell].find(sign => run.includes(sign)) ?? run)
    .replace(/^[\uE000\uE001]|[\uE000\uE001]$/g, '');
}

/** The widths at which mailers wrap plain text. The author ended any line that is shorter or longer. */
const narrowestWrap = 50;
const widestWrap = 80;

/**
 * The lines of a plain text as their author ended them. If the next word did not fit, a mailer wrapped the line, and
 * it is joined. A greeting always begins a line, even below a long one.
 */
export function unwrapLines(text: string, greets: (line: string) => boolean): string {
  let whole = '';
  let last = '';
  for (const line of text.split('\n').map(normaliseText)) {
    const [firstWord = ''] = line.split(' ', 1);
    const runsOn =
      last !== '' &&
      line !== '' &&
      // One word is never broken, however long.
      (last.length <= widestWrap || !last.includes(' ')) &&
      last.length + 1 + firstWord.length > narrowestWrap &&
      !greets(line);
    whole += (runsOn ? ' ' : '\n') + line;
    last = line;
  }
  return normaliseLines(whole);
}

/** Banks put these into numbers and words for line breaking; they are invisible and mean nothing. */
const zeroWidth = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;

/** `\s` includes NBSP and the line separators; NEL is white space in Unicode but not in JavaScript. */
const whiteSpace = /[\s\u0085]+/g;

/**
 * NFKC, except for characters that it would turn into ASCII digits (full-width, superscript, circled, mathematical …).
 * A payer who types `５００` must not become the author of `500`: amounts and references are ASCII digits from the bank.
 * Characters that stand for several letters are kept too, or a payer's text would be read as longer than it was typed.
 */
function normaliseForms(text: string): string {
  if (!beyondAscii.test(text)) return text;
  let out = '';
  let plain = '';
  for (const character of text) {
    if (character > '\x7f' && isKept(character)) {
      out += nfkc(plain) + character;
      plain = '';
    } else plain += character;
  }
  return out + nfkc(plain);
}

function isKept(character: string): boolean {
  const form = character.normalize('NFKC');
  return asciiDigit.test(form) || typedLength(form) > 1;
}

/** The fewest characters with which somebody can have typed a normalised text. Marks may belong to a letter. */
export function typedLength(text: string): number {
  return [...text.replace(encoded, '-').replace(ligatures, '-').replace(/\p{M}/gu, '')].length;
}

/** A payer's character as a bank may show it: an entity, percent signs, an escape, or its UTF-8 read as Latin-1. */
const encoded =
  /&(?:amp;)*#?\w{1,32};|%(?:25)*[\da-f]{2}(?:%(?:25)*[89ab][\da-f]){0,3}|\\{1,4}(?:u(?:d[89ab]..\\{1,4}u)?[\da-f]{4}|.)|[\xc2-\xf4](?:[^\0-\x7f]| \p{M}|TM|[ao]){1,3}/giu;

/** ₨, U+FB00 to U+FB06, №, ™, ℠, ‥, … and ‼, which banks use: saved entries have the letters of the normalised mail. */
const ligatures = /Rs|ff[il]?|f[il]|st|No|TM|SM|\.{2,3}|[!?]{2}/g;

const beyondAscii = /[^\x00-\x7f]/;
const asciiDigit = /[0-9]/;

/**
 * Converts printed rupees to paise by their digits, never through a float. Commas count only between digits, in any
 * grouping (`1,00,000`, `100,000` and `1,00000` all occur) with at least three digits after the last one. `500,37` may
 * mean paise, and so may the `05` of `Rs.05`. Three or more decimals are refused: `5.000` may be five rupees or five
 * thousand.
 */
export function parseAmount(text: string): Paise | null {
  const parts = amountShape.exec(text);
  if (parts === null || /,[0-9]{1,2}(?:[./]|$)|^0[0-9]+(?:\/|$)/.test(text)) return null;
  const rupees = (parts[1] ?? '').replaceAll(',', '');
  const decimals = (parts[2] ?? parts[3] ?? '').padEnd(2, '0');
  return paise(Number(rupees + decimals));
}

/** Twelve digits of rupees and two of paise stay far below the largest safe integer. */
const amountShape = /^(?:([0-9](?:,?[0-9]){0,11})(?:\.([0-9]{1,2}))?|\.([0-9]{1,2}))(?:\/-)?$/;

/** Every sum of money in a text, in order; null for an unreadable one. */
export function sumsIn(text: string): (Paise | null)[] {
  return [...text.matchAll(withSign), ...text.matchAll(bare)]
    .sort((one, other) => one.index - other.index)
    .map(([, sum]) => parseAmount(sum!.replace(/[.,]+$/, '')));
}

/** Rs. 500, INR 1,000.00, ₹5. */
const withSign = /(?:\bRs\.?|\bINR\.?|₹) ?([.,]?[0-9][0-9,.]{0,20})/gi;

/** A bare number with two decimals, unless it is a rate or a time of day. */
const bare =
  /(?<![\p{L}\p{N}.,]|\bRs\.? ?|\bINR\.? ?|₹ ?)([0-9][0-9,]{0,14}\.[0-9]{2})(?![\p{L}\p{N}]|[.,]\p{N}| ?%| ?[ap]\.?m\b| ?hrs\b)/giu;
