import { operatorTexts } from './en/operator-texts.ts';
import * as en from './en/texts.ts';
import * as hi from './hi/texts.ts';
import { type Language, languageTags } from './language-tags.ts';
import { productName } from './name-platform.ts';
import { sayTime } from './say-time.ts';
import type { Mail, Plural, Said, TextSet } from './texts.ts';
import { longestFact } from './verdicts.ts';

/** To add a language, add its folder, a line here and its tag in `language-tags.ts`. */
const sets: Readonly<Record<Language, TextSet>> = { en, hi };

export { type Language, languageTags };
/** The operator's screens exist in English only. */
export type Texts = Said<typeof en & typeof operatorTexts> & { readonly tag: Language };

export const place = /\{(\w+)\}/g;
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

/** Includes the reasons, because a fact may itself be a reason. */
type Speech = { readonly tag: Language; readonly reasons: Readonly<Record<string, string | Plural>> };

/** Bounds nested reasons from forged rows; deeper ones are left out. */
const deepestReason = 5;
export const longestSaid = 20_000;

/** Fills our own templates only: braces inside a fact are not replaced. */
export function fill(speech: Speech, text: string | Plural, facts: unknown, depth = 0): string {
  const given = Object(facts) as Record<string, unknown>;
  const filled = pickForm(speech.tag, text, given['count']).replaceAll(place, (_, name: string) =>
    name === 'service' ? productName[speech.tag] : sayFact(speech, own(given, name), depth),
  );
  return cut(filled, longestSaid);
}

function pickForm(tag: Language, text: string | Plural, count: unknown): string {
  if (typeof text === 'string') return text;
  const zero = count === 0 ? text.zero : undefined;
  return zero ?? text[plurals[tag].select(Number(count))] ?? text.other;
}

const plurals = { en: new Intl.PluralRules('en'), hi: new Intl.PluralRules('hi') };
const numbers = new Intl.NumberFormat('en-IN');

export function sayFact(speech: Speech, fact: unknown, depth = 0): string {
  if (fact instanceof Date) return sayTime(speech.tag, fact);
  if (typeof fact === 'number') return numbers.format(fact);
  if (typeof fact === 'object' && fact !== null) {
    const { code, facts } = fact as { code?: unknown; facts?: unknown };
    const text = typeof code === 'string' ? own(speech.reasons, code) : '';
    if (text === undefined) return cut(String(code), longestFact);
    return depth < deepestReason ? fill(speech, text, facts, depth + 1) : '…';
  }
  const said = cut(String(fact ?? ''), longestFact);
  const isInstant = instant.test(said) && !Number.isNaN(Date.parse(said));
  return isInstant ? sayTime(speech.tag, new Date(said)) : said;
}

/** Skips inherited names such as `constructor`. */
export function own<Value>(texts: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** A date in JSON. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
