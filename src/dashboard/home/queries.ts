import { day, hour, later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { insideHistory } from '../../orders/sql-fragments.ts';
import { receivedMoney } from '../../payments/matching/queries/orderless.ts';
import { addDays, addMonths, daysBetween, indianDay, type Span } from '../frame/indian-days.ts';

export const periods = ['day', 'week', 'month'] as const;
export type Period = (typeof periods)[number];

/** The money of one step of a period: of an hour or a day. `at` counts the steps from its start. */
export type Step = { at: number; paise: number; count: number };

export type Trend = NonNullable<Awaited<ReturnType<typeof selectTrend>>>;

/** This day, week or month next to the one before. A day is compared with the same weekday a week ago. */
export async function selectTrend(sql: Queryable, merchantId: number, period: Period, now: Date) {
  const { span, past } = spansOf(period, now);
  const step = period === 'day' ? hour : day;
  const soFar = later(past.from, Math.min(Number(now) - Number(span.from), length(past)));
  const [[shop], steps, before] = await Promise.all([
    sql<{ is_known: boolean }[]>`
      select m.created_at < ${past.from} and coalesce(p.history_days is null
        or ${past.from} >= ${now}::timestamptz - p.history_days * interval '1 day', true) as is_known
      from merchants m join plans p on p.plan = m.plan where m.merchant_id = ${merchantId}`,
    selectSteps(sql, merchantId, span, { step, soFar: now, now }),
    selectSteps(sql, merchantId, past, { step, soFar, now }),
  ]);
  if (!shop) return null;
  const soFarPaise = before.reduce((sum, one) => sum + one.so_far, 0);
  // The past period's sum counts up to the same time of day. Null if it is not comparable.
  const compared = shop.is_known ? { steps: before, soFar: soFarPaise, from: past.from } : null;
  // The span's length in steps, and a step's in milliseconds.
  return { span, steps: length(span) / step, step, now: steps, past: compared };
}

function length({ from, to }: Span): number {
  return Number(to) - Number(from);
}

function spansOf(period: Period, now: Date): { span: Span; past: Span } {
  const today = indianDay(now);
  if (period === 'month') {
    const [before, first, next] = [-1, 0, 1].map(count => addMonths(today, count));
    return { span: daysBetween(first!, next!), past: daysBetween(before!, first!) };
  }
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7));
  const [first, days] = period === 'day' ? [today, 1] : [monday, 7];
  const of = (shift: number) => daysBetween(addDays(first, shift), addDays(first, shift + days));
  return { span: of(0), past: of(-7) };
}

async function selectSteps(
  sql: Queryable,
  merchantId: number,
  { from, to }: Span,
  { step, soFar, now }: { step: number; soFar: Date; now: Date },
) {
  return await sql<(Step & { so_far: number })[]>`
    select floor(extract(epoch from o.paid_at - ${from}::timestamptz) * 1000 / ${step})::int as at,
      sum(o.received_paise)::bigint as paise, count(*) as count,
      coalesce(sum(o.received_paise) filter (where o.paid_at <= ${soFar}), 0)::bigint as so_far
    from ${receivedMoney(sql, now)} o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
    where o.merchant_id = ${merchantId} and o.paid_at >= ${from} and o.paid_at < ${to} and ${insideHistory(sql, now)}
    group by 1 order by 1`;
}

export function indianMidnight(sql: Queryable, now: Date) {
  return sql`(date_trunc('day', ${now}::timestamptz at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata')`;
}
