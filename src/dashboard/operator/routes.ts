import { bankNames } from '../../alerts/banks/bank-names.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { fromAll, inEachCell } from '../../operator/cells/in-each-cell.ts';
import { field } from '../frame/controls.ts';
import { card, emptyState, pagination, screen } from '../frame/parts.ts';
import { type Answer, fresh, get, post, type Visit } from '../frame/route.ts';
import { withQuery } from '../frame/with-query.ts';
import { alarmList } from './alarm-list.ts';
import { addNote, approve, changePlan, showBusiness } from './business-page.ts';
import { businessTable, timeToConfirm } from './business-table.ts';
import { home } from './change-business.ts';
import { alarmsOfAll } from './find-alarms.ts';
import { findCard, findOwner } from './find-business.ts';
import { firstLists } from './first-lists.ts';
import { askDisabling, disable, enable } from './halt-business.ts';
import { beginLook, endLook } from './help-business.ts';
import { inItsCell } from './over-cells.ts';
import { planRoutesOfOperator } from './plans.ts';
import { selectAlertTiming, selectBusinesses } from './queries/operator.ts';
import { saleRoutes } from './sales.ts';
import { showHealth } from './show-health.ts';
import { watchRoutes } from './watch.ts';
import { workshopRoutes } from './workshop/routes.ts';

const perPage = 50;
const change = fresh('operator');

export const operatorRoutes = [
  get(home, 'operator', showBusinesses),
  get(`${home}/health`, 'operator', showHealth),
  get(`${home}/businesses/:merchant_id`, 'operator', (world, visit) => showBusiness(world, visit)),
  get(`${home}/businesses/:merchant_id/disable`, change, (world, visit) => askDisabling(world, visit)),
  post(`${home}/businesses/:merchant_id/disable`, change, disable),
  post(`${home}/businesses/:merchant_id/enable`, change, enable),
  post(`${home}/businesses/:merchant_id/plan`, change, changePlan),
  post(`${home}/businesses/:merchant_id/approve`, change, approve),
  post(`${home}/businesses/:merchant_id/notes`, change, addNote),
  post(`${home}/businesses/:merchant_id/look`, change, beginLook),
  post('/dashboard/look/end', 'look.end', endLook),
  post(`${home}/find`, change, findOwner),
  ...watchRoutes,
  ...planRoutesOfOperator,
  ...saleRoutes,
  ...workshopRoutes,
].map(inItsCell);

async function showBusinesses(world: World, visit: Visit): Promise<Answer> {
  const { texts, query, now } = visit;
  const words = texts.operator;
  const search = query.text('search').slice(0, 200) || null;
  const after = readPosition(query.text('after'));
  const [found, timings] = await Promise.all([
    fromAll(world, ({ sql }) => selectBusinesses(sql, { search, after, limit: perPage + 1, now })),
    inEachCell(world, ({ sql }) => selectAlertTiming(sql, now, { merchantId: null, days: 1 })),
  ]);
  const rows = found.sort(
    (a, b) => b.created_at.getTime() - a.created_at.getTime() || b.merchant_id - a.merchant_id,
  );
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const address = (position: string | null) => withQuery(home, { search, after: position });
  const older =
    rows.length > perPage && last ? address(`${last.created_at.getTime()}.${last.merchant_id}`) : null;
  const nothing =
    search === null
      ? emptyState(words.emptyTitle, words.emptyText)
      : emptyState(words.noneTitle, words.noneText);
  const alarms = await alarmsOfAll(world, now);
  const isFirst = search === null && after === null;
  return screen(texts.shell.navigation.operator, { text: words.businessesText })`
${alarms.length > 0 && isFirst && alarmList(texts, alarms, bankNames(world))}
${isFirst && (await firstLists(world, visit))}
${card(
  html`${timings.map(
    (timing, cell) =>
      html`<p>${world.cells && `${words.cell({ number: cell })}: `}${timing ? timeToConfirm(texts, timing) : texts.labels.outOfReach}</p>`,
  )}`,
  { title: `${words.timing}, ${words.timingDays({ count: 1 })}` },
)}
${card(html`<form method="get" action="${home}" class="stack">${field('search', texts.labels.search, { hint: words.searchHint, value: search ?? '', type: 'search' })}<div class="actions"><button class="button plain">${texts.labels.show}</button></div></form>`)}
${isFirst && findCard(texts)}
${card(shown.length === 0 ? nothing : businessTable(texts, shown, now))}
${pagination(texts, { newer: after === null ? null : address(null), older })}`;
}

function readPosition(text: string): { createdAt: Date; merchantId: number } | null {
  const [, time, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return time && id ? { createdAt: new Date(Number(time)), merchantId: Number(id) } : null;
}
