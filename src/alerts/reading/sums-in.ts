import type { Paise } from '../../base/money.ts';
import { parseAmount } from './parse-amount.ts';

/** Every sum of money that a text names, in its order; null for one that nobody can read. */
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
