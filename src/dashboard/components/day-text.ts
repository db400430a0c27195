import type { Language } from '../../texts/languages.ts';

const shapes = {
  /** Sun, 15 Nov */
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  /** 15 Nov */
  short: { day: 'numeric', month: 'short' },
  /** Sunday, 15 November */
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  shortMonth: { month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A day of India as people write it where the year is plain: a moment, `yyyy-mm-dd` or `yyyy-mm`. */
export function dayText(language: Language, at: Date | string, shape: keyof typeof shapes): string {
  const format = new Intl.DateTimeFormat(`${language}-IN`, {
    ...shapes[shape],
    // Only English has short names of months that people write.
    ...('month' in shapes[shape] && language !== 'en' && { month: 'long' }),
    timeZone: typeof at === 'string' ? 'UTC' : 'Asia/Kolkata',
    numberingSystem: 'latn',
  });
  return format.format(typeof at === 'string' ? new Date(at) : at);
}
