import { type Language, textsIn } from './languages.ts';
import { sayTime } from './say-time.ts';
import { type Fact, longestFact, type Reason, type ReasonCode } from './verdicts.ts';

/** Deeper than any reason of ours is nested; what is nested deeper still is left out. */
const deepestReason = 5;
export const longestSaid = 20_000;
const longestSubject = 400;

/**
 * A reason in the reader's language. It comes from a row, which another release or a forged archive may have written:
 * whatever it is made of, this neither throws nor takes long. A code that is not known is shown as it is.
 */
export function sayReason(language: Language, reason: Reason): string {
  return sayFact(language, reason, 0);
}

/** What all reasons of one code have in common, for a list to choose from. */
export function sayCode(language: Language, code: ReasonCode): string {
  return own(textsIn(language).reasons, code)?.replaceAll(place, '…') ?? cut(code, longestFact);
}

export type NoticeKind = keyof ReturnType<typeof textsIn>['news'];
export type Facts = Readonly<Record<string, Fact>>;

/** Null for a kind that this release has no words for. */
export function sayNotice(language: Language, notice: { kind: NoticeKind; facts: Facts }) {
  const words = own(textsIn(language).news, notice.kind);
  if (words === undefined) return null;
  return {
    subject: cut(fill(language, words.subject, notice.facts, 0), longestSubject),
    text: fill(language, words.text, notice.facts, 0),
  };
}

const place = /\{(\w+)\}/g;

/** Only texts of ours are templates: a fact that looks like one is quoted. */
function fill(language: Language, text: string, facts: unknown, depth: number): string {
  const filled = text.replaceAll(place, (_, name: string) =>
    sayFact(language, own(Object(facts) as Record<string, unknown>, name), depth),
  );
  return cut(filled, longestSaid);
}

function sayFact(language: Language, fact: unknown, depth: number): string {
  if (fact instanceof Date) return sayTime(language, fact);
  if (typeof fact === 'object' && fact !== null) {
    const { code, facts } = fact as { code?: unknown; facts?: unknown };
    const text = typeof code === 'string' ? own(textsIn(language).reasons, code) : '';
    if (text === undefined) return cut(String(code), longestFact);
    return depth < deepestReason ? fill(language, text, facts, depth + 1) : '…';
  }
  const said = cut(String(fact ?? ''), longestFact);
  const isInstant = instant.test(said) && !Number.isNaN(Date.parse(said));
  return isInstant ? sayTime(language, new Date(said)) : said;
}

/** Names such as `constructor` are in every object and belong to none. */
function own<Value>(texts: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** As JSON keeps a moment. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
