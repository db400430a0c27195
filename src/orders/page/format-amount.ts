import { type Paise, paise } from '../../base/money.ts';

/** An amount for people: `rupees` with Indian grouping, `paise` with two digits, `text` with both and the sign. */
export type ShownAmount = { rupees: string; paise: string; text: string };

export function formatAmount(value: Paise): ShownAmount {
  const rupees = groupIndian(String(Math.floor(value / 100)));
  const paise = String(value % 100).padStart(2, '0');
  return { rupees, paise, text: `₹${rupees}.${paise}` };
}

type Asked = { amount_paise: Paise; payable_paise: Paise };

/** Why the amount is not simply the price: what was added to it (R6). */
export function addedTo({ amount_paise, payable_paise }: Asked): { price: string; added: string } {
  const added = formatAmount(paise(payable_paise - amount_paise)).text;
  return { price: formatAmount(amount_paise).text, added };
}

/** 1234567 → 12,34,567: the last three digits, then pairs. */
function groupIndian(digits: string): string {
  const head = digits.slice(0, -3);
  return head === '' ? digits : `${head.replace(/\B(?=(?:\d\d)+$)/g, ',')},${digits.slice(-3)}`;
}
