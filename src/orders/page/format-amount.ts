import type { Paise } from '../../base/money.ts';

/** An amount for people: `rupees` with Indian grouping, `paise` always two digits, `text` both with the sign. */
export type ShownAmount = { rupees: string; paise: string; text: string };

export function formatAmount(value: Paise): ShownAmount {
  const rupees = groupIndian(String(Math.floor(value / 100)));
  const paise = String(value % 100).padStart(2, '0');
  return { rupees, paise, text: `₹${rupees}.${paise}` };
}

/** 1234567 → 12,34,567: the last three digits, then pairs. */
function groupIndian(digits: string): string {
  const head = digits.slice(0, -3);
  return head === '' ? digits : `${head.replace(/\B(?=(?:\d\d)+$)/g, ',')},${digits.slice(-3)}`;
}
