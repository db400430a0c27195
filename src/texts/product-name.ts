/** What the service is called in each language: ours, until the operator names their own. */
export const productName = { en: 'Milaan', hi: 'मिलान' };
