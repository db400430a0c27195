/**
 * Makes the text of a mail comparable with a template: one form for every character, one space between words.
 * Bidirectional marks and control characters are kept: no slot of a template accepts them, so a text
 * that hides behind them is not read.
 */
export function normaliseText(text: string): string {
  return normaliseForms(text).replace(zeroWidth, '').replace(whiteSpace, ' ').trim();
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
      out += plain.normalize('NFKC') + character;
      plain = '';
    } else plain += character;
  }
  return out + plain.normalize('NFKC');
}

const beyondAscii = /[^\x00-\x7f]/;
const asciiDigit = /[0-9]/;
