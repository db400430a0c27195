import { day, hour, indiaAhead, indianDay, later } from '../../base/clock.ts';

export { indianDay } from '../../base/clock.ts';

/** A time span; its end is excluded. */
export type Span = { from: Date; to: Date };

export function readDay(text: string): string | null {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== text ? null : text;
}

/** The first moment of a day YYYY-MM-DD in India. */
export function startOfDay(name: string): Date {
  return later(new Date(name), -indiaAhead);
}

export function addDays(name: string, count: number): string {
  return later(new Date(name), count * day)
    .toISOString()
    .slice(0, 10);
}

export function addMonths(name: string, count: number): string {
  const [year, month] = [Number(name.slice(0, 4)), Number(name.slice(5, 7))];
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): Span {
  return { from: startOfDay(from), to: startOfDay(to) };
}

/** The first moment after `now` at which India's clock shows this hour. */
export function nextHour(now: Date, wanted: number): Date {
  const today = later(startOfDay(indianDay(now)), wanted * hour);
  return today > now ? today : later(today, day);
}
