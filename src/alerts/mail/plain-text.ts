import { nfkc } from '../../base/nfkc.ts';

/**
 * Makes the text of a mail comparable with a template: one form for every character, one space between words.
 * Bidirectional marks and control characters are kept: no slot of a template accepts them, so a text
 * that hides behind them is not read.
 */
export function normaliseText(text: string): string {
  return normaliseForms(text).replace(zeroWidth, '').replace(whiteSpace, ' ').trim();
}

/**
 * Between two cells of a row, and where a line ends inside a cell that has text to its left. Characters for private use,
 * which no mail brings along: `htmlToText` takes them out.
 */
export const cellBorder = '\uE000';
export const breakInCell = '\uE001';

/** The same text, of the same length, for whoever does not ask where its cells end. */
export function withoutBorders(cells: string): string {
  return cells.replaceAll(cellBorder, ' ').replaceAll(breakInCell, '\n');
}

/** The same for a text of several lines, which stay apart; lines with nothing on them go. */
export function normaliseLines(text: string): string {
  return text
    .split('\n')
    .map(normaliseText)
    .map(line => (line.includes(cellBorder) || line.includes(breakInCell) ? tidyBorders(line) : line))
    .filter(line => line !== '')
    .join('\n');
}

/** Nothing but the border stands between two cells, and none at the end of a row. */
function tidyBorders(line: string): string {
  return line
    .replace(/[ \uE000\uE001]+/g, run => [cellBorder, breakInCell].find(mark => run.includes(mark)) ?? run)
    .replace(/^[\uE000\uE001]|[\uE000\uE001]$/g, '');
}

/** Widths at which mailers wrap plain text. A shorter line was ended by its author, and so was a longer one. */
const narrowestWrap = 50;
const widestWrap = 80;

/**
 * The lines of a plain text as their author ended them: where the next word would not have fitted, a mailer wrapped
 * the line, and it runs on. A greeting always begins a line, however long the one above it was.
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

/** What banks put into numbers and words for line breaking; it is invisible and carries no meaning. */
const zeroWidth = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;

/** `\s` knows NBSP and the line separators; NEL is white space to Unicode but not to JavaScript. */
const whiteSpace = /[\s\u0085]+/g;

/**
 * NFKC, except for characters that it would turn into ASCII digits (full-width, superscript, circled,
 * mathematical …). Amounts and references are ASCII digits that the bank wrote; a payer who types `５００`
 * must not become the author of `500`.
 */
function normaliseForms(text: string): string {
  if (!beyondAscii.test(text)) return text;
  let out = '';
  let plain = '';
  for (const character of text) {
    if (character > '\x7f' && asciiDigit.test(character.normalize('NFKC'))) {
      out += nfkc(plain) + character;
      plain = '';
    } else plain += character;
  }
  return out + nfkc(plain);
}

const beyondAscii = /[^\x00-\x7f]/;
const asciiDigit = /[0-9]/;
