const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dateTime =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), ?)?(\d{1,2}) ([A-Za-z]{3}) (\d{4}) (\d{2}):(\d{2})(?::(\d{2}))? ([+-]\d{4}|GMT|UTC|UT)(?: \([A-Za-z0-9 :+-]{0,40}\))?$/i;

/** Reads only an RFC 5322 date; `Date.parse` would guess at other forms. */
export function parseMailDate(value: string): Date | null {
  const found = dateTime.exec(value.replace(/[ \t]+/g, ' ').trim());
  if (!found) return null;
  const [, day, monthName, year, hour, minute, second = '0', zone] = found as unknown as string[];
  const month = months.indexOf(monthName!.toLowerCase());
  const offset = offsetMinutes(zone!);
  if (month < 0 || offset === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return null;

  const midnight = new Date(Date.UTC(Number(year), month, Number(day)));
  // 31 February and similar dates roll over into another month.
  if (midnight.getUTCMonth() !== month || midnight.getUTCDate() !== Number(day) || Number(year) < 2000)
    return null;
  const seconds = (Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second);
  return new Date(midnight.getTime() + seconds * 1000);
}

function offsetMinutes(zone: string): number | null {
  if (!/\d/.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3));
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
