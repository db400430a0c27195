import type { Queryable } from '../../base/database/connect.ts';
import type { Texts } from '../../texts/languages.ts';
import { addDays } from '../frame/indian-days.ts';
import { rupees } from '../frame/parts.ts';
import { sumMoneyToDo } from '../payments/queries/credits.ts';
import { type Figures, figureNames, type ReportRow, selectReport, sources } from './queries.ts';

export type Line = Figures & { name: string };

type DayReport = Awaited<ReturnType<typeof readDay>>;

/** The day's sums by source. `waiting` counts the payments of any day that need a decision now. */
export async function readDay(sql: Queryable, merchantId: number, day: string, now: Date) {
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

export function bySource(rows: readonly ReportRow[]): Line[] {
  const lines = linesBy(rows, 'source');
  return sources.flatMap(source => lines.filter(({ name }) => name === source));
}

export function addUp(rows: readonly Figures[]): Figures {
  const sums = figureNames.map(name => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(sums) as Figures;
}

/** The report in words, for a message: what came in and how, what was given back, and what needs a person. */
export function dayLines(texts: Texts, { lines, total, waiting }: DayReport): string[] {
  const { dayReport: words, payments, reports } = texts;
  const sum = (amount: number, count: number) => words.sum({ amount: rupees(amount), count });
  const line = (name: string, amount: number, count: number) =>
    count > 0 && words.line({ name, sum: sum(amount, count) });
  return [
    words.received({ sum: sum(total.collected_paise, total.count) }),
    ...(lines.length > 1 ? lines.map(row => line(nameOf(reports, row), row.collected_paise, row.count)) : []),
    line(payments.states.given, total.given_paise, total.given),
    line(reports.missing, total.missing_paise, total.missing),
    total.missing === 0 && total.confirmed > 0 && bankSays(texts, total).join(': '),
    waiting.count === 0
      ? reports.nothingToDecide
      : `${reports.toDecide({ count: waiting.count })} (${rupees(waiting.paise)})`,
  ].filter(text => text !== false);
}

/** How many of the day's orders the uploaded statement lists. It marks no payments without an order. */
export function bankSays(texts: Texts, { orders: count, confirmed: found }: Figures): [string, string] {
  const { bankSame, bankText } = texts.reports;
  return [found === count ? bankSame : texts.orders.statement, bankText({ found, count })];
}

export function nameOf({ sources: names }: Texts['reports'], { name }: Line): string {
  return names[name as keyof typeof names] ?? '';
}
