import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { moneyRules } from '../../business/merchants/money-rules.ts';
import { countUnseen, listNotices } from '../../outbox/notices/queries.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { sayDay } from '../../texts/say-time.ts';
import { selectPaid } from '../first-steps/queries.ts';
import { pathList, readPath } from '../first-steps/read-path.ts';
import { barChart, dayBar } from '../frame/bar-chart.ts';
import { plainLink } from '../frame/controls.ts';
import { newNotices } from '../frame/notice-list.ts';
import {
  card,
  dayText,
  facts,
  moment,
  note,
  roundRupees,
  rupees,
  screen,
  table,
  titledCard,
} from '../frame/parts.ts';
import { type Answer, get, notFound, redirect, type Visit } from '../frame/route.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { type Attention, findAttention } from './find-attention.ts';
import {
  type DayFigure,
  type HomeFigures,
  type LatestPayment,
  selectDays,
  selectHomeFigures,
  selectInflow,
  selectLatestPayments,
} from './queries.ts';

const chartDays = 30;
const shownNotices = 5;
const figuresPath = '/dashboard/today';
const paymentsPath = '/dashboard/today/payments';
const daysPath = '/dashboard/today/days';

export const homeRoutes = [
  get('/dashboard', 'business.read', showHome),
  get(figuresPath, 'business.read', refreshFigures),
  get(paymentsPath, 'business.read', async (world, visit) => ({
    kind: 'fragment',
    body: await latestPayments(world, visit),
  })),
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

/** The steps already show these, so they are not alarms too. */
const setUp: readonly Attention['kind'][] = ['no_account', 'no_bank', 'no_mailbox'];

/** Before the first payment, Home shows the steps instead of zeros. A person who skipped them sees the progress. */
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

/** Summing up a month is expensive, so the script asks for it only when one of today's figures has changed. */
async function refreshDays(world: World, visit: Visit): Promise<Answer> {
  const days = await latestDays(world, visit);
  return days ? { kind: 'fragment', body: days } : notFound();
}

/** Null for a person without a business. */
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
  const title = words.chart({ days: days.length });
  if (total === 0) {
    return card(html`<p>${words.emptyTitle}</p>`, { title });
  }
  const name = (day: DayFigure) => dayText(texts.tag, day.day, 'day');
  const best = days.reduce((most, day) => (day.paise > most.paise ? day : most));
  const summary = words.chartSummary({
    days: days.length,
    total: rupees(total),
    best: rupees(best.paise),
    day: name(best),
  });
  const bars = days.map(({ day, paise, orders }) =>
    dayBar(texts.tag, day, paise, `${rupees(paise)}, ${words.orders({ count: orders })}`),
  );
  const columns = [
    { title: texts.labels.day, cell: name },
    { title: texts.labels.collected, cell: (day: DayFigure) => rupees(day.paise), number: true },
    { title: words.paidOrders, cell: (day: DayFigure) => day.orders, number: true },
  ];
  return titledCard({ title })`${barChart({ id: 'days', summary, bars, scale: roundRupees })}
<p class="quiet">${summary}</p>
<details id="days-table"><summary>${words.asTable}</summary>${table(title, [...days].reverse(), columns)}</details>`;
}

/** Income next to the sums above which tax and UPI rules change. Nothing is shown without income. */
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
        html`<strong>${rupees(month)}</strong> ${words.monthText({ limit: rupees(personalMonth.paise) })}`,
    ],
    [
      words.year,
      html`<strong>${rupees(year)}</strong> ${words.yearText({ services: rupees(gstServices.paise), goods: rupees(gstGoods.paise) })}`,
    ],
  ])}<p class="quiet">${words.sources({ sources: sources.join('; '), day: sayDay(visit.texts.tag, lookedAt) })}</p>`;
}

const shownPayments = 6;

/** Today's figures; the script asks for them repeatedly. Null for a person without a business. */
async function figuresOfToday({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html | null> {
  const figures = await selectHomeFigures(sql, visit.merchantId, visit.now);
  return figures && figureCards(visit, figures);
}

async function latestPayments({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const payments = await selectLatestPayments(sql, visit.merchantId, visit.now, shownPayments);
  return payments.length === 0 ? html`` : latest(visit, payments);
}

function figureCards(visit: Visit, figures: HomeFigures): Html {
  const words = visit.texts.home;
  const limit = figures.monthly_limit_paise;
  const figure = (name: string, value: string, ...lines: string[]) =>
    card(
      html`<h2 class="quiet">${name}</h2><p class="figure${value.length > 9 && ' long'}">${value}</p>${lines.filter(line => line !== '').map(line => html`<p class="quiet">${line}</p>`)}`,
    );
  return html`<div class="figures">
${figure(words.today, rupees(figures.today_paise), paymentsOf(visit, figures), compared(visit, figures))}
${figure(words.month, rupees(figures.month_paise), limit === null ? '' : words.ofLimit({ limit: rupees(limit) }))}
</div>`;
}

function paymentsOf({ texts: { home: words } }: Visit, { today_orders, today_takings }: HomeFigures): string {
  const all = words.orders({ count: today_orders });
  return today_takings === 0 ? all : `${all}, ${words.takings({ count: today_takings })}`;
}

/** Written in words, because a bare arrow does not say what it is compared with. */
function compared({ texts, now }: Visit, { today_paise, before_paise }: HomeFigures): string {
  const words = texts.home;
  if (before_paise === null) return '';
  const weekday = dayText(texts.tag, now, 'weekday');
  const apart = rupees(Math.abs(today_paise - before_paise));
  if (before_paise === 0) return words.nothingBefore({ weekday });
  if (today_paise === before_paise) return words.asBefore({ weekday });
  return today_paise > before_paise ? words.moreThan({ apart, weekday }) : words.lessThan({ apart, weekday });
}

function latest({ texts }: Visit, payments: readonly LatestPayment[]): Html {
  const words = texts.home;
  return titledCard({
    title: words.latest,
    actions: plainLink('/dashboard/orders?status=paid', words.allPayments),
  })`
<ul class="payments">${payments.map(
    one =>
      html`<li><a href="/dashboard/${one.order_id === null ? `money/${one.alert_id}` : `orders/${one.order_id}`}"><strong>${rupees(one.received_paise)}</strong></a> <bdi class="cut">${(shownName(one.customer?.name) || one.payer) ?? (one.merchant_order_id || texts.counter.withoutOrder)}</bdi> <span class="quiet">${moment(one.paid_at)}</span></li>`,
  )}</ul>`;
}

/** The page on which somebody can act, and the link's text. */
type Way = [href: string, link: string];

function attentionList(texts: Texts, found: readonly Attention[]): Html {
  const { attention: title, allWell } = texts.home;
  if (found.length === 0) return card(html`<p>${allWell}</p>`, { title });
  return card(html`<ul class="plain-list">${found.map(one => lineOf(texts, one))}</ul>`, { title });
}

function lineOf(texts: Texts, one: Attention): Html {
  const words = texts.home;
  const say = (tone: 'warn' | 'bad', text: string, [href, link]: Way, more?: Html) => {
    const way = html`<p class="note-link">${plainLink(href, link)}</p>`;
    return html`<li>${note(html`<div class="attention"><div><p>${text}</p>${more}</div>${way}</div>`, tone)}</li>`;
  };
  const mailbox: Way = ['/dashboard/mailbox', texts.labels.seeMailbox];
  const webhooks: Way = ['/dashboard/webhooks', words.openWebhooks];
  const plan: Way = ['/dashboard/plan', words.openPlan];
  switch (one.kind) {
    case 'no_account':
      return say('bad', words.noAccount, ['/dashboard/upi-accounts', texts.labels.addUpiAccount]);
    case 'no_bank':
      return say('bad', words.noBank(one), ['/dashboard/upi-accounts', words.nameBank]);
    case 'no_mailbox':
      return say('bad', words.noMailbox, ['/dashboard/mailbox', texts.labels.connectMailbox]);
    case 'blind_mailbox': {
      const blind = words.blind(one);
      const more = html`<p>${one.since && html`${texts.labels.since}: ${moment(one.since)}. `}${one.reason !== null && sayReason(texts.tag, one.reason)}</p>`;
      return say('bad', one.needsLogin ? `${blind} ${words.needsLogin}` : blind, mailbox, more);
    }
    case 'silent_forwarding': {
      const more = html`<p>${texts.labels.since}: ${moment(one.since)}.</p>`;
      const way: Way = ['/dashboard/mailbox#forwarding', texts.labels.seeMailbox];
      return say('bad', words.silentForwarding(one), way, more);
    }
    case 'changed_mails':
      return say('bad', words.changedMails, mailbox, html`<p>${sayReason(texts.tag, one.reason)}</p>`);
    case 'quiet_bank':
      return say('bad', words.quietBank(one), ['/dashboard/first-steps#mails-step', texts.tryMail.title]);
    case 'failing_webhooks': {
      const more = html`<p>${texts.labels.since}: ${moment(one.since)}. ${texts.labels.lastReason}: ${sayReason(texts.tag, one.reason)}.</p>`;
      return say('bad', words.failing(one), webhooks, more);
    }
    case 'given_up_webhooks':
      return say('warn', words.givenUp(one), webhooks);
    case 'unmatched_money':
      return say('warn', words.unmatched(one), ['/dashboard/money', words.openMoney]);
    case 'missing_in_statement':
      return say('bad', words.missing(one), ['/dashboard/money#missing', words.openMoney]);
    case 'doubtful_mails':
      return say('warn', words.doubtful(one), ['/dashboard/money/refused', words.openRefused]);
    case 'paused_accounts':
      return say('warn', words.paused(one), plan);
    case 'plan_limit_near':
      return say('warn', words.limitNear({ percent: one.percent, limit: rupees(one.limitPaise) }), plan);
    case 'plan_limit_reached':
      return say('bad', words.limitReached({ limit: rupees(one.limitPaise) }), plan);
  }
}
