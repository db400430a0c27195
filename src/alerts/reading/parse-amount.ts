import { type Paise, paise } from '../../base/money.ts';

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
  return [...text.matchAll(marked), ...text.matchAll(unmarked)]
    .sort((one, other) => one.index - other.index)
    .map(([, sum]) => parseAmount(sum!.replace(/[.,]+$/, '')));
}

/** Rs. 500, INR 1,000.00, ₹5. */
const marked = /(?:\bRs\.?|\bINR\.?|₹) ?([.,]?[0-9][0-9,.]{0,20})/gi;

/** A bare number with two decimals, unless it is a rate or a time of day. */
const unmarked =
  /(?<![\p{L}\p{N}.,]|\bRs\.? ?|\bINR\.? ?|₹ ?)([0-9][0-9,]{0,14}\.[0-9]{2})(?![\p{L}\p{N}]|[.,]\p{N}| ?%| ?[ap]\.?m\b| ?hrs\b)/giu;
