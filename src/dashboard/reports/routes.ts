import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { sayDay } from '../../texts/say-time.ts';
import { type Bar, barChart } from '../frame/bar-chart.ts';
import { fold, segments } from '../frame/choosing.ts';
import { plainLink } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { addDays, addMonths, indianDay } from '../frame/indian-days.ts';
import { dayText, emptyState, note, roundRupees, rupees, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, lead, redirect, type Visit } from '../frame/route.ts';
import { type ListRow, money, rowList } from '../frame/rows.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { addUp, bankSays, bySource, dayLines, type Line, linesBy, nameOf, readDay } from './day-report.ts';
import { findLimits, limitsCard } from './limits.ts';
import { type Figures, type Period, registerHeader, selectRegisterLines, selectReport } from './queries.ts';

const home = '/dashboard/reports';
const csvPath = `${home}/register.csv` as const;

export const reportsRoutes = [
  get(home, 'business.read', showDay),
  get(`${home}/month`, 'orders.export', (world, visit) => showMonths(world, visit, 'month')),
  get(`${home}/year`, 'orders.export', (world, visit) => showMonths(world, visit, 'year')),
  get(csvPath, 'orders.export', downloadRegister),
  lead('/dashboard/orders/register', `${home}/month`, 'orders.export'),
  lead('/dashboard/orders/register.csv', csvPath, 'orders.export'),
];

type Kind = 'day' | 'month' | 'year';
type NamedPeriod = Period & { name: string; kind: Kind; earlier: string; later: string | null };

export function reportTabs(visit: Visit, current: Kind | 'check'): Html {
  const words = visit.texts.reports;
  const tabs = (['day', 'month', 'year', 'check'] as const)
    .filter(one => one === 'day' || visit.may('orders.export'))
    .map(one => ({
      href: one === 'day' ? home : `${home}/${one}`,
      text: words.tabs[one],
      current: one === current,
    }));
  return html`<div class="of-page">${segments(visit.texts.shell.navigation.reports, tabs)}</div>`;
}

/** The day as it is closed: what came in and how, what needs a person, and what the bank's statement says. */
async function showDay({ sql }: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = texts.reports;
  const period = readPeriod(visit, 'day');
  if (period?.kind !== 'day') return unknownPeriod(visit, 'day');
  const { lines, total, waiting } = await readDay(sql, merchantId, period.name, now);
  const isToday = period.later === null;
  const usage = await selectPlanUsage(sql, merchantId, now);
  const isGone = usage?.history_days != null && period.from < addDays(indianDay(now), -usage.history_days);
  const message = [
    `*${visit.merchant.name}*, ${sayPeriod(visit, period.name)}`,
    ...dayLines(texts, { lines, total, waiting }),
  ].join('\n');
  const toDecide: ListRow =
    waiting.count === 0
      ? { face: { icon: 'tick' }, who: words.nothingToDecide }
      : {
          href: '/dashboard/payments?view=decide',
          face: { icon: 'ask', tone: 'ask' },
          who: words.toDecide(waiting),
          what: texts.toDo.inAll({ sum: roundRupees(waiting.paise) }),
        };
  const { missing, confirmed } = total;
  const [bankWho, bankText] = bankSays(texts, total);
  const inStatement: ListRow =
    missing === 0
      ? { face: { icon: bankWho === words.bankSame ? 'tick' : 'doc' }, who: bankWho, what: bankText }
      : {
          href: '/dashboard/payments?view=decide#missing',
          face: { icon: 'doc', tone: 'ask' },
          who: words.bankMissing({ count: missing }),
          what: rupees(total.missing_paise),
        };
  const rows = [
    ...(isToday && total.count + waiting.count > 0 ? [toDecide] : []),
    ...(missing + confirmed > 0 ? [inStatement] : []),
  ];
  const text = isGone
    ? words.gone({ days: usage.history_days! })
    : isToday
      ? words.noneToday
      : words.noneText;
  return reportPage(visit, period, total, {
    body:
      total.count === 0
        ? emptyState(words.none, text, openCounter(visit), 'reports')
        : linesTable(visit, words.source, lines, row => nameOf(words, row), total),
    aside: html`<div class="wrapped">${rowList(rows)}</div>
<div class="stack tight no-print">${total.count > 0 && html`<a class="button" href="https://wa.me/?text=${encodeURIComponent(message)}" target="_blank" rel="noreferrer">${icon('chat', true)}${words.share}</a>${printButton(visit)}`}${isToday && total.count > 0 && html`<p class="small quiet middle">${words.untilMidnight}</p>`}</div>`,
  });
}

async function showMonths({ sql }: World, visit: Visit, wanted: 'month' | 'year'): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = texts.reports;
  const period = readPeriod(visit, wanted);
  if (period === null || period.kind === 'day') return unknownPeriod(visit, wanted);
  const { kind, name } = period;
  if (kind !== wanted) return redirect(`${home}/${kind}?period=${name}`);
  const isMonth = kind === 'month';
  const [rows, limits] = await Promise.all([
    selectReport(sql, merchantId, period, isMonth ? ['source', 'day', 'vpa'] : ['month', 'vpa']),
    period.later === null ? findLimits(sql, merchantId, now) : [],
  ]);
  const total = addUp(rows);
  const days = linesBy(rows, 'day').filter(({ name: day }) => day !== '');
  const accounts = linesBy(rows, 'vpa');
  const thisMonth = indianDay(now).slice(0, 7);
  const monthLink = (month: string) =>
    html`<a href="${home}/month?period=${month}">${month === thisMonth ? words.soFar({ month: sayDay(texts.tag, month) }) : sayDay(texts.tag, month)}</a>`;
  const dayLink = ({ name: day }: Line) =>
    html`<a href="${home}?period=${day}">${dayText(texts.tag, day, 'day')}</a>`;
  const isEmpty = total.count === 0 && total.collected_paise === 0 && total.given + total.kept === 0;
  return reportPage(visit, period, total, {
    body: isEmpty
      ? emptyState(words.none, words.noneText, openCounter(visit), 'reports')
      : html`${isMonth && monthChart(visit, period, days)}
${isMonth ? linesTable(visit, words.source, bySource(rows), row => nameOf(words, row), total) : linesTable(visit, texts.labels.month, linesBy(rows, 'month'), row => monthLink(row.name), total)}
${total.given > 0 && html`<p class="small quiet">${words.explain}</p>`}
${isMonth && fold(words.days, linesTable(visit, words.days, days, dayLink))}${fold(
  words.accounts,
  linesTable(visit, words.accounts, accounts, row => row.name || words.unknown),
)}`,
    aside: html`${limitsCard(
      visit,
      limits.filter(limit => (limit.name === 'personalMonth') === isMonth),
    )}
<div class="stack tight no-print">${!isEmpty && html`<a class="button" href="${csvPath}?period=${name}">${icon('download', true)}${words.csv}</a>${printButton(visit)}`}</div>`,
  });
}

const openCounter = ({ texts, mayOpen }: Visit) =>
  mayOpen('/dashboard/counter') && plainLink('/dashboard/counter', texts.payments.collect);

function unknownPeriod(visit: Visit, kind: Kind): Answer {
  const words = visit.texts.reports;
  return screen(visit.texts.shell.navigation.reports, {
    status: 400,
    quietOnPhone: true,
  })`${reportTabs(visit, kind)}${note(words.wrong, 'bad')}`;
}

function printButton({ texts }: Visit): Html {
  return html`<button type="button" class="button plain" data-print hidden>${icon('print', true)}${texts.counter.print}</button>`;
}

function reportPage(
  visit: Visit,
  { kind, name, earlier, later }: NamedPeriod,
  total: Figures,
  { body, aside }: { body: Html; aside: Html },
): Answer {
  const { texts, merchant } = visit;
  const words = texts.reports;
  const path = kind === 'day' ? home : `${home}/${kind}`;
  const arrow = (to: string, text: string, sign = '') =>
    html`<a class="tool no-print${sign}" href="${path}?period=${to}" aria-label="${text}">${icon('chevron')}</a>`;
  const given =
    total.given_paise > 0 ? ` · ${texts.payments.states.partGiven({ sum: rupees(total.given_paise) })}` : '';
  return screen(texts.shell.navigation.reports, { quietOnPhone: true })`${reportTabs(visit, kind)}
<div class="columns report"><div class="stack"><div class="stack tight">
<p class="print-only"><bdi>${merchant.name}</bdi></p>
<div class="pick">${arrow(earlier, words.earlier({ period: sayPeriod(visit, earlier) }), ' earlier')}<h2>${sayPeriod(visit, name)}</h2>${later === null ? html`<span></span>` : arrow(later, words.later({ period: sayPeriod(visit, later) }))}</div>
${total.collected_paise > 0 && html`<p class="figure middle">${money(total.collected_paise)}</p>`}${total.count + total.given > 0 && html`<p class="quiet middle">${texts.payments.count({ count: total.count })}${given}</p>`}</div>
${body}</div>
<aside class="stack">${aside}</aside></div>`;
}

/** Names, counts and sums; with a `total` what they make together, and below it what changes no sum. */
function linesTable(
  { texts }: Visit,
  title: string,
  rows: readonly Line[],
  name: (row: Line) => Html | string,
  total: Figures | null = null,
): Html {
  const words = texts.reports;
  const line = (said: Html | string, count: number, sum: number, kind = '') =>
    html`<tr${kind !== '' && html` class="${kind}"`}><th scope="row">${said}</th><td class="n">${count > 0 && count.toLocaleString('en-IN')}</td><td class="sum">${money(sum)}</td></tr>`;
  const other = (said: string, count: number, sum: number) => count > 0 && line(said, count, sum, 'other');
  return html`<table class="lines"><caption class="unseen">${title}</caption>
<thead class="unseen"><tr><th scope="col">${title}</th><th scope="col">${texts.shell.navigation.payments}</th><th scope="col">${texts.labels.amount}</th></tr></thead>
<tbody>${rows.map(row => line(name(row), row.count, row.collected_paise))}
${total && html`${line(words.total, total.count, total.collected_paise, 'total')}${other(texts.payments.states.given, total.given, total.given_paise)}${other(words.kept, total.kept, total.kept_paise)}${other(words.missing, total.missing, total.missing_paise)}`}</tbody></table>`;
}

/** A bar for each day, up to today or the end of the month, from the first one with a payment on. */
function monthChart({ texts, now }: Visit, period: NamedPeriod, lines: readonly Line[]): Html | null {
  const last = [addDays(period.to, -1), indianDay(now)].sort()[0]!;
  const bars: Bar[] = [];
  for (let day = lines[0]?.name ?? period.to; day <= last; day = addDays(day, 1)) {
    const { collected_paise: sum, count } = lines.find(({ name }) => name === day) ?? addUp([]);
    bars.push({
      name: dayText(texts.tag, day, 'day'),
      short: dayText(texts.tag, day, 'short'),
      amount: sum,
      value: `${rupees(sum)}, ${texts.payments.count({ count })}`,
    });
  }
  return bars.length === 0 ? null : barChart(texts.reports.days, bars);
}

async function downloadRegister(world: World, visit: Visit): Promise<Answer> {
  const period = readPeriod(visit, 'month');
  if (period === null || period.kind === 'day') return unknownPeriod(visit, 'month');
  const lines = await selectRegisterLines(world.sql, visit.merchantId, period);
  await makeChange(world, visit, async () => ({ action: 'register.export', subject: period.name }));
  return {
    kind: 'download',
    name: `register-${period.name}.csv`,
    type: 'text/csv; charset=utf-8',
    content: `\ufeff${registerHeader}${lines.join('')}`,
  };
}

const periodForm = /^(20\d\d)(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?$/;

/** A day, a month, or a financial year by the year of its April. Without one, the one of today. */
function readPeriod({ query, now }: Visit, usual: Kind): NamedPeriod | null {
  const today = indianDay(now);
  const thisYear = addMonths(today, -3).slice(0, 4);
  const asked = query.text('period') || { day: today, month: today.slice(0, 7), year: thisYear }[usual];
  const [, year = '', month, date] = periodForm.exec(asked) ?? [];
  if (year === '') return null;
  const kind = date !== undefined ? 'day' : month !== undefined ? 'month' : 'year';
  const from = { day: asked, month: `${asked}-01`, year: `${year}-04-01` }[kind];
  const step = (count: number) =>
    kind === 'day' ? addDays(from, count) : addMonths(from, kind === 'month' ? count : 12 * count);
  // 30 February is no day.
  if (addDays(from, 0) !== from) return null;
  const named = (first: string) => first.slice(0, { day: 10, month: 7, year: 4 }[kind]);
  const to = step(1);
  return { kind, name: asked, from, to, earlier: named(step(-1)), later: to > today ? null : named(to) };
}

function sayPeriod({ texts }: Visit, name: string): string {
  if (name.length === 10) return dayText(texts.tag, name, 'long');
  if (name.length === 7) return sayDay(texts.tag, name);
  const last = String((Number(name) + 1) % 100).padStart(2, '0');
  return texts.reports.year({ years: `${name}–${last}` });
}
