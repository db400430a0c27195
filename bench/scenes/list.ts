import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureSizes } from '../../scripts/measure-sizes.ts';
import { stopwatch, systemClock } from '../../src/base/clock.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { addUser } from '../../src/business/accounts/add-user.ts';
import { startSession } from '../../src/business/accounts/session.ts';
import { writeCursor } from '../../src/orders/list-orders.ts';
import { type OrderStatus, orderStatuses } from '../../src/orders/schemas.ts';
import { addHistory } from '../http/add-history.ts';
import { addMerchants, type Merchant } from '../http/add-merchants.ts';
import { median } from '../http/alternate.ts';
import { needPrograms } from '../http/need-programs.ts';
import { runWrk } from '../http/run-wrk.ts';
import { type Service, startService } from '../http/start-service.ts';
import { report } from '../report.ts';

/**
 * Measures screens of a shop and its customers with much data or a slow phone:
 * - `list`: pages of 100 orders of a business with a million against those of one with a thousand, in turns.
 * - `csv`: the most memory of a `web` process while an owner downloads a million orders as CSV, against what the same
 *   process takes after ten seconds of ordinary requests.
 * - `page`: what the hosted page and the widget weigh, and Lighthouse's scores, against their budgets.
 */
const scenes: Record<string, () => Promise<void>> = { list, csv, page };
const sizes = { small: 1_000, large: Number(process.argv[3] ?? 1_000_000) };
const perPage = 100;
const times = 60;
const uncounted = 10;

await scenes[process.argv[2] ?? 'list']!();

async function list(): Promise<void> {
  await withHistory(async (service, small, large) => {
    const rows = [];
    for (const { name, ofSmall, ofLarge } of await pages(service, small, large)) {
      const [fast, slow] = await measure(service, [small, ofSmall], [large, ofLarge]);
      rows.push({
        page: name,
        '1,000: p50 ms': fast.toFixed(2),
        [`${sizes.large.toLocaleString('en')}: p50 ms`]: slow.toFixed(2),
        times: (slow / fast).toFixed(2),
      });
    }
    const ratio = Math.max(...rows.map(({ times }) => Number(times)));
    report({ name: 'list', aim: { atMost: 1.5 }, ratio, rows });
  });
}

/** A service with a business of each size. */
async function withHistory(
  work: (service: Service, small: Merchant, large: Merchant) => Promise<void>,
): Promise<void> {
  const service = await startService();
  try {
    const [small, large] = (await addMerchants(service.sql, 1_000_000_000_001, 2)) as [Merchant, Merchant];
    const seeding = stopwatch();
    await addHistory(service.sql, small, sizes.small);
    await addHistory(service.sql, large, sizes.large);
    await service.sql.unsafe('vacuum analyze');
    await service.sql.unsafe('checkpoint');
    console.log(`seeded ${sizes.large} orders in ${Math.round(seeding() / 1000)} s`);
    await sleep(1000);
    await work(service, small, large);
  } finally {
    await service.stop();
  }
}

type Page = { query: string; orders: number; hasMore: boolean };

/** First and last page, of everything and of every filter. */
async function pages(service: Service, small: Merchant, large: Merchant) {
  const both = async (name: string, page: (merchant: Merchant) => Promise<Page>) => ({
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
      await both(`${words}, last`, async merchant => ({
        query: `${filter}&cursor=${await lastCursor(service, merchant, status)}`,
        orders: perPage,
        hasMore: false,
      })),
    );
  }
  for (const [words, place] of [
    ['newest', () => 1],
    ['oldest', (merchant: Merchant) => (merchant === small ? sizes.small : sizes.large)],
  ] as const) {
    const page = async (merchant: Merchant) => ({
      query: `&merchant_order_id=cart-${place(merchant)}`,
      orders: 1,
      hasMore: false,
    });
    all.push(await both(`merchant_order_id, ${words}`, page));
  }
  return all;
}

/** Behind this one come the last hundred: what a shop holds after it has asked for every page before. */
async function lastCursor(
  { sql, secretKey }: Service,
  { merchantId }: Merchant,
  status: OrderStatus | null,
): Promise<string> {
  const stored = status === 'expired' ? 'pending' : status;
  const now = systemClock.now();
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
  return writeCursor(secretBox([secretKey]), merchantId, position);
}

/** Milliseconds of a page, in the middle of many. */
async function measure(
  service: Service,
  ...sides: [merchant: Merchant, page: Page][]
): Promise<[small: number, large: number]> {
  const taken: [number[], number[]] = [[], []];
  for (let time = 0; time < uncounted + times; time++) {
    for (const [side, [merchant, page]] of sides.entries()) {
      const took = stopwatch();
      const response = await fetch(`${service.url}/api/v1/orders?limit=${perPage}${page.query}`, {
        headers: { 'x-api-key': merchant.apiKey },
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

async function csv(): Promise<void> {
  needPrograms('wrk');
  await withHistory(async (service, _small, merchant) => {
    const asked = Array.from(
      { length: 1000 },
      (_, place) => `/api/v1/orders/ML-${String(place + 1).padStart(10, '0')} ${merchant.apiKey}`,
    );
    await runWrk(service.url, 'read', asked, { seconds: 10 });
    const cookie = await signIn(service, merchant);
    // The screen's first memory must not count for the export.
    await download(service, cookie, '?status=failed');
    const before = memory(service);
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, memory(service));
    }, 50);
    const took = stopwatch();
    const { lines, bytes } = await download(service, cookie, '');
    const seconds = (took() / 1000).toFixed(0);
    clearInterval(watching);
    assert.equal(lines, sizes.large + 1);
    await sleep(5000);
    const row = (what: string, mebibytes: number) => ({ what, MiB: Math.round(mebibytes) });
    report({
      name: 'csv',
      aim: { atMost: 1.35 },
      ratio: most / before,
      rows: [
        row('after ten seconds of ordinary requests', before),
        row(`most during ${sizes.large} orders, ${Math.round(bytes / 1e6)} MB in ${seconds} s`, most),
        row('five seconds after', memory(service)),
      ],
    });
  });
}

async function signIn({ sql, secretKey }: Service, { merchantId }: Merchant): Promise<string> {
  const world = { sql, clock: systemClock, secrets: secretBox([secretKey]) };
  const person = { email: 'owner@shop.example', passwordHash: 'none', role: 'owner' as const };
  const userId = await addUser(sql, world, merchantId, person);
  const session = { merchantId, userId, stage: 'full' as const, address: '127.0.0.1', agent: 'bench' };
  const { token } = await sql.begin(tx => startSession(tx, world as never, session));
  return `__Host-milaan=${token}`;
}

async function download(
  { url }: Service,
  cookie: string,
  filter: string,
): Promise<{ lines: number; bytes: number }> {
  const answer = await fetch(`${url}/dashboard/orders/export.csv${filter}`, { headers: { cookie } });
  assert.equal(answer.status, 200);
  let lines = 0;
  let bytes = 0;
  for await (const chunk of answer.body!) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines++;
  }
  return { lines, bytes };
}

/** Resident, in MiB. */
function memory({ pid }: Service): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The ratio is the worst of used to allowed; for a score, of the points allowed to those reached. */
async function page(): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  const ratios: number[] = [];
  const add = (what: string, measured: number, budget: number, ratio: number) => {
    ratios.push(ratio);
    rows.push({ what, measured, budget, ratio: ratio.toFixed(2) });
  };
  for (const { what, limit, ...size } of await measureSizes()) {
    if (limit)
      add(`${what}, bytes as ${limit.of}`, size[limit.of], limit.bytes, size[limit.of] / limit.bytes);
  }
  // A line for each page: "merchant account (goal 98): performance 100, accessibility 100, best-practices 100".
  const { stdout, stderr } = spawnSync(process.execPath, ['drills/screens/run.ts', 'lighthouse'], {
    encoding: 'utf8',
  });
  const scores = [...stdout.matchAll(/^(.+?) \(goal (\d+)\): ((?:[a-z-]+ \d+(?:, )?)+)$/gm)];
  if (scores.length === 0) throw new Error(`Lighthouse said nothing:\n${stdout}${stderr}`);
  for (const [, name = '', goal = '', list = ''] of scores) {
    for (const [, category = '', score = ''] of list.matchAll(/([a-z-]+) (\d+)/g)) {
      add(`${name}: ${category}`, Number(score), Number(goal), Number(goal) / Number(score));
    }
  }
  report({ name: 'page', aim: { atMost: 1 }, ratio: Math.max(...ratios), rows });
}
