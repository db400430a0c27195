import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { sayClock } from '../../texts/say-time.ts';
import { roundUp } from '../frame/bar-chart.ts';
import { segments } from '../frame/choosing.ts';
import { icon } from '../frame/icon.ts';
import { dayText, roundRupees, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { money } from '../frame/rows.ts';
import { type Period, periods, type Step, selectTrend, type Trend } from './queries.ts';

export function readPeriod({ query }: Visit): Period {
  return periods.find(one => one === query.text('period')) ?? 'day';
}

/** The sum of today, this week or this month, next to the one before. Null for a person without a business. */
export async function hero({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html | null> {
  const { merchantId, texts, now } = visit;
  const period = readPeriod(visit);
  const trend = await selectTrend(sql, merchantId, period, now);
  if (!trend) return null;
  const words = texts.home;
  const total = sumOf(trend.now);
  const count = trend.now.reduce((all, one) => all + one.count, 0);
  const choices = periods.map(one => ({
    href: one === 'day' ? '/dashboard' : `/dashboard?period=${one}`,
    text: words.periods[one],
    current: one === period,
  }));
  const name = words.names[period];
  return html`<section class="hero" aria-label="${name}">
<div class="between"><h2 class="small one-line">${name} ${period === 'day' && html`<span class="quiet plain">${dayText(texts.tag, now, 'day')}</span>`}</h2>${segments(words.period, choices)}</div>
<p class="figure${total >= 1_00_00_000_00 && ' long'}">${money(total)}</p>
${comparison(visit, period, trend, total)}
${chart(visit, period, trend, total)}
<p class="between"><span class="legend"><span>${name}</span>${trend.past && html`<span>${pastName(visit, 'past', period, trend.past.from)}</span>`}</span><span class="small quiet one-line">${texts.payments.count({ count })}</span></p>
</section>`;
}

function sumOf(steps: readonly Step[]): number {
  return steps.reduce((sum, one) => sum + one.paise, 0);
}

/** Written in words, because a bare arrow does not say what it is compared with. */
function comparison(visit: Visit, period: Period, { past }: Trend, total: number): Html | null {
  if (past === null || past.steps.length === 0) return null;
  const words = visit.texts.home;
  const than = pastName(visit, 'than', period, past.from);
  const apart = Math.abs(total - past.soFar);
  if (apart < 100) return html`<p class="delta small">${words.same({ past: than })}</p>`;
  const isMore = total > past.soFar;
  const text = (isMore ? words.more : words.less)({ apart: roundRupees(apart), past: than });
  return html`<p class="delta small">${icon(isMore ? 'up' : 'down', true)}<span>${text}</span></p>`;
}

function pastName({ texts }: Visit, form: 'past' | 'than', period: Period, from: Date): string {
  const words = texts.home[form];
  if (period === 'week') return words.week;
  if (period === 'day') return words.day({ name: dayText(texts.tag, from, 'weekday') });
  return words.month({ name: dayText(texts.tag, from, 'monthName') });
}

/** Begins with the first payment of either line: a new shop has no empty week, and no shop an empty night. */
function chart(visit: Visit, period: Period, trend: Trend, total: number): Html {
  const { texts, now } = visit;
  const words = texts.home;
  const past = trend.past?.steps ?? [];
  const all = [...trend.now, ...past].map(({ at }) => at);
  if (all.length === 0) return html`<p class="small quiet">${words.noneYet}</p>`;
  const here = (Number(now) - Number(trend.span.from)) / trend.step;
  const first = Math.min(...all);
  const evening = 20;
  const end = period === 'day' ? Math.max(evening, Math.ceil(here), Math.max(...all) + 1) : trend.steps;
  const sumTo = (steps: readonly Step[], at: number) => sumOf(steps.filter(one => one.at <= at));
  const points = Array.from({ length: end - first }, (_, place): Point => {
    const at = first + place;
    const sum = at <= here ? sumTo(trend.now, at) : null;
    const before = past.length === 0 ? null : sumTo(past, at);
    const [name, short] = stepNames(visit, period, trend, at);
    const beforeName = pastName(visit, 'past', period, trend.past?.from ?? now);
    const value = [sum !== null && rupees(sum), before !== null && `${beforeName}: ${roundRupees(before)}`];
    return { name, short, sum, past: before, value: value.filter(Boolean).join(' · ') };
  });
  const summary =
    trend.past === null
      ? words.chart({ sum: rupees(total) })
      : words.chartPast({
          sum: rupees(total),
          past: pastName(visit, 'past', period, trend.past.from),
          before: roundRupees(trend.past.soFar),
          all: roundRupees(sumOf(past)),
        });
  return lineChart(points, { summary, progress: here - first, total });
}

/** An hour's name says when it ends, because its sum is that of the whole hour. */
function stepNames({ texts }: Visit, period: Period, { span, step }: Trend, at: number): [string, string] {
  const moment = (count: number) => new Date(Number(span.from) + count * step);
  const hourOf = (at: Date) => sayClock(texts.tag, at).replace(':00', '');
  if (period === 'day') return [hourOf(moment(at + 1)), hourOf(moment(at))];
  const weekday = { weekday: 'short', timeZone: 'Asia/Kolkata' } as const;
  const short =
    period === 'week' ? moment(at).toLocaleDateString(`${texts.tag}-IN`, weekday) : String(at + 1);
  return [dayText(texts.tag, moment(at), 'day'), short];
}

type Point = { name: string; short: string; sum: number | null; past: number | null; value: string };

const width = 1000;
const height = 200;
/** More names do not fit under the line on a phone. */
const mostNames = 5;

/**
 * Two lines of sums that only grow: this period's, which ends at `progress` steps, and the one before. Each step has a
 * radio button above it, so that touch, mouse and arrow keys show its value without a script.
 */
function lineChart(
  points: readonly Point[],
  { summary, progress, total }: { summary: string; progress: number; total: number },
): Html {
  const most = Math.max(200, total, ...points.map(({ past }) => past ?? 0));
  const top = roundUp(most / 1.1);
  const x = (at: number) => ((at / points.length) * width).toFixed(1);
  const y = (sum: number) => (height - (sum / Math.max(top, most)) * height).toFixed(1);
  const path = (ends: readonly (readonly [at: number, sum: number])[]) =>
    `M0 ${height}${ends.map(([at, sum]) => `L${x(at)} ${y(sum)}`).join('')}`;
  const past = points.flatMap(({ past: sum }, at) => (sum === null ? [] : [[at + 1, sum] as const]));
  const full = points.flatMap(({ sum }, at) =>
    sum === null || at + 1 > progress ? [] : [[at + 1, sum] as const],
  );
  const now = path([...full, [progress, total]]);
  const every = Math.ceil(points.length / mostNames);
  const half = height - (top / 2 / Math.max(top, most)) * height;
  return html`<fieldset class="plot"><legend class="unseen">${summary}</legend>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M0 ${height}H${width}M0 ${half}H${width}M0 0H${width}"></path>
<path class="under" d="${now}V${height}H0Z"></path>${past.length > 0 && html`<path class="past" d="${path(past)}"></path>`}<path class="now" d="${now}"></path></svg>
<svg class="points" aria-hidden="true"><circle cx="${((progress / points.length) * 100).toFixed(1)}%" cy="${((Number(y(total)) / height) * 100).toFixed(1)}%" r="5"></circle></svg>
<svg class="scale" aria-hidden="true"><text x="0" y="${((half / height) * 100).toFixed(1)}%" dy="-6">${roundRupees(top / 2)}</text></svg>
<div class="plot-values">${points.map(({ name, value }) => html`<label title="${name}: ${value}"><input type="radio" name="hero" class="unseen"><span class="plot-value"><span>${name}</span> <b>${value}</b></span></label>`)}</div>
<ol class="plot-names" aria-hidden="true">${points.map(({ short }, at) => html`<li>${at % every === 0 && short}</li>`)}</ol></fieldset>`;
}
