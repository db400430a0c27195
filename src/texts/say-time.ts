/** `long` is for sentences, `full` for lists, `exact` has seconds. */
export type TimeForm = 'long' | 'full' | 'exact' | 'date';

/**
 * Formats a moment in Indian time: "15 November 2026, 4:05 pm" or "15 नवंबर 2026, शाम 4:05". With `now`, today's date
 * and the current year are left out.
 */
export function sayTime(language: string, at: Date, form: TimeForm = 'long', now?: Date): string {
  const write = (moment: Date, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${language}-IN`, { ...indian, ...parts }).format(moment);
  const same = (parts: Intl.DateTimeFormatOptions) =>
    now !== undefined && write(at, parts) === write(now, parts);
  const month = form === 'long' ? 'long' : listMonth(language);
  const day: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month,
    ...(!same({ year: 'numeric' }) && { year: 'numeric' }),
  };
  const isToday = same({ day: 'numeric', month: 'numeric', year: 'numeric' });
  const date = isToday ? today(language) : write(at, day);
  if (form === 'date') return date;
  return `${date}, ${sayClock(language, at, form === 'exact')}`;
}

/** The time alone: "4:05 pm" or "शाम 4:05". */
export function sayClock(language: string, at: Date, withSeconds = false): string {
  const parts = {
    ...indian,
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    ...(withSeconds && { second: '2-digit' }),
    // English uses am and pm; Indian languages name the part of the day.
    ...(language !== 'en' && { dayPeriod: 'short' }),
  };
  const format = new Intl.DateTimeFormat(`${language}-IN`, parts as Intl.DateTimeFormatOptions);
  const said = format.formatToParts(at);
  const period = said.find(({ type }) => type === 'dayPeriod')!.value;
  const hour = said
    .map(({ type, value }) => (type === 'dayPeriod' ? '' : value))
    .join('')
    .trim();
  // English puts it last. Indian languages put it first, whatever Intl returns.
  return language === 'en' ? `${hour} ${period}` : `${period} ${hour}`;
}

/** Formats a day (YYYY-MM-DD) or a month (YYYY-MM). It has no hour, so the time zone cannot change it. */
export function sayDay(language: string, day: string): string {
  const parts =
    day.length > 'YYYY-MM'.length ? { day: 'numeric', month: listMonth(language) } : { month: 'long' };
  const format = { ...indian, ...parts, year: 'numeric', timeZone: 'UTC' } as Intl.DateTimeFormatOptions;
  return new Intl.DateTimeFormat(`${language}-IN`, format).format(new Date(day));
}

const indian = { timeZone: 'Asia/Kolkata', numberingSystem: 'latn' } as const;

/** Only English has short month names in common use. */
function listMonth(language: string): 'short' | 'long' {
  return language === 'en' ? 'short' : 'long';
}

function today(language: string): string {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'day');
}
