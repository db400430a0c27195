import { html } from '../../../http/html.ts';
import { listNotices } from '../../../notices/list-notices.ts';
import { countUnseen } from '../../../notices/queries.ts';
import type { World } from '../../../world.ts';
import { barChart } from '../../bar-chart.ts';
import { linkButton } from '../../components/button.ts';
import { card } from '../../components/card.ts';
import { emptyState } from '../../components/empty-state.ts';
import { pageHead } from '../../components/page-head.ts';
import { table } from '../../components/table.ts';
import { findAttention } from '../../find-attention.ts';
import {
  type AlertTiming,
  type DayFigure,
  type HomeFigures,
  selectAlertTiming,
  selectDays,
  selectHomeFigures,
} from '../../queries/home.ts';
import { type Answer, type DashboardRoute, notFound, page, type Visit } from '../../route.ts';
import { newNotices } from '../notices/notice-list.ts';
import { rupees } from '../rupees.ts';
import { timeSpan } from '../time-span.ts';
import { attentionList } from './attention-list.ts';

const chartDays = 30;
const shownNotices = 5;

export const homeRoutes: readonly DashboardRoute[] = [
  { method: 'GET', path: '/dashboard', permission: 'business.read', handle: showHome },
];

async function showHome(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, texts, now } = visit;
  const words = texts.home;
  const [figures, timing, attention, notices, unseen] = await Promise.all([
    selectHomeFigures(world.sql, merchantId, now),
    selectAlertTiming(world.sql, merchantId, now),
    findAttention(world, merchantId),
    listNotices(world, merchantId, { onlyUnseen: true }),
    countUnseen(world.sql, merchantId),
  ]);
  if (!figures) return notFound();
  const days = await selectDays(
    world.sql,
    merchantId,
    now,
    Math.min(chartDays, figures.history_days ?? chartDays),
  );
  const body = html`${pageHead(words.title, { text: visit.business.name })}
${figureCards(visit, figures, timing)}
${attentionList(texts, attention)}
${newNotices(visit, notices.notices.slice(0, shownNotices), unseen)}
${chartCard(visit, days)}`;
  return page({ title: words.title, body });
}

function figureCards({ texts }: Visit, figures: HomeFigures, timing: AlertTiming) {
  const words = texts.home;
  const figure = (name: string, value: string, text: string) =>
    card(html`<p class="quiet">${name}</p><p class="figure">${value}</p><p class="quiet">${text}</p>`);
  const limit = figures.monthly_limit_paise;
  const took = (value: number | null) => (value === null ? '–' : timeSpan(texts, value));
  const hint = timing.counted === 0 ? words.noTiming : words.timingHint;
  return html`<div class="figures">
${figure(words.today, rupees(figures.today_paise), words.orders(figures.today_orders))}
${figure(words.month, rupees(figures.month_paise), limit === null ? '' : words.ofLimit(rupees(limit)))}
${figure(words.median, took(timing.median_ms), hint)}
${figure(words.slowest, took(timing.p95_ms), hint)}
</div>`;
}

function chartCard({ texts }: Visit, days: readonly DayFigure[]) {
  const words = texts.home;
  const total = days.reduce((sum, day) => sum + day.paise, 0);
  const title = words.chart(days.length);
  if (total === 0) {
    const next = linkButton('/dashboard/first-steps', words.firstSteps);
    return card(emptyState(words.emptyTitle, words.emptyText, next), { title });
  }
  const best = days.reduce((most, day) => (day.paise > most.paise ? day : most));
  const summary = words.chartSummary(days.length, rupees(total), rupees(best.paise), best.day);
  const bars = days.map(day => ({
    title: `${day.day}: ${rupees(day.paise)}, ${words.orders(day.orders)}`,
    value: day.paise,
  }));
  const columns = [
    { title: words.day, cell: (day: DayFigure) => day.day },
    { title: words.collected, cell: (day: DayFigure) => rupees(day.paise), number: true },
    { title: words.paidOrders, cell: (day: DayFigure) => day.orders, number: true },
  ];
  return card(
    html`${barChart(bars, summary)}<p class="quiet chart-ends"><span>${days[0]?.day}</span><span>${days.at(-1)?.day}</span></p>
<p class="quiet">${summary}</p>
<details><summary>${words.asTable}</summary>${table({ caption: title, columns, rows: [...days].reverse() })}</details>`,
    { title },
  );
}
