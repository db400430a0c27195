import type { Queryable } from '../../base/database/connect.ts';
import type { Texts } from '../../texts/languages.ts';
import { addDays } from '../frame/indian-days.ts';
import { rupees } from '../frame/parts.ts';
import { sumMoneyToDo } from '../payments/queries/credits.ts';
import { type Figures, type ReportRow, selectReport, sources } from './queries.ts';

export type DayReport = {
  lines: Line[];
  total: Total;
  /** The payments that need a decision now, whatever their day. */
  waiting: { count: number; paise: number };
};

/** A sum with its name. `given` is what was given back, of paid orders and of other payments. */
export type Total = Pick<
  Figures,
  'collected_paise' | 'confirmed' | 'kept' | 'kept_paise' | 'missing' | 'missing_paise'
> & {
  count: number;
  given: number;
  given_paise: number;
};
export type Line = Total & { name: string };

export async function readDay(
  sql: Queryable,
  merchantId: number,
  day: string,
  now: Date,
): Promise<DayReport> {
  const [rows, waiting] = await Promise.all([
    selectReport(sql, merchantId, { from: day, to: addDays(day, 1) }, ['source']),
    sumMoneyToDo(sql, merchantId, now),
  ]);
  return { lines: bySource(rows), total: addUp(rows), waiting };
}

/** One line for each name by which anything came, in the rows' order. */
export function linesBy(rows: readonly ReportRow[], part: 'month' | 'day' | 'source' | 'vpa'): Line[] {
  const names = [...new Set(rows.map(row => row[part] ?? ''))];
  return names
    .map(name => ({ name, ...addUp(rows.filter(row => (row[part] ?? '') === name)) }))
    .filter(line => line.collected_paise > 0);
}

/** In their usual order. */
export function bySource(rows: readonly ReportRow[]): Line[] {
  const lines = linesBy(rows, 'source');
  return sources.flatMap(source => lines.filter(({ name }) => name === source));
}

export function addUp(rows: readonly Figures[]): Total {
  const of = (...names: (keyof Figures)[]) =>
    rows.reduce((sum, row) => names.reduce((all, name) => all + row[name], sum), 0);
  return {
    collected_paise: of('collected_paise'),
    count: of('orders', 'takings'),
    given: of('back', 'refunds'),
    given_paise: of('back_paise', 'refunds_paise'),
    kept: of('kept'),
    kept_paise: of('kept_paise'),
    missing: of('missing'),
    missing_paise: of('missing_paise'),
    confirmed: of('confirmed'),
  };
}

/** The report in words, for a message: what came in and how, what was given back, and what needs a person. */
export function dayLines(
  { dayReport: words, reports, payments }: Texts,
  { lines, total, waiting }: DayReport,
): string[] {
  const sum = (amount: number, count: number) => words.sum({ amount: rupees(amount), count });
  const line = (name: string, amount: number, count: number) =>
    count === 0 ? [] : [words.line({ name, sum: sum(amount, count) })];
  return [
    words.received({ sum: sum(total.collected_paise, total.count) }),
    ...(lines.length < 2
      ? []
      : lines.flatMap(row => line(nameOf(reports, row), row.collected_paise, row.count))),
    ...line(payments.states.given, total.given_paise, total.given),
    ...line(reports.missing, total.missing_paise, total.missing),
    ...(total.missing === 0 && total.confirmed > 0
      ? [`${reports.bankSame} (${reports.bankSameText({ count: total.confirmed })})`]
      : []),
    waiting.count === 0
      ? reports.nothingToDecide
      : `${reports.toDecide({ count: waiting.count })} (${rupees(waiting.paise)})`,
  ];
}

/** How the line's payments came. */
export function nameOf({ sources: names }: Texts['reports'], { name }: Line): string {
  return names[name as keyof typeof names] ?? '';
}
