/** A whole page of an app's text is shorter. What stands beyond it is not looked at. */
const longestPaste = 4_000;

/**
 * The 12-digit UPI reference (UTR, RRN) in what a customer typed or pasted from an app, or null where there is none or
 * several and nothing tells which. What is found must be a number of its own: no part of a longer one, of a UPI ID, of
 * an amount or of a telephone number.
 */
export function readReference(text: string): string | null {
  const plain = westernDigits(
    text
      .slice(0, longestPaste)
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, ''),
  );
  const alone = plain.replace(/[\s-]/g, '');
  if (/^\d{12}$/.test(alone)) return alone;
  const solid = [...plain.matchAll(solidNumber)];
  const found = solid.length > 0 ? solid : [...plain.matchAll(groupedNumber)];
  const named = found.filter(({ index }) =>
    label.test(plain.slice(Math.max(0, index - longestLabel), index)),
  );
  const numbers = new Set((named.length > 0 ? named : found).map(([number]) => number.replace(/\D/g, '')));
  const [only] = numbers;
  return numbers.size === 1 ? only! : null;
}

/** Glued to its label a number may be, to any other letter or digit not. */
const before = String.raw`(?:(?<![\p{L}\d@+]|\d[.,])|(?<=\b(?:UTR|RRN|no|id)))`;
const after = String.raw`(?![\p{L}\d@]|[.,]\d)`;
const solidNumber = new RegExp(`${before}\\d{12}${after}`, 'giu');
/** As apps print it for reading: three groups of four, and no fourth one. */
const groupedNumber = new RegExp(
  `${before}(?<!\\d{4}[ -])\\d{4}([ -])\\d{4}\\1\\d{4}${after}(?![ -]\\d{4}(?!\\d))`,
  'giu',
);

/** What an app writes right before its number: "UPI Ref. No.", "UTR:", "UPI transaction ID", "RRN". */
const label = /(?:UTR|RRN|ref(?:erence)?|transaction|txn)[\s.:#-]*(?:(?:no|num(?:ber)?|id)[\s.:#-]*)?$/i;
const longestLabel = 40;

/** Digits of the scripts of India, each of which has its zero 128 places after that of the one before. */
export function westernDigits(text: string): string {
  return text.replace(/[०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g, digit =>
    String((digit.charCodeAt(0) - devanagariZero) % 128),
  );
}
const devanagariZero = 0x966;
