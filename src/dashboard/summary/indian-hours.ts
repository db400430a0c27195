import { day, hour, later, minute } from '../../base/clock.ts';

/** India has one time zone without daylight saving, so all its days are equally long. */
const offset = 5 * hour + 30 * minute;
/** From this hour on a summary is about its own day, before it about the previous one. */
const noon = 12;

/** The first moment after `now` at which India's clock shows this hour. */
export function nextHour(now: Date, wanted: number): Date {
  const today = later(startOfDay(now), wanted * hour);
  return today > now ? today : later(today, day);
}

/** A time span; its end is excluded. */
export type Span = { from: Date; to: Date };

export type SummaryDay = {
  span: Span;
  /** The same span a week earlier. */
  weekBefore: Span;
  /** The span that yesterday's summary was too early for; null if a whole day is reported. */
  late: Span | null;
};

/** The span of a summary that is due at a full hour. Successive summaries leave no gap and do not overlap. */
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
