import { day, hour, later, minute } from '../../base/clock.ts';

/** India has one clock, and it is never set: its days are all of one length. */
const offset = 5 * hour + 30 * minute;
/** From here on the day itself is told, and before it the one that ended. */
const noon = 12;

/** The first moment after `now` at which India's clock shows this hour. */
export function nextHour(now: Date, wanted: number): Date {
  const today = later(startOfDay(now), wanted * hour);
  return today > now ? today : later(today, day);
}

/** A stretch of time, its end not in it. */
export type Span = { from: Date; to: Date };

export type SummaryDay = {
  span: Span;
  /** The same stretch of the same weekday. */
  weekBefore: Span;
  /** What the summary of yesterday came too early for; null where a whole day is told. */
  late: Span | null;
};

/** What a summary that is due at a full hour tells: together they leave nothing out and tell nothing twice. */
export function summaryDay(dueAt: Date): SummaryDay {
  const midnight = startOfDay(dueAt);
  const isSoFar = dueAt.getTime() - midnight.getTime() >= noon * hour;
  const span = isSoFar ? { from: midnight, to: dueAt } : { from: later(midnight, -day), to: midnight };
  return {
    span,
    weekBefore: { from: later(span.from, -7 * day), to: later(span.to, -7 * day) },
    late: isSoFar ? { from: later(dueAt, -day), to: midnight } : null,
  };
}

function startOfDay(moment: Date): Date {
  const inIndia = moment.getTime() + offset;
  return new Date(inIndia - (inIndia % day) - offset);
}
