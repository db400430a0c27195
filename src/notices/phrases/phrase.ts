/**
 * A sentence as it is stored, in English, and the same in Hindi. `{1}` stands for a fact (a domain, an amount, a
 * server's own words) and is taken over; `{1*}` for a sentence that is itself told in Hindi.
 */
export type Phrase = readonly [english: string, hindi: string];
