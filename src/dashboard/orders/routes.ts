import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { csvHeader } from '../../orders/history/csv-line.ts';
import { type Archive, listArchives, readArchive } from '../../orders/history/queries/archives.ts';
import { type ListPosition, readCursor, writeCursor } from '../../orders/list-orders.ts';
import { sayDay } from '../../texts/say-time.ts';
import { plainLink } from '../frame/controls.ts';
import { type Column, note, screen, table, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, type Visit } from '../frame/route.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { filterForm } from './filter-form.ts';
import { csvCard, type ListPart, orderList } from './list-page.ts';
import {
  countOrders,
  nextPosition,
  type OrderFilter,
  selectLines,
  selectNamed,
  selectOrders,
  selectTakingLines,
} from './queries.ts';
import { readOrderFilter, writeOrderFilter } from './read-order-filter.ts';

const perPage = 25;
const filterNames = ['status', 'q', 'from', 'to', 'account'];

export const ordersRoutes = [
  get('/dashboard/orders', 'business.read', showOrders),
  get('/dashboard/orders/list', 'business.read', refreshOrders),
  get('/dashboard/orders/export.csv', 'orders.export', exportCsv),
  get('/dashboard/orders/archives/:month', 'orders.export', downloadArchive),
];

async function showOrders(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = texts.orders;
  const { filter, ignored } = filterOf(visit);
  const [part, counted, accounts, archives, usage] = await Promise.all([
    listPart(world, visit, filter),
    filter.search === null ? countOrders(world.sql, merchantId, filter, now) : null,
    selectAccounts(world.sql, merchantId),
    listArchives(world.sql, merchantId),
    selectPlanUsage(world.sql, merchantId, now),
  ]);
  // A search reads much more than a page, so it is not refreshed automatically.
  const isLive = part.newer === null && filter.search === null;
  const live = isLive && html` data-live="/dashboard/orders/list${writeOrderFilter(filter)}"`;
  const head = counted && { text: counted.isExact ? words.count(counted) : words.countAbout(counted) };
  return screen(texts.shell.navigation.orders, head ?? {})`
${filterForm(texts, { filter, accounts, ignored, now })}
<section class="card">${filter.search === null && html`<p class="quiet">${isLive ? words.updated : words.paused}</p>`}<div id="order-list"${live}>${orderList(texts, part)}</div></section>
${part.orders.length > 0 && visit.may('orders.export') && csvCard(texts, filter, counted)}
${visit.may('orders.export') && titledCard({ title: texts.register.title })`<p class="quiet">${texts.register.text}</p><div class="actions">${plainLink('/dashboard/orders/register', texts.register.toPage)}</div>`}
${archiveCard(visit, archives, usage?.history_days ?? null)}`;
}

/** Only the list, for the script that refreshes the first page. */
async function refreshOrders(world: World, visit: Visit): Promise<Answer> {
  const part = await listPart(world, visit, filterOf(visit).filter);
  return { kind: 'fragment', body: orderList(visit.texts, part) };
}

async function listPart(world: World, visit: Visit, filter: OrderFilter): Promise<ListPart> {
  const { sql, secrets } = world;
  const { merchantId, now, query } = visit;
  const { search } = filter;
  const cursor = query.text('after');
  const after = cursor === '' ? null : readCursor(secrets, merchantId, cursor);
  const [named, rows] = await Promise.all([
    search === null ? [] : selectNamed(sql, merchantId, { ...filter, search }, { limit: perPage, now }),
    selectOrders(sql, merchantId, filter, { after, limit: perPage + 1, now }),
  ]);
  const isFull = rows.length > perPage;
  const end = isFull ? rows[perPage - 1] : undefined;
  const last = end ? { createdAt: end.created_at, orderId: end.order_id } : null;
  const next = await nextPosition(sql, merchantId, filter, { last, after, now });
  const namedIds = named.map(order => order.order_id);
  const others = rows.slice(0, perPage).filter(order => !namedIds.includes(order.order_id));
  const address = (more: Record<string, string> = {}) => `/dashboard/orders${writeOrderFilter(filter, more)}`;
  return {
    // Exact matches come before partial ones, and only on the first page.
    orders: after === null ? [...named, ...others] : others,
    isFiltered: writeOrderFilter(filter) !== '',
    older: next === null ? null : address({ after: writeCursor(secrets, merchantId, next) }),
    newer: after === null ? null : address(),
    isUnfinished: !isFull && next !== null,
  };
}

async function exportCsv(world: World, visit: Visit): Promise<Answer> {
  const { filter, ignored } = filterOf(visit);
  // Otherwise a file with all orders would look like the requested one.
  if (ignored.length > 0) return notUnderstood(visit, ignored);
  // The search text may name a person, so the log only has the other filters.
  const details = writeOrderFilter({ ...filter, search: null })
    .slice(1)
    .replaceAll('&', ', ');
  await makeChange(world, visit, async () => ({ action: 'orders.export', subject: '', details }));
  const rows = exportOrders(world, visit.merchantId, filter, visit.now);
  const day = visit.now.toISOString().slice(0, 10);
  return csvFile(`orders-${day}.csv`, rows);
}

function csvFile(name: string, rows: AsyncIterable<string | Buffer>): Answer {
  // Reads one batch ahead of a slow client, not sixteen.
  const content = Readable.from(marked(rows), { highWaterMark: 1 });
  return { kind: 'download', name, type: 'text/csv; charset=utf-8', content };
}

/** Without the byte order mark a spreadsheet reads UTF-8 in the computer's own code page. */
async function* marked(rows: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  yield '\ufeff';
  yield* rows;
}

function notUnderstood({ texts }: Visit, ignored: readonly string[]): Answer {
  return screen(texts.shell.navigation.orders, {
    status: 400,
  })`${note(`${texts.orders.notUnderstood} ${ignored.join(', ')}`, 'bad')}
<div class="actions">${plainLink('/dashboard/orders', texts.shell.back)}</div>`;
}

async function downloadArchive(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params } = visit;
  const month = /^(\d{4}-\d{2})\.csv$/.exec(params['month'] ?? '')?.[1];
  const parts = month ? await readArchive(world, merchantId, month) : null;
  if (!month || !parts) return notFound();
  await makeChange(world, visit, async () => ({ action: 'archive.export', subject: month }));
  const rows = pipeline(Readable.from(parts, { highWaterMark: 1 }), createGunzip(), () => {});
  return csvFile(`orders-${month}.csv`, rows);
}

function filterOf({ query }: Visit) {
  return readOrderFilter(Object.fromEntries(filterNames.map(name => [name, query.text(name)])));
}

/** §1: records older than the history window can be downloaded from the Orders screen. */
function archiveCard(visit: Visit, archives: readonly Archive[], historyDays: number | null): Html | null {
  if (historyDays === null && archives.length === 0) return null;
  const words = visit.texts.orders;
  const columns: Column<Archive>[] = [
    { title: visit.texts.labels.month, cell: archive => sayDay(visit.texts.tag, archive.month) },
    { title: visit.texts.shell.navigation.orders, cell: archive => archive.orders, number: true },
    {
      title: words.download,
      cell: archive =>
        visit.may('orders.export') &&
        html`<a href="/dashboard/orders/archives/${archive.month}.csv">${words.download} (CSV)</a>`,
    },
  ];
  return titledCard({ title: words.archives })`
${historyDays !== null && html`<p class="quiet">${words.archivesText({ days: historyDays })}</p>`}
${archives.length === 0 ? html`<p>${words.archivesEmpty}</p>` : table(words.archives, archives, columns)}`;
}

/** Small batches keep the process's memory constant. */
const batch = 250;

/**
 * Writes the filter's orders and then its payments without an order as CSV. Each batch is one short query, so that an
 * export of a million orders holds neither a connection nor memory. `now` stays the same, so that no order changes its
 * status between two batches.
 */
export async function* exportOrders(
  { sql }: Pick<World, 'sql'>,
  merchantId: number,
  filter: OrderFilter,
  now: Date,
): AsyncGenerator<string> {
  yield csvHeader;
  let after: ListPosition | null = null;
  do {
    const { lines, next }: Awaited<ReturnType<typeof selectLines>> = await selectLines(
      sql,
      merchantId,
      filter,
      { after, limit: batch, now },
    );
    if (lines !== '') yield lines;
    after = next;
  } while (after !== null);
  let last: Awaited<ReturnType<typeof selectTakingLines>>[number] | null = null;
  do {
    const takings = await selectTakingLines(sql, merchantId, filter, { after: last, limit: batch, now });
    if (takings.length > 0) yield takings.map(({ line }) => line).join('');
    last = takings.length === batch ? takings.at(-1)! : null;
  } while (last !== null);
}
