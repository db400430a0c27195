import { bankNames } from '../../alerts/banks/bank-support.ts';
import { type Html, html } from '../../base/http/html.ts';
import { readReference } from '../../base/read-reference.ts';
import type { World } from '../../base/world.ts';
import { type AtLimit, selectAtLimit } from '../../business/merchants/notify-of-limits.ts';
import { fromAll } from '../../operator/cells/in-each-cell.ts';
import { merchantOfToken } from '../../orders/order.ts';
import type { Texts } from '../../texts/languages.ts';
import { field, postButton, postForm } from '../frame/controls.ts';
import { buttonColumn, card, emptyState, moment, pagination, rupees, screen, table } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, post, redirect, type Visit } from '../frame/route.ts';
import { withQuery } from '../frame/with-query.ts';
import { alarmList } from './alarm-list.ts';
import { addNote, approve, changePlan, showBusiness } from './business-page.ts';
import { businessTable } from './business-table.ts';
import { addressOf, askDisabling, businessLink, disable, enable, home } from './change-business.ts';
import { alarmsOfAll } from './find-alarms.ts';
import { beginSupportView, endSupportView } from './help-business.ts';
import { inItsCell } from './over-cells.ts';
import { planRoutesOfOperator } from './plans.ts';
import { type Awaiting, selectAwaiting, selectBusinesses } from './queries/operator.ts';
import { type Hit, selectHits, selectLinkHit } from './queries/support.ts';
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
  post(`${home}/businesses/:merchant_id/look`, change, beginSupportView),
  post('/dashboard/look/end', 'look.end', endSupportView),
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
  const found = await fromAll(world, ({ sql }) =>
    selectBusinesses(sql, { search, after, limit: perPage + 1, now }),
  );
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
${card(html`<form method="get" action="${home}" class="stack">${field('search', texts.labels.search, { hint: words.searchHint, value: search ?? '', type: 'search' })}<div class="actions"><button class="button plain">${texts.labels.show}</button></div></form>`)}
${isFirst && findCard(texts)}
${card(shown.length === 0 ? nothing : businessTable(texts, shown, now))}
${pagination(texts, { newer: after === null ? null : address(null), older })}`;
}

function readPosition(text: string): { createdAt: Date; merchantId: number } | null {
  const [, time, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return time && id ? { createdAt: new Date(Number(time)), merchantId: Number(id) } : null;
}

const longestText = 300;
/** Also matches a link's token. */
const payToken = /(?<![\w-])[\w-]{30}(?![\w-])/;

function findCard({ operatorPlatform: platform, labels }: Texts, value = ''): Html {
  const fields = field('text', platform.find, { hint: platform.findHint, value, required: true });
  return card(postForm(`${home}/find`, labels.show, fields));
}

/** Finds the business behind a customer's or a bank's question. It is a POST, because the search is recorded. */
async function findOwner(world: World, visit: Visit): Promise<Answer> {
  const { texts, form } = visit;
  const words = texts.operatorPlatform;
  const text = form.text('text').slice(0, longestText);
  if (text === '') return redirect(home);
  const token = payToken.exec(text)?.[0];
  const merchantId = token === undefined ? null : merchantOfToken(token);
  const reference = readReference(text);
  const kind = token !== undefined ? 'page' : reference ? 'reference' : text.includes('@') ? 'vpa' : 'order';
  const found = await fromAll(world, ({ sql }) =>
    merchantId === null ? selectHits(sql, text, reference ?? '') : selectLinkHit(sql, merchantId, token!),
  );
  await world.sql.begin(async tx => {
    const hits = found.map(({ merchant_id, kind }) => `${words.hits[kind]}: ${merchant_id}`).join(', ');
    // Never records the search text: it is a customer's reference or UPI ID, or a payment page's secret address (R10).
    const details = { kind: words.hits[kind], count: String(found.length), hits };
    await recordChange(tx, visit, { action: 'operator.find', subject: '', details });
  });
  const columns = [
    { title: texts.labels.business, cell: businessLink },
    { title: words.oddKind, cell: (hit: Hit) => words.hits[hit.kind] },
  ];
  const back = { href: home, text: texts.shell.navigation.operator };
  return screen(words.find, { back })`
${card(found.length === 0 ? html`<p role="status">${words.findNone}</p>` : table(words.find, found, columns))}
${findCard(texts, text)}`;
}

const mostListed = 50;

/** Lists blocked businesses before all others: at their limit, or waiting for an operator's approval. */
async function firstLists(world: World, { texts, now }: Visit): Promise<Html> {
  const [full, awaiting] = await Promise.all([
    fromAll(world, ({ sql }) => selectAtLimit(sql, now, { limit: mostListed, untold: false })),
    fromAll(world, ({ sql }) => selectAwaiting(sql, mostListed)),
  ]);
  return html`${full.length > 0 && limitCard(texts, full)}${awaiting.length > 0 && awaitingCard(texts, awaiting)}`;
}

function limitCard({ operatorPlatform: words, labels }: Texts, rows: readonly AtLimit[]): Html {
  const columns = [
    { title: labels.business, cell: businessLink },
    { title: labels.plan, cell: (row: AtLimit) => row.plan },
    {
      title: words.used,
      number: true,
      cell: (row: AtLimit) =>
        row.monthly_limit_paise === null
          ? labels.noLimit
          : `${Math.floor((row.collected_paise * 100) / row.monthly_limit_paise)} %`,
    },
    { title: labels.thisMonth, number: true, cell: (row: AtLimit) => rupees(row.collected_paise) },
    { title: words.pausedAccounts, number: true, cell: (row: AtLimit) => row.paused },
  ];
  return card(html`<p class="quiet">${words.atLimitText}</p>${table(words.atLimit, rows, columns)}`, {
    title: words.atLimit,
  });
}

function awaitingCard({ operatorPlatform: words, labels, operator }: Texts, rows: readonly Awaiting[]): Html {
  const columns = [
    { title: labels.business, cell: businessLink },
    { title: operator.owner, cell: (row: Awaiting) => row.owner },
    { title: labels.since, cell: (row: Awaiting) => moment(row.created_at, 'date') },
    buttonColumn(words.approve, (row: Awaiting) => postButton(`${addressOf(row)}/approve`, words.approve)),
  ];
  return card(html`<p class="quiet">${words.waitingText}</p>${table(words.waiting, rows, columns)}`, {
    title: words.waiting,
  });
}
