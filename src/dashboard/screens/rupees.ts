import { formatAmount } from '../../checkout/format-amount.ts';
import { paise } from '../../money.ts';

/** ₹12,34,567.89 */
export function rupees(value: number): string {
  return formatAmount(paise(value)).text;
}
