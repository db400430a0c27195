import type { Language } from './language-tags.ts';
import { productName } from './name-platform.ts';
import { sayTime } from './say-time.ts';
import type { Plural } from './texts.ts';
import { longestFact } from './verdicts.ts';

/** Includes the reasons, because a fact may itself be a reason. */
export type Speech = { readonly tag: Language; readonly reasons: Readonly<Record<string, string | Plural>> };

/** Bounds nested reasons from forged rows; deeper ones are left out. */
const deepestReason = 5;
export const longestSaid = 20_000;

export const place = /\{(\w+)\}/g;

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
