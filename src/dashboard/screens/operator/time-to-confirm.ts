import type { Texts } from '../../../texts/languages.ts';
import type { AlertTiming } from '../../queries/operator.ts';
import { timeSpan } from '../time-span.ts';

/** How long customers wait for their payment to be seen, in a sentence. */
export function timeToConfirm(texts: Texts, { counted, median_ms, p95_ms }: AlertTiming): string {
  const words = texts.operator;
  if (median_ms === null || p95_ms === null) return words.noTiming;
  return words.timingText(timeSpan(texts, median_ms), timeSpan(texts, p95_ms), counted);
}
