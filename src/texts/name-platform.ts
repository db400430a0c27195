/** The service's name in each language, unless the operator sets one. */
export const productName = { en: 'Milaan', hi: 'मिलान' };

/**
 * Replaces `{service}` in every language by the operator's name. Call it once at the start, because texts are global to
 * the process.
 */
export function namePlatform(name: string): void {
  productName.en = name;
  productName.hi = name;
}
