import { operatorTexts } from './en/operator-texts.ts';
import * as en from './en/texts.ts';
import { fill, place, type Speech } from './fill.ts';
import * as hi from './hi/texts.ts';
import { type Language, languageTags } from './language-tags.ts';
import type { Mail, Plural, Said, TextSet } from './texts.ts';

/** Every language that Milaan speaks. A further one is its folder, its line here and its tag in `language-tags.ts`. */
const sets: Readonly<Record<Language, TextSet>> = { en, hi };

export { type Language, languageTags };
/** The operator's screens are in English in every language. */
export type Texts = Said<typeof en & typeof operatorTexts> & { readonly tag: Language };

const templates = languageTags.map(tag => ({ ...operatorTexts, ...sets[tag], tag }));
export const languages = templates.map(texts => speak(texts, texts) as Texts);

export function textsIn(language: Language): Texts {
  return languages.find(({ tag }) => tag === language) ?? languages[0]!;
}

/** Reasons and notices as their language writes them, for `say.ts`: their codes and facts come from rows. */
export function templatesIn(language: Language): Speech & Pick<TextSet, 'news'> {
  return templates.find(({ tag }) => tag === language) ?? templates[0]!;
}

/** Each text that names facts becomes a function of them; all others stay what they are. */
function speak(speech: Speech, text: unknown): unknown {
  if (isPlural(text) || hasPlaces(text)) return (facts: unknown) => fill(speech, text, facts);
  if (typeof text !== 'object' || text === null) return text;
  if (isMail(text) && Object.values(text).some(hasPlaces))
    return (facts: unknown) => ({
      // A line break would begin another header.
      subject: fill(speech, text.subject, facts).replaceAll(/\p{Cc}+/gu, ' '),
      text: fill(speech, text.text, facts),
    });
  const said = Array.isArray(text) ? [] : {};
  for (const [key, part] of Object.entries(text)) {
    // The service gets its name after these texts were loaded.
    const isNamed = typeof part === 'string' && part.includes('{service}') && !hasPlaces(part);
    const value = isNamed ? { get: () => fill(speech, part, {}) } : { value: speak(speech, part) };
    Object.defineProperty(said, key, { enumerable: true, ...value });
  }
  return said;
}

function hasPlaces(text: unknown): text is string {
  return typeof text === 'string' && text.replaceAll('{service}', '').search(place) >= 0;
}

function isPlural(text: unknown): text is Plural {
  return (
    hasOnly(text, ['zero', 'one', 'two', 'few', 'many', 'other']) && Object.hasOwn(Object(text), 'other')
  );
}

function isMail(text: unknown): text is Mail {
  return hasOnly(text, ['subject', 'text']) && Object.hasOwn(Object(text), 'subject');
}

function hasOnly(text: unknown, names: readonly string[]): boolean {
  return typeof text === 'object' && text !== null && Object.keys(text).every(name => names.includes(name));
}
