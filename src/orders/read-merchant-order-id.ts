import { codePoints, isStorable } from '../base/http/text.ts';

/** §8: counted after trimming, in code points. */
export const longestMerchantOrderId = 120;

export const tooLongId = `merchant_order_id is longer than ${longestMerchantOrderId} characters`;

export type ReadId = { readonly value: string } | { readonly problem: string };

/** The merchant's own id as an order carries it; create, list and the Orders screen read it alike. */
export function readMerchantOrderId(given: unknown): ReadId {
  if (typeof given !== 'string') return { problem: 'merchant_order_id must be a string' };
  const value = given.trim();
  // White space by Unicode: `trim` leaves U+0085.
  if (/^\p{White_Space}*$/u.test(value)) return { problem: 'merchant_order_id must not be empty' };
  if (codePoints(value) > longestMerchantOrderId) return { problem: tooLongId };
  if (!isStorable(value)) return { problem: 'merchant_order_id holds characters that cannot be stored' };
  return { value };
}
