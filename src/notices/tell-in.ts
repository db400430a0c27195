import { alertPhrases } from './phrases/alerts.ts';
import { deedPhrases } from './phrases/deeds.ts';
import { mailboxPhrases } from './phrases/mailboxes.ts';
import { newsPhrases } from './phrases/news.ts';
import type { Phrase } from './phrases/phrase.ts';
import { webhookPhrases } from './phrases/webhooks.ts';

export type Language = 'en' | 'hi';

/**
 * A stored reason or notice in a person's language. What is stored is English, whole sentences with facts in them:
 * verdicts, failures and notices are written by parts that know no reader. A sentence that no phrase covers is
 * quoted as it stands, such as a line that a bank's file of the operator's own adds; a test walks the sources, so
 * that none of ours is among them.
 */
export function tellIn(language: Language, text: string): string {
  return language === 'hi' ? (hindiFor(text) ?? text) : text;
}

/** Null when no phrase covers it. */
export function hindiFor(text: string): string | null {
  const whole = exact.get(text);
  if (whole !== undefined) return whole;
  for (const { fixed, slots, hindi } of patterns) {
    const facts = factsBetween(fixed, text);
    if (facts) return fill(hindi, new Map(slots.map((slot, at) => [slot, facts[at]!])));
  }
  return null;
}

const allPhrases: readonly Phrase[] = [
  ...alertPhrases,
  ...mailboxPhrases,
  ...webhookPhrases,
  ...deedPhrases,
  ...newsPhrases,
];
const slot = /\{(\d)\*?\}/g;
const exact = new Map(allPhrases.filter(([english]) => !english.includes('{')));
/** The wordiest first: the more of a sentence is fixed, the surer it is meant. */
const patterns = allPhrases
  .filter(([english]) => english.includes('{'))
  .map(([english, hindi]) => ({
    fixed: english.split(/\{\d\*?\}/),
    slots: [...english.matchAll(slot)].map(([, number]) => number!),
    hindi,
  }))
  .sort((a, b) => b.fixed.join('').length - a.fixed.join('').length);

/** What stands between the fixed parts; null where they do not fit. One walk over the text, however hostile it is. */
function factsBetween(fixed: readonly string[], text: string): string[] | null {
  const [first = '', ...others] = fixed;
  const last = others.pop() ?? '';
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return null;
  const facts: string[] = [];
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return null;
    facts.push(text.slice(from, at));
    from = at + part.length;
  }
  return [...facts, text.slice(from, end)];
}

function fill(hindi: string, facts: ReadonlyMap<string, string>): string {
  return hindi.replaceAll(slot, (place, number: string) => {
    const said = facts.get(number) ?? '';
    return place.endsWith('*}') ? (hindiFor(said) ?? said) : said;
  });
}
