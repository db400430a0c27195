import { cut, fill, longestSaid, own, place, sayFact } from './fill.ts';
import { type Language, templatesIn } from './languages.ts';
import { type Fact, longestFact, type Reason, type ReasonCode } from './verdicts.ts';

export { longestSaid };

const longestSubject = 400;

/**
 * A reason in the reader's language. It comes from a row, which another release or a forged archive may have written:
 * whatever it is made of, this neither throws nor takes long. A code that is not known is shown as it is.
 */
export function sayReason(language: Language, reason: Reason): string {
  return sayFact(templatesIn(language), reason);
}

/** What all reasons of one code have in common, for a list to choose from. */
export function sayCode(language: Language, code: ReasonCode): string {
  const text = own(templatesIn(language).reasons, code);
  if (text === undefined) return cut(code, longestFact);
  return (typeof text === 'string' ? text : text.other).replaceAll(place, '…');
}

export type NoticeKind = keyof ReturnType<typeof templatesIn>['news'];
export type Facts = Readonly<Record<string, Fact>>;

/** Null for a kind that this release has no words for. */
export function sayNotice(language: Language, notice: { kind: NoticeKind; facts: Facts }) {
  const speech = templatesIn(language);
  const words = own(speech.news, notice.kind);
  if (words === undefined) return null;
  return {
    subject: cut(fill(speech, words.subject, notice.facts), longestSubject),
    text: fill(speech, words.text, notice.facts),
  };
}
