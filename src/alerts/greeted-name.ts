/** "Dear SHREE FOOD PROCESSING, ": words that each begin with a capital, up to a comma or the end of the greeting. */
const word = '(?:[\\p{Lu}\\p{N}&(][^\\s,:;!]{0,40}|and|of|the)';
const greeting = new RegExp(
  `(?<=\\b(?:[Dd]ear|DEAR|[Hh]i|[Hh]ello|[Rr]espected) )${word}(?: ${word}){0,11}(?=,|!| ?$)`,
  'gu',
);

/** Not a name, or what a bank tells of a payment. */
const tells =
  /^(?:customer|sir|madam|account|card|member|user|valued|esteemed|merchant|client|patron|all)\b|\b(?:payments?|transactions?|txn|transfers?|credits?|amount|alerts?|money|was|has|is)\b/i;

/**
 * An announcement without the name of the customer it greets. A bank writes the holder's own name there, and a firm
 * may be called "Food Processing", "Initiatives" or "Bounce": no word of its name says anything about a payment.
 */
export function withoutGreetedName(announcement: string): string {
  return announcement.replace(greeting, name => (tells.test(name) ? name : 'Customer'));
}
