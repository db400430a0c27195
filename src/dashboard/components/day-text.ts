import type { Language } from '../../texts/languages.ts';

const shapes = {
  /** Sun, 15 Nov */
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  /** 15 Nov */
  short: { day: 'numeric', month: 'short' },
  /** Sunday, 15 November */
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A day as people write it. `day` is `yyyy-mm-dd` or `yyyy-mm` in India, or a moment. */
export function dayText(language: Language, at: Date | string, shape: keyof typeof shapes): string {
  const format = new Intl.DateTimeFormat(`${language}-IN`, {
    ...shapes[shape],
    timeZone: typeof at === 'string' ? 'UTC' : 'Asia/Kolkata',
    numberingSystem: 'latn',
  });
  return format.format(typeof at === 'string' ? new Date(at) : at);
}
