declare const paiseBrand: unique symbol;

/** A whole, non-negative number of paise. The service uses no other form of money (R9). */
export type Paise = number & { readonly [paiseBrand]: true };

/** Marks a number as paise. Anything else is a bug of ours and throws. */
export function paise(value: number): Paise {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`not a whole number of paise: ${value}`);
  return value as Paise;
}

/** §4.1: the largest amount of an order. */
export const mostRupees = 1_000_000;
export const mostPaise = mostRupees * 100;

/** R6: the payable amount is at most this many paise above the order's amount. */
export const mostOffset = 299;
/** R6: a larger offset is used only if every smaller one is taken. */
export const mostUsualOffset = 99;

/** §4.1: amount*100, rounded to the nearest integer. Do not change this expression: 1.005 must give 100 paise. */
export function paiseFromRupees(rupees: number): Paise {
  return paise(Math.round(rupees * 100));
}

/** Reads `1,499.37`, `₹1499.37` or `1499`; null for anything else. */
export function paiseFromText(text: string): Paise | null {
  const [, rupees, paisa = ''] = /^₹?\s?(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.replace(/,/g, '')) ?? [];
  return rupees === undefined ? null : paise(Number(rupees) * 100 + Number(paisa.padEnd(2, '0')));
}

/** For JSON: the number of rupees nearest to a whole number of paise. */
export function rupees(value: Paise): number {
  return value / 100;
}

/** Always two decimals and no grouping, for UPI links and copy buttons. */
export function rupeesText(value: Paise): string {
  return `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
}
