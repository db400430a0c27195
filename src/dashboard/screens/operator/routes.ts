import { later } from '../../../clock.ts';
import { html } from '../../../http/html.ts';
import { silentAfter } from '../../../mailboxes/forwarding-state.ts';
import { blindAfter } from '../../../mailboxes/mailbox-state.ts';
import { selectRoutines } from '../../../operator/queries.ts';
import type { World } from '../../../world.ts';
import { barChart } from '../../bar-chart.ts';
import { badge } from '../../components/badge.ts';
import { card } from '../../components/card.ts';
import { emptyState } from '../../components/empty-state.ts';
import { facts } from '../../components/facts.ts';
import { field } from '../../components/field.ts';
import { moment } from '../../components/moment.ts';
import { pageHead } from '../../components/page-head.ts';
import { pagination } from '../../components/pagination.ts';
import {
  selectAlertTiming,
  selectBusinesses,
  selectInstallation,
  selectPaidByHour,
  selectTroubled,
} from '../../queries/operator.ts';
import { type Answer, type DashboardRoute, page, type Visit } from '../../route.ts';
import { askDisabling, changePlan, disable, enable, showBusiness } from './business-page.ts';
import { businessTable } from './business-table.ts';
import { timeToConfirm } from './time-to-confirm.ts';
import { workshopRoutes } from './workshop/routes.ts';

const home = '/dashboard/operator';
const perPage = 50;
const shownTroubled = 100;
const chartHours = 24;
const read = { permission: 'operator' } as const;
const change = { permission: 'operator', fresh: true } as const;

export const operatorRoutes: readonly DashboardRoute[] = [
  { method: 'GET', path: home, ...read, handle: showBusinesses },
  { method: 'GET', path: `${home}/health`, ...read, handle: showHealth },
  { method: 'GET', path: `${home}/businesses/:merchant_id`, ...read, handle: showBusiness },
  { method: 'GET', path: `${home}/businesses/:merchant_id/disable`, ...change, handle: askDisabling },
  { method: 'POST', path: `${home}/businesses/:merchant_id/disable`, ...change, handle: disable },
  { method: 'POST', path: `${home}/businesses/:merchant_id/enable`, ...change, handle: enable },
  { method: 'POST', path: `${home}/businesses/:merchant_id/plan`, ...change, handle: changePlan },
  ...workshopRoutes,
];

async function showBusinesses(world: World, { texts, query, now }: Visit): Promise<Answer> {
  const words = texts.operator;
  const search = query.text('search').slice(0, 200) || null;
  const after = readPosition(query.text('after'));
  const [rows, timing] = await Promise.all([
    selectBusinesses(world.sql, { search, after, limit: perPage + 1, now }),
    selectAlertTiming(world.sql, now, { merchantId: null, days: 1 }),
  ]);
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const address = (position: string | null) => {
    const text = new URLSearchParams({
      ...(search !== null && { search }),
      ...(position !== null && { after: position }),
    }).toString();
    return text === '' ? home : `${home}?${text}`;
  };
  const older =
    rows.length > perPage && last ? address(`${last.created_at.getTime()}.${last.merchant_id}`) : null;
  const nothing =
    search === null
      ? emptyState(words.emptyTitle, words.emptyText)
      : emptyState(words.noneTitle, words.noneText);
  const body = html`${pageHead(words.businesses, { text: words.businessesText })}
${card(html`<p>${timeToConfirm(texts, timing)}</p>`, { title: `${words.timing}, ${words.timingDays(1)}` })}
${card(html`<form method="get" action="${home}" class="stack">${field({ name: 'search', label: words.search, hint: words.searchHint, value: search ?? '', type: 'search' })}<div class="actions"><button class="button plain">${words.show}</button></div></form>`)}
${card(shown.length === 0 ? nothing : businessTable(texts, shown, now))}
${pagination(texts, { newer: after === null ? null : address(null), older })}`;
  return page({ title: words.businesses, body });
}

async function showHealth(world: World, { texts, now }: Visit): Promise<Answer> {
  const words = texts.operator;
  const seenAfter = later(now, -blindAfter);
  const [figures, hours, routines, troubled] = await Promise.all([
    selectInstallation(world.sql, { now, seenAfter }),
    selectPaidByHour(world.sql, now, chartHours),
    selectRoutines(world.sql),
    selectTroubled(world.sql, {
      now,
      seenAfter,
      silentSince: later(now, -silentAfter),
      limit: shownTroubled,
    }),
  ]);
  const names = Object.keys(words.figures) as (keyof typeof words.figures)[];
  const body = html`${pageHead(words.health, { text: words.healthText })}
<div class="figures">${names.map(name =>
    card(
      html`<p class="quiet">${words.figures[name]}</p><p class="figure">${figures[name].toLocaleString('en-IN')}</p>
${name === 'due_deliveries' && figures.oldest_due && html`<p class="quiet">${words.oldest} ${moment(figures.oldest_due)}</p>`}`,
    ),
  )}</div>
${card(
  barChart({
    id: 'hours',
    summary: words.paidByHour(figures.paid_today),
    bars: hours.map(({ hour, paid }) => {
      const name = hour.toISOString().slice(11, 16);
      return { name: `${name} UTC`, short: name, amount: paid, value: paid.toLocaleString('en-IN') };
    }),
    scale: amount => amount.toLocaleString('en-IN'),
  }),
  { title: words.paidChart },
)}
${card(
  facts(
    (['backup', 'verify'] as const).map(name => {
      const row = routines.find(({ routine }) => routine === name);
      const state = row && (row.succeeded ? badge(words.went, 'good') : badge(words.failed, 'bad'));
      return [
        words.routines[name],
        row ? html`${moment(row.finished_at)} ${state}` : badge(words.neverRan, 'warn'),
      ];
    }),
  ),
  { title: words.routine },
)}
${card(
  troubled.length === 0
    ? emptyState(words.troubledNone, words.troubledNoneText)
    : businessTable(texts, troubled, now),
  {
    title: words.troubled,
  },
)}`;
  return page({ title: words.health, body });
}

function readPosition(text: string): { createdAt: Date; merchantId: number } | null {
  const [, time, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return time && id ? { createdAt: new Date(Number(time)), merchantId: Number(id) } : null;
}
