/** The data of each business in the model. */

/**
 * All that a business has to offer here, the last one only as a wide offset, and whole rupees never; every other amount
 * is held for good. One of them is what another order may be created with.
 */
export const openAmounts = [500_20, 500_70, 500_81, 500_86, 501_00, 502_10];
export const baseAmounts = [500_00, 500_30, 500_70];
export const payableRange = { first: Math.min(...baseAmounts) + 1, last: Math.max(...baseAmounts) + 299 };
/** The digits of each business's accounts; the first is the default one. */
export const accountDigits = ['4321', '8765'];
export const merchantCount = 2;
/** The month's limit of a business on the small plan: one payment reaches it. */
export const smallLimit = 500_00;
