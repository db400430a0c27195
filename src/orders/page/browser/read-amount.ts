import { mostRupees } from '../../../base/money.ts';

/** Reads typed amounts: digits of both scripts, grouping commas, a rupee sign. §8 bounds it. */
export function readAmount(typed: string): number | null {
  const plain = typed.replace(/[०-९]/g, digit => String(digit.charCodeAt(0) - 0x966)).replace(/[₹,\s]/g, '');
  const amount = Number(plain);
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) && amount <= mostRupees && Math.round(amount * 100) > 0
    ? amount
    : null;
}
