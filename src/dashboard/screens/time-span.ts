import { day, hour, minute, second } from '../../clock.ts';
import type { Texts } from '../../texts/languages.ts';

/** How long something took, as short as people say it: 850 ms, 3.2 s, 4 min, 5 h, 2 days. */
export function timeSpan(texts: Texts, milliseconds: number): string {
  const words = texts.shell.units;
  const whole = (unit: number) => String(Math.round(milliseconds / unit));
  if (milliseconds < second) return `${Math.round(milliseconds)} ${words.ms}`;
  if (milliseconds < 10 * second) return `${(milliseconds / second).toFixed(1)} ${words.s}`;
  if (milliseconds < 2 * minute) return `${whole(second)} ${words.s}`;
  if (milliseconds < 2 * hour) return `${whole(minute)} ${words.min}`;
  if (milliseconds < 2 * day) return `${whole(hour)} ${words.h}`;
  return `${whole(day)} ${words.d}`;
}
