import { hour, later, minute, second } from '../clock.ts';

const pauses = [2 * second, 10 * second, 30 * second, 2 * minute, 5 * minute, 10 * minute, 30 * minute];
const laterPauses = 1 * hour;

/** A key that DNS does not give within a day will not come. */
const keepTrying = 24 * hour;

/** When a passing fault is looked at again, after the `tries`-th try; null once a day has passed. */
export function nextTryAt(arrivedAt: Date, tries: number, now: Date): Date | null {
  const end = later(arrivedAt, keepTrying);
  const next = later(now, pauses[tries - 1] ?? laterPauses);
  if (next <= end) return next;
  // The last try falls on the day's end and not a whole pause before it.
  return now < end ? end : null;
}

/** A wrong key in DNS lasts seconds, or as long as a resolver keeps it. Few looks: a forgery gets them as well. */
const looks = [1 * minute, 10 * minute, 1 * hour, 6 * hour, 24 * hour];

/** When a key that does not fit is asked for again, counted from the first time; null after the last look. */
export function nextLookAt(doubtedAt: Date, now: Date): Date | null {
  return looks.map(pause => later(doubtedAt, pause)).find(moment => moment > now) ?? null;
}
