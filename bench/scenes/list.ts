import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch, systemClock } from '../../src/base/clock.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { writeCursor } from '../../src/orders/list-cursor.ts';
import { type OrderStatus, orderStatuses } from '../../src/orders/order.ts';
import { addBusinesses, type Business } from '../http/add-businesses.ts';
import { addHistory } from '../http/add-history.ts';
import { median } from '../http/alternate.ts';
import { startService } from '../http/start-service.ts';
import { report } from '../report.ts';

/** Pages of 100 orders of a business with a million against those of one with a thousand, in turns. */
const sizes = { small: 1_000, large: 1_000_000 };
const perPage = 100;
const times = 60;
const uncounted = 10;

const service = await startService();
try {
  const [small, large] = (await addBusinesses(service.sql, 1_000_000_000_001, 2)) as [Business, Business];
  const seeding = stopwatch();
  await addHistory(service.sql, small, sizes.small);
  await addHistory(service.sql, large, sizes.large);
  await service.sql.unsafe('vacuum analyze');
  await service.sql.unsafe('checkpoint');
  console.log(`seeded ${sizes.large} orders in ${Math.round(seeding() / 1000)} s`);
  await sleep(1000);

  const rows = [];
  for (const { name, ofSmall, ofLarge } of await pages(small, large)) {
    const [fast, slow] = await measure([small, ofSmall], [large, ofLarge]);
    rows.push({
      page: name,
      '1,000: p50 ms': fast.toFixed(2),
      '1,000,000: p50 ms': slow.toFixed(2),
      times: (slow / fast).toFixed(2),
    });
  }
  const ratio = Math.max(...rows.map(({ times }) => Number(times)));
  report({ name: 'list', aim: { atMost: 1.5 }, ratio, rows });
} finally {
  await service.stop();
}

type Page = { query: string; orders: number; hasMore: boolean };

/** First and last page, of everything and of every filter. */
async function pages(small: Business, large: Business) {
  const both = async (name: string, page: (business: Business) => Promise<Page>) => ({
    name,
    ofSmall: await page(small),
    ofLarge: await page(large),
  });
  const all = [];
  for (const status of [null, ...orderStatuses]) {
    const filter = status === null ? '' : `&status=${status}`;
    const words = status ?? 'all';
    all.push(
      await both(`${words}, first`, async () => ({ query: filter, orders: perPage, hasMore: true })),
      await both(`${words}, last`, async business => ({
        query: `${filter}&cursor=${await lastCursor(business, status)}`,
        orders: perPage,
        hasMore: false,
      })),
    );
  }
  for (const [words, place] of [
    ['newest', () => 1],
    ['oldest', (business: Business) => (business === small ? sizes.small : sizes.large)],
  ] as const) {
    const page = async (business: Business) => ({
      query: `&merchant_order_id=cart-${place(business)}`,
      orders: 1,
      hasMore: false,
    });
    all.push(await both(`merchant_order_id, ${words}`, page));
  }
  return all;
}

/** Behind this one come the last hundred: what a shop holds after it has asked for every page before. */
async function lastCursor({ merchantId }: Business, status: OrderStatus | null): Promise<string> {
  const stored = status === 'expired' ? 'pending' : status;
  const now = systemClock.now();
  const { sql } = service;
  const open =
    status === 'pending'
      ? sql`and expires_at > ${now}`
      : status === 'expired'
        ? sql`and expires_at <= ${now}`
        : sql``;
  const [row] = await sql<{ created_at: Date; order_id: string }[]>`
    select created_at, order_id from orders
    where merchant_id = ${merchantId} ${stored === null ? sql`` : sql`and status = ${stored}`} ${open}
    order by created_at, order_id offset ${perPage} limit 1`;
  const position = { createdAt: row!.created_at, orderId: row!.order_id };
  return writeCursor(secretBox([service.secretKey]), merchantId, position);
}

/** Milliseconds of a page, in the middle of many. */
async function measure(
  ...sides: [business: Business, page: Page][]
): Promise<[small: number, large: number]> {
  const taken: [number[], number[]] = [[], []];
  for (let time = 0; time < uncounted + times; time++) {
    for (const [side, [business, page]] of sides.entries()) {
      const took = stopwatch();
      const response = await fetch(`${service.url}/api/v1/orders?limit=${perPage}${page.query}`, {
        headers: { 'x-api-key': business.apiKey },
      });
      const body = (await response.json()) as { data: unknown[]; has_more: boolean };
      const milliseconds = took();
      assert.deepEqual(
        [response.status, body.data?.length, body.has_more],
        [200, page.orders, page.hasMore],
        page.query,
      );
      if (time >= uncounted) taken[side]!.push(milliseconds);
    }
  }
  return [median(taken[0]), median(taken[1])];
}
