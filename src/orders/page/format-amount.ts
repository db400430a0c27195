import { type Paise, paise } from '../../base/money.ts';
import { rupeesText } from './browser/rupees-text.ts';

/** An amount for people: `rupees` with Indian grouping, `paise` with two digits, `text` with both and the sign. */
export type ShownAmount = { rupees: string; paise: string; text: string };

export function formatAmount(value: Paise): ShownAmount {
  const text = rupeesText(value / 100);
  return { rupees: text.slice(1, -3), paise: text.slice(-2), text };
}

type Asked = { amount_paise: Paise; payable_paise: Paise };

/** Why the amount is not simply the price: what was added to it (R6). */
export function addedTo({ amount_paise, payable_paise }: Asked): { price: string; added: string } {
  const added = formatAmount(paise(payable_paise - amount_paise)).text;
  return { price: formatAmount(amount_paise).text, added };
}
