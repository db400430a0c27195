/** Longer than a page of an app's text; the rest is ignored. */
const longestPaste = 4_000;

/**
 * Finds the 12-digit UPI reference (UTR, RRN) in text that a customer typed or pasted. Returns null if there is none,
 * or several without a label. The number must not be part of a longer one, a UPI ID, an amount or a telephone number.
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

/** The number may touch its label, but no other letter or digit. */
const before = String.raw`(?:(?<![\p{L}\d@+]|\d[.,])|(?<=\b(?:UTR|RRN|no|id)))`;
const after = String.raw`(?![\p{L}\d@]|[.,]\d)`;
const solidNumber = new RegExp(`${before}\\d{12}${after}`, 'giu');
/** Apps may print three groups of four; a fourth group means another number. */
const groupedNumber = new RegExp(
  `${before}(?<!\\d{4}[ -])\\d{4}([ -])\\d{4}\\1\\d{4}${after}(?![ -]\\d{4}(?!\\d))`,
  'giu',
);

/** The labels that apps print before the number: "UPI Ref. No.", "UTR:", "UPI transaction ID", "RRN". */
const label = /(?:UTR|RRN|ref(?:erence)?|transaction|txn)[\s.:#-]*(?:(?:no|num(?:ber)?|id)[\s.:#-]*)?$/i;
const longestLabel = 40;

/** Converts digits of Indian scripts. Each script's zero is 128 code points after the previous script's. */
export function westernDigits(text: string): string {
  return text.replace(/[०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g, digit =>
    String((digit.charCodeAt(0) - devanagariZero) % 128),
  );
}
const devanagariZero = 0x966;
