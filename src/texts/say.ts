import { type Language, textsIn } from './languages.ts';
import { sayTime } from './say-time.ts';
import type { Fact, Reason, ReasonCode } from './verdicts.ts';

/** A reason as its reader wants it: in their language. A code of a release that is gone is shown as it stands. */
export function sayReason(language: Language, { code, facts }: Reason): string {
  return fill(language, textsIn(language).reasons[code] ?? code, facts);
}

/** What all reasons of one code have in common, for a list to choose from. */
export function sayCode(language: Language, code: ReasonCode): string {
  return (textsIn(language).reasons[code] ?? code).replaceAll(place, '…');
}

export type NoticeKind = keyof ReturnType<typeof textsIn>['news'];
export type Facts = Readonly<Record<string, Fact>>;

export function sayNotice(language: Language, notice: { kind: NoticeKind; facts: Facts }) {
  const { subject, text } = textsIn(language).news[notice.kind];
  return {
    subject: [...fill(language, subject, notice.facts)].slice(0, longestSubject).join(''),
    text: fill(language, text, notice.facts),
  };
}

const longestSubject = 400;
const place = /\{(\w+)\}/g;

function fill(language: Language, text: string, facts: Facts): string {
  return text.replaceAll(place, (_, name: string) => sayFact(language, facts[name] ?? ''));
}

function sayFact(language: Language, fact: Fact): string {
  if (fact instanceof Date) return sayTime(language, fact);
  if (typeof fact === 'object') return sayReason(language, fact);
  const isInstant = typeof fact === 'string' && instant.test(fact);
  return isInstant ? sayTime(language, new Date(fact)) : String(fact);
}

/** As JSON keeps a moment. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
