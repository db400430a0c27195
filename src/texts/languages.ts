import { texts as en } from './en/texts.ts';
import { texts as hi } from './hi/texts.ts';
import type { Texts } from './texts.ts';

/** Every language that Milaan speaks, by its tag. A further one is its folder and its line here. */
const languages = { en, hi } satisfies Record<string, Texts>;
export type Language = keyof typeof languages;
export const languageTags = Object.keys(languages) as Language[];

export function textsIn(language: Language): Texts {
  return languages[language];
}
