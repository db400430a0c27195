import { operatorTexts } from './en/operator-texts.ts';
import * as en from './en/texts.ts';
import * as hi from './hi/texts.ts';
import { type Language, languageTags } from './language-tags.ts';
import type { TextSet } from './texts.ts';

/** Every language that Milaan speaks. A further one is its folder, its line here and its tag in `language-tags.ts`. */
const sets: Readonly<Record<Language, TextSet>> = { en, hi };

export { type Language, languageTags };
/** The operator's screens are in English in every language. */
export type Texts = TextSet & typeof operatorTexts & { readonly tag: Language };

export const languages: readonly Texts[] = languageTags.map(tag => ({ ...operatorTexts, ...sets[tag], tag }));

export function textsIn(language: Language): Texts {
  return languages.find(({ tag }) => tag === language) ?? languages[0]!;
}
