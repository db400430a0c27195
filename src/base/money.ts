declare const paiseBrand: unique symbol;

/** A whole, non-negative number of paise. The only form of money inside the service (R9). */
export type Paise = number & { readonly [paiseBrand]: true };

/** Marks a number as paise; anything but a whole, safe, non-negative number is a bug of ours. */
export function paise(value: number): Paise {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`not a whole number of paise: ${value}`);
  return value as Paise;
}

/** §4.1: the largest amount of an order. */
export const mostRupees = 1_000_000;
export const mostPaise = mostRupees * 100;

/** R6: what a customer is asked to pay lies at most so many paise above the amount of the order. */
export const mostOffset = 299;
/** R6: above it only where every amount up to it is held. */
export const mostUsualOffset = 99;

/** §4.1: amount*100, rounded to the nearest integer. Exactly this expression: 1.005 gives 100 paise. */
export function paiseFromRupees(rupees: number): Paise {
  return paise(Math.round(rupees * 100));
}

/** `1,499.37`, `₹1499.37` or `1499`: rupees as people write them; null for anything else. */
export function paiseFromText(text: string): Paise | null {
  const [, rupees, paisa = ''] = /^₹?\s?(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.replace(/,/g, '')) ?? [];
  return rupees === undefined ? null : paise(Number(rupees) * 100 + Number(paisa.padEnd(2, '0')));
}

/** The JSON edge: the plain number of rupees nearest to a whole number of paise. */
export function rupees(value: Paise): number {
  return value / 100;
}

/** Always two decimals, no grouping: what a UPI link and a copy button carry. */
export function rupeesText(value: Paise): string {
  return `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
}
