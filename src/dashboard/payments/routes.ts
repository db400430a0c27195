import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { readCursor, writeCursor } from '../../orders/list-orders.ts';
import { plainLink } from '../frame/controls.ts';
import { dayText, emptyState, note, pagination, screen } from '../frame/parts.ts';
import { type Answer, get, lead, leave, type Visit } from '../frame/route.ts';
import { dayHeading, type ListRow, money, rowList } from '../frame/rows.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { moneyChanges } from './changes.ts';
import { creditPage } from './credit-page.ts';
import { moneyPath } from './credit-words.ts';
import { archiveCard, exportRoutes } from './export-orders.ts';
import { giveBackRoutes } from './give-back.ts';
import { heldMailRoutes } from './held-mail.ts';
import { listAddress, listTools, paymentsPath, viewTabs } from './list-tools.ts';
import { readOrderFilter } from './order-filter.ts';
import { dayList, rowsOf } from './payment-rows.ts';
import { sumMoneyToDo } from './queries/credits.ts';
import { selectEntries, type View, views } from './queries/entries.ts';
import { type Entry, mostSearched, type OrderFilter, searchFloor, selectNamed } from './queries/orders.ts';
import { refusedMails } from './refused-mails.ts';
import { switchRoutes } from './switches.ts';
import { toDoCards, toDoChanges } from './to-do-cards.ts';

const perPage = 25;

export const paymentsRoutes = [
  ...exportRoutes,
  ...heldMailRoutes,
  get(`${moneyPath}/:alert_id`, 'business.read', creditPage),
  get(`${moneyPath}/:alert_id/orders/:order_id`, 'business.read', creditPage),
  ...giveBackRoutes,
  ...toDoChanges,
  ...moneyChanges,
  ...switchRoutes,
  get(paymentsPath, 'business.read', showPayments),
  get(`${paymentsPath}/list`, 'business.read', async (world, visit) => {
    const asked = readAsked(visit);
    return {
      kind: 'fragment',
      body: await listPart(world, visit, asked, await readPage(world, visit, asked)),
    };
  }),
  get(`${paymentsPath}/not-counted`, 'business.read', refusedMails),
  get('/dashboard/orders/list', 'business.read', async (_world, { url }) => leave(url.replace('/list', ''))),
  get('/dashboard/today/days', 'business.read', async () => leave('/dashboard')),
  lead('/dashboard/orders', `${paymentsPath}?view=orders`),
  lead('/dashboard/money', `${paymentsPath}?view=decide`),
  lead('/dashboard/money/takings', `${paymentsPath}?view=paid`),
  lead('/dashboard/money/handled', `${paymentsPath}?view=kept`),
  lead('/dashboard/money/refused', `${paymentsPath}/not-counted`),
];

type Asked = { view: View; filter: OrderFilter; ignored: string[] };

function readAsked({ query }: Visit): Asked {
  const { filter, ignored } = readOrderFilter(query);
  const view = views.find(one => one === query.text('view')) ?? (filter.status ? 'orders' : 'all');
  return { view, filter, ignored };
}

async function showPayments(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const asked = readAsked(visit);
  const { view, filter, ignored } = asked;
  const [page, accounts, toDo] = await Promise.all([
    readPage(world, visit, asked),
    selectAccounts(world.sql, merchantId),
    sumMoneyToDo(world.sql, merchantId, now),
  ]);
  const isFirst = page.newer === null;
  // A search reads much more than a page, so it is not refreshed automatically.
  const address = listAddress(view, filter).replace(paymentsPath, `${paymentsPath}/list`);
  const live = isFirst && filter.search === null && html` data-live="${address}"`;
  const extra =
    view === 'decide' && isFirst
      ? await toDoCards(world, visit, toDo)
      : view === 'orders' && (await archiveCard(world, visit));
  return screen(texts.payments.views[view === 'orders' ? 'orders' : 'place'], {
    quietOnPhone: true,
  })`<div class="stack near">
${viewTabs(visit, view, filter, toDo.count)}
${ignored.length > 0 && note(`${texts.orders.ignored} ${ignored.join(', ')}`)}
${listTools(visit, { view, filter, accounts })}
${extra}
<div id="payments-list"${live}>${await listPart(world, visit, asked, page)}</div></div>`;
}

/** The list's first rows for a text, for the search at the top. A text that cannot be searched finds nothing. */
export async function findPayments(world: World, visit: Visit, most: number): Promise<ListRow[]> {
  const asked = readAsked(visit);
  if (asked.filter.search === null) return [];
  const { entries } = await readPage(world, visit, asked);
  return await rowsOf(world, visit, entries.slice(0, most));
}

type Page = { entries: readonly Entry[]; older: string | null; newer: string | null; isUnfinished: boolean };

async function readPage({ sql, secrets }: World, visit: Visit, { view, filter }: Asked): Promise<Page> {
  const { merchantId, now, query } = visit;
  const { search } = filter;
  const cursor = query.text('after');
  const after = cursor === '' ? null : readCursor(secrets, merchantId, cursor);
  const asked = { view, filter, after, limit: perPage + 1, now };
  const [named, rows] = await Promise.all([
    search === null || after !== null || !['all', 'paid', 'orders'].includes(view)
      ? []
      : selectNamed(sql, merchantId, { ...filter, search }, { limit: perPage, now }),
    selectEntries(sql, merchantId, asked),
  ]);
  const end = rows.length > perPage ? rows[perPage - 1] : undefined;
  const next = end ? { createdAt: end.at, orderId: end.id } : await searchFloor(sql, merchantId, asked);
  const ids = named.map(({ id }) => id);
  const further = rows.slice(0, perPage).filter(one => one.kind !== 'order' || !ids.includes(one.id));
  return {
    // Exact matches come before partial ones, and only on the first page.
    entries: [...named, ...further],
    older:
      next === null ? null : listAddress(view, filter, { after: writeCursor(secrets, merchantId, next) }),
    newer: after === null ? null : listAddress(view, filter),
    isUnfinished: !end && next !== null,
  };
}

async function listPart(world: World, visit: Visit, { view, filter }: Asked, page: Page): Promise<Html> {
  const { texts } = visit;
  const { entries, older, newer, isUnfinished } = page;
  const goOn =
    isUnfinished &&
    older !== null &&
    html`<p class="quiet">${texts.orders.looked({ count: mostSearched })}</p><div class="actions">${plainLink(older, texts.orders.lookOn)}</div>`;
  const links = pagination(texts, { newer, older: isUnfinished ? null : older });
  if (entries.length === 0)
    return html`${(!isUnfinished || newer === null) && nothing(visit, view, filter)}${goOn}${links}`;
  if (filter.search !== null)
    return html`${rowList(await rowsOf(world, visit, entries), { wide: true })}${goOn}${links}`;
  const isCounted = (view === 'all' || view === 'paid') && filter.accountId === null;
  const isWhole = isCounted && newer === null && listAddress(view, filter) === listAddress(view);
  return html`${isWhole && (await monthTotal(world, visit))}${await dayList(world, visit, entries, { isCounted, wide: true })}${links}`;
}

/** Once above the list. It is a single row, so also cheap in a shop with many payments. */
async function monthTotal({ sql }: World, { texts, merchantId, now }: Visit): Promise<Html | false> {
  const { collected_paise: sum = 0 } = (await selectPlanUsage(sql, merchantId, now)) ?? {};
  return sum > 0 && dayHeading(dayText(texts.tag, now, 'monthName'), html`<b class="ink">${money(sum)}</b>`);
}

function nothing({ texts }: Visit, view: View, filter: OrderFilter): Html {
  const words = texts.payments;
  const isFiltered = listAddress(view, filter) !== listAddress(view);
  if (isFiltered) return emptyState(words.noneTitle, words.noneText, undefined, 'search');
  const [title, text] = words.empty[view];
  return view === 'all' || view === 'orders'
    ? emptyState(title, text, plainLink('/dashboard/counter', words.collect))
    : emptyState(title, text, plainLink(paymentsPath, words.seeAll), view === 'decide' ? 'tick' : 'payments');
}
