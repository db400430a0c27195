import { cut, fill, type Language, longestSaid, own, place, sayFact, templatesIn } from './languages.ts';
import { type Fact, longestFact, type Reason, type ReasonCode } from './verdicts.ts';

export { longestSaid };

const longestSubject = 400;

/** The row may come from another release or a forged archive, so this must neither throw nor take long. */
export function sayReason(language: Language, reason: Reason): string {
  return sayFact(templatesIn(language), reason);
}

/** The text of a code without facts, for a list of choices. */
export function sayCode(language: Language, code: ReasonCode): string {
  const text = own(templatesIn(language).reasons, code);
  if (text === undefined) return cut(code, longestFact);
  return (typeof text === 'string' ? text : text.other).replaceAll(place, '…');
}

export type NoticeKind = keyof ReturnType<typeof templatesIn>['news'];
export type Facts = Readonly<Record<string, Fact>>;

/** Returns null if this release has no words for the kind. */
export function sayNotice(language: Language, notice: { kind: NoticeKind; facts: Facts }) {
  const speech = templatesIn(language);
  const words = own(speech.news, notice.kind);
  if (words === undefined) return null;
  return {
    subject: cut(fill(speech, words.subject, notice.facts), longestSubject),
    text: fill(speech, words.text, notice.facts),
  };
}
