import { operatorTexts } from './en/operator-texts.ts';
import * as en from './en/texts.ts';
import { fill, place, type Speech } from './fill.ts';
import * as hi from './hi/texts.ts';
import { type Language, languageTags } from './language-tags.ts';
import type { Mail, Plural, Said, TextSet } from './texts.ts';

/** To add a language, add its folder, a line here and its tag in `language-tags.ts`. */
const sets: Readonly<Record<Language, TextSet>> = { en, hi };

export { type Language, languageTags };
/** The operator's screens exist in English only. */
export type Texts = Said<typeof en & typeof operatorTexts> & { readonly tag: Language };

const templates = languageTags.map(tag => ({ ...operatorTexts, ...sets[tag], tag }));
export const languages = templates.map(texts => speak(texts, texts) as Texts);

export function textsIn(language: Language): Texts {
  return languages.find(({ tag }) => tag === language) ?? languages[0]!;
}

/** Templates for `say.ts`, which fills them with codes and facts from rows. */
export function templatesIn(language: Language): Speech & Pick<TextSet, 'news'> {
  return templates.find(({ tag }) => tag === language) ?? templates[0]!;
}

/** Turns each text with placeholders into a function; other texts stay as they are. */
function speak(speech: Speech, text: unknown): unknown {
  if (isPlural(text) || hasPlaces(text)) return (facts: unknown) => fill(speech, text, facts);
  if (typeof text !== 'object' || text === null) return text;
  if (isMail(text) && Object.values(text).some(hasPlaces))
    return (facts: unknown) => ({
      // A line break would start another mail header.
      subject: fill(speech, text.subject, facts).replaceAll(/\p{Cc}+/gu, ' '),
      text: fill(speech, text.text, facts),
    });
  const said = Array.isArray(text) ? [] : {};
  for (const [key, part] of Object.entries(text)) {
    // A getter, because the service gets its name after these texts are loaded.
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
