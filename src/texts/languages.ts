import { texts as en } from './en/texts.ts';
import { texts as hi } from './hi/texts.ts';
import type { TextSet } from './texts.ts';

/** Every language that Milaan speaks, by its tag. A further one is its folder, and its line here and in `widgets.ts`. */
const sets = { en, hi } satisfies Record<string, TextSet>;
export type Language = keyof typeof sets;
export type Texts = TextSet & { readonly tag: Language };

export const languageTags = Object.keys(sets) as Language[];
export const languages: readonly Texts[] = languageTags.map(tag => ({ ...sets[tag], tag }));

export function textsIn(language: Language): Texts {
  return languages.find(({ tag }) => tag === language) ?? languages[0]!;
}
