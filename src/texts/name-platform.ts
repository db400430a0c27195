/** What the service is called in each language: ours, until the operator names their own. */
export const productName = { en: 'Milaan', hi: 'मिलान' };

/**
 * The operator's own name for the service takes the place of ours in every language: `{service}` in a text. Said once
 * at the start, before a text is shown: texts are the one thing that belongs to the whole process.
 */
export function namePlatform(name: string): void {
  productName.en = name;
  productName.hi = name;
}
