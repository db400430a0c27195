import { formatAmount } from '../../checkout/format-amount.ts';
import { paise } from '../../money.ts';

/** ₹12,34,567.89 */
export function rupees(value: number): string {
  return formatAmount(paise(value)).text;
}

/** ₹12,34,567: for a scale, whose lines are whole rupees. */
export function roundRupees(value: number): string {
  return `₹${formatAmount(paise(Math.round(value))).rupees}`;
}
