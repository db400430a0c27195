import type { Texts } from '../texts/texts.ts';

/** The words of one screen, side by side: a sentence cannot be forgotten in one of the languages. */
export type BothLanguages<Words> = { en: Words; hi: Words };

export function inLanguage<Words>({ tag }: Pick<Texts, 'tag'>, both: BothLanguages<Words>): Words {
  return both[tag];
}
