import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { moneyRules } from '../../business/merchants/money-rules.ts';
import { listNotices } from '../../outbox/notices/list-notices.ts';
import { countUnseen } from '../../outbox/notices/queries.ts';
import { sayDay } from '../../texts/say-time.ts';
import { pathList } from '../first-steps/path-list.ts';
import { selectPaid } from '../first-steps/queries.ts';
import { readPath } from '../first-steps/read-path.ts';
import { barChart, dayBar } from '../frame/bar-chart.ts';
import { newNotices } from '../frame/notice-list.ts';
import { card, dayText, facts, roundRupees, rupees, screen, table, titledCard } from '../frame/parts.ts';
import { type Answer, get, notFound, redirect, type Visit } from '../frame/route.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { attentionList } from './attention-list.ts';
import { type Attention, findAttention } from './find-attention.ts';
import { type DayFigure, selectDays, selectInflow } from './queries.ts';
import { figuresOfToday, latestPayments } from './today.ts';

const chartDays = 30;
const shownNotices = 5;
const figuresPath = '/dashboard/today';
const paymentsPath = '/dashboard/today/payments';
const daysPath = '/dashboard/today/days';

export const homeRoutes = [
  get('/dashboard', 'business.read', showHome),
  get(figuresPath, 'business.read', refreshFigures),
  get(paymentsPath, 'business.read', refreshPayments),
  get(daysPath, 'business.read', refreshDays),
];

async function showHome(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, texts, now } = visit;
  if (!(await selectPaid(world.sql, merchantId)).any) return await showPath(world, visit);
  const [figures, payments, attention, notices, unseen, days, rules] = await Promise.all([
    figuresOfToday(world, visit),
    latestPayments(world, visit),
    findAttention(world, merchantId),
    listNotices(world, merchantId, { onlyUnseen: true }),
    countUnseen(world.sql, merchantId),
    latestDays(world, visit),
    rulesCard(world, visit),
  ]);
  if (!days) return notFound();
  return screen(texts.home.title, { text: dayText(texts.tag, now, 'long') })`
<div id="today" data-live="${figuresPath}">${figures}</div>
${attentionList(texts, attention)}
<div data-live="${paymentsPath}">${payments}</div>
<div data-live="${daysPath}" data-live-after="today">${days}</div>
${rules}
${newNotices(visit, notices.notices.slice(0, shownNotices), unseen)}`;
}

/** What the path itself says, and no alarm about it. */
const setUp: readonly Attention['kind'][] = ['no_account', 'no_bank', 'no_mailbox'];

/** Before the first payment: no zeros, but the way there. Whoever can walk it is led to it; who skips sees how far it is. */
async function showPath(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, texts, query, may } = visit;
  if (may('business.change') && !query.has('skip')) return redirect('/dashboard/first-steps');
  const [path, attention, notices, unseen] = await Promise.all([
    readPath(world, visit),
    findAttention(world, merchantId),
    listNotices(world, merchantId, { onlyUnseen: true }),
    countUnseen(world.sql, merchantId),
  ]);
  const waiting = attention.filter(({ kind }) => !setUp.includes(kind));
  return screen(texts.shell.navigation.home, { text: texts.firstSteps.text })`
${card(pathList(texts, path), { title: texts.shell.navigation.firstSteps })}
${waiting.length > 0 && attentionList(texts, waiting)}
${newNotices(visit, notices.notices.slice(0, shownNotices), unseen)}`;
}

async function refreshFigures(world: World, visit: Visit): Promise<Answer> {
  const figures = await figuresOfToday(world, visit);
  return figures ? { kind: 'fragment', body: figures } : notFound();
}

async function refreshPayments(world: World, visit: Visit): Promise<Answer> {
  return { kind: 'fragment', body: await latestPayments(world, visit) };
}

/** A month is dear to sum up: the script asks for it when a figure of today has changed. */
async function refreshDays(world: World, visit: Visit): Promise<Answer> {
  const days = await latestDays(world, visit);
  return days ? { kind: 'fragment', body: days } : notFound();
}

/** Null for who has no business. */
async function latestDays({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html | null> {
  const { merchantId, now } = visit;
  const usage = await selectPlanUsage(sql, merchantId, now);
  if (!usage) return null;
  const count = Math.min(chartDays, usage.history_days ?? chartDays);
  return chartCard(visit, await selectDays(sql, merchantId, now, count));
}

function chartCard({ texts }: Visit, days: readonly DayFigure[]) {
  const words = texts.home;
  const total = days.reduce((sum, day) => sum + day.paise, 0);
  const title = words.chart(days.length);
  if (total === 0) {
    return card(html`<p>${words.emptyTitle}</p>`, { title });
  }
  const name = (day: DayFigure) => dayText(texts.tag, day.day, 'day');
  const best = days.reduce((most, day) => (day.paise > most.paise ? day : most));
  const summary = words.chartSummary(days.length, rupees(total), rupees(best.paise), name(best));
  const bars = days.map(({ day, paise, orders }) =>
    dayBar(texts.tag, day, paise, `${rupees(paise)}, ${words.orders(orders)}`),
  );
  const columns = [
    { title: texts.labels.day, cell: name },
    { title: texts.labels.collected, cell: (day: DayFigure) => rupees(day.paise), number: true },
    { title: words.paidOrders, cell: (day: DayFigure) => day.orders, number: true },
  ];
  return titledCard({ title })`${barChart({ id: 'days', summary, bars, scale: roundRupees })}
<p class="quiet">${summary}</p>
<details id="days-table"><summary>${words.asTable}</summary>${table({ caption: title, columns, rows: [...days].reverse() })}</details>`;
}

/** What came in beside the sums from which others' rules change. Nothing where nothing came. */
async function rulesCard({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html | null> {
  const { year_paise: year, personal_paise: month } = await selectInflow(sql, visit.merchantId, visit.now);
  if (year === 0) return null;
  const words = visit.texts.home.rules;
  const { personalMonth, gstServices, gstGoods, lookedAt } = moneyRules;
  const sources = [...(month === null ? [] : [personalMonth]), gstServices, gstGoods].map(one => one.source);
  return titledCard({ title: words.title, id: 'rules' })`${facts([
    [
      words.month,
      month !== null &&
        html`<strong>${rupees(month)}</strong> ${words.monthText(rupees(personalMonth.paise))}`,
    ],
    [
      words.year,
      html`<strong>${rupees(year)}</strong> ${words.yearText(rupees(gstServices.paise), rupees(gstGoods.paise))}`,
    ],
  ])}<p class="quiet">${words.sources(sources.join('; '), sayDay(visit.texts.tag, lookedAt))}</p>`;
}
