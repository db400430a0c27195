import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { csvHeader } from '../../orders/history/csv-line.ts';
import { listArchives, readArchive } from '../../orders/history/queries/archives.ts';
import type { ListPosition } from '../../orders/list-orders.ts';
import { sayDay } from '../../texts/say-time.ts';
import { fold } from '../frame/choosing.ts';
import { plainLink } from '../frame/controls.ts';
import { indianDay } from '../frame/indian-days.ts';
import { note, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, type Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { readOrderFilter, writeOrderFilter } from './order-filter.ts';
import {
  type Lines,
  type OrderFilter,
  type OrderlessPosition,
  selectLines,
  selectOrderlessLines,
} from './queries/orders.ts';

export const exportRoutes = [
  get('/dashboard/orders/export.csv', 'orders.export', exportCsv),
  get('/dashboard/orders/archives/:month', 'orders.export', downloadArchive),
];

async function exportCsv(world: World, visit: Visit): Promise<Answer> {
  const { texts } = visit;
  const { filter, ignored } = readOrderFilter(visit.query);
  // Otherwise a file with all orders would look like the requested one.
  if (ignored.length > 0)
    return screen(texts.payments.views.orders, { status: 400 })`
${note(`${texts.orders.notUnderstood} ${ignored.join(', ')}`, 'bad')}
<div class="actions">${plainLink('/dashboard/payments?view=orders', texts.shell.back)}</div>`;
  // The search text may name a person, so the log only has the other filters.
  const details = writeOrderFilter({ ...filter, search: null })
    .slice(1)
    .replaceAll('&', ', ');
  await makeChange(world, visit, async () => ({ action: 'orders.export', subject: '', details }));
  const rows = exportOrders(world, visit.merchantId, filter, visit.now);
  return csvFile(`orders-${indianDay(visit.now)}.csv`, rows);
}

function csvFile(name: string, rows: AsyncIterable<string | Buffer>): Answer {
  // Reads one batch ahead of a slow client, not sixteen.
  const content = Readable.from(withBom(rows), { highWaterMark: 1 });
  return { kind: 'download', name, type: 'text/csv; charset=utf-8', content };
}

/** Without the byte order mark a spreadsheet reads UTF-8 in the computer's own code page. */
async function* withBom(rows: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  yield '\ufeff';
  yield* rows;
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

/** §1: records older than the history window can be downloaded from the view Orders. */
export async function archiveCard({ sql }: World, { texts, merchantId, may, now }: Visit) {
  if (!may('orders.export')) return null;
  const [archives, usage] = await Promise.all([
    listArchives(sql, merchantId),
    selectPlanUsage(sql, merchantId, now),
  ]);
  const days = usage?.history_days ?? null;
  if (days === null && archives.length === 0) return null;
  const words = texts.orders;
  const rows = archives.map(({ month, orders }) => ({
    href: `/dashboard/orders/archives/${month}.csv`,
    who: sayDay(texts.tag, month),
    what: words.count({ count: orders }),
    state: html`${words.download} (CSV)`,
  }));
  return fold(
    words.archives,
    html`${days !== null && html`<p class="quiet">${words.archivesText({ days })}</p>`}
${rows.length === 0 ? html`<p>${words.archivesEmpty}</p>` : rowList(rows)}`,
  );
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
  yield* linesOf<ListPosition>(after => selectLines(sql, merchantId, filter, { after, limit: batch, now }));
  yield* linesOf<OrderlessPosition>(after =>
    selectOrderlessLines(sql, merchantId, filter, { after, limit: batch, now }),
  );
}

async function* linesOf<Position>(read: (after: Position | null) => Promise<Lines<Position>>) {
  let after: Position | null = null;
  do {
    const { lines, next }: Lines<Position> = await read(after);
    if (lines !== '') yield lines;
    after = next;
  } while (after !== null);
}
