import assert from 'node:assert/strict';
import { second } from '../../../src/base/clock.ts';
import { connect } from '../../../src/base/database/connect.ts';
import { type App, newApp } from '../../../src/base/http/app.ts';
import { payableTime } from '../../../src/base/time-windows.ts';
import { type OrderNews, openOrderNews } from '../../../src/orders/order-news.ts';
import { buildBrowser } from '../../../src/orders/page/build-browser.ts';
import { openPublicStatus } from '../../../src/orders/page/open-public-status.ts';
import { checkoutRoutes } from '../../../src/orders/page/routes.ts';
import { enterReference } from '../../../src/payments/review/enter-reference.ts';
import { openBrowser, phone } from '../../support/browser.ts';
import { addTestOrder, setPaid } from '../../support/checkout-site.ts';
import { needs } from '../../support/needs.ts';
import {
  addTestMerchant,
  openTestWorld,
  type TestMerchant,
  type TestWorld,
} from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';

const { after, afterEach, before, test } = needs('Chromium');

let world: TestWorld;
let news: OrderNews;
let app: App;
let origin: string;
let merchant: TestMerchant;

before(async () => {
  world = await openTestWorld();
  merchant = await addTestMerchant(world);
  news = await openOrderNews(world);
  app = newApp(world);
  checkoutRoutes(app, world, {
    files: await buildBrowser(),
    isBlind: async () => false,
    claim: enterReference,
    news,
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
const open: AbortController[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.abort();
});
after(async () => {
  const closing = app.close();
  // Aborted readers may still hold their end of a connection.
  app.server.closeAllConnections();
  await closing;
  await news.stop();
  await world.stop();
});

const statusOf = async (path: string) =>
  ((await (await fetch(`${origin}${path}/status`)).json()) as { status: string }).status;

/** An answer expires after ten seconds: an earlier change came by notification. */
const beforeItLapses = 8 * second;

/** A change without a notification, which the service itself never makes. */
async function changeSilently(orderId: string, status: string): Promise<void> {
  await world.sql.begin(async tx => {
    await tx`set local session_replication_role = replica`;
    await tx`update orders set status = ${status} where order_id = ${orderId}`;
  });
}

/** Counts in this database only: its copies for other test files have a table with the same number. */
async function waitingForOrders(): Promise<number> {
  const [row] = await world.sql`
    select count(*) as count from pg_locks join pg_database d on d.oid = database
    where not granted and relation = 'orders'::regclass and datname = current_database()`;
  return row?.['count'];
}

test('an answer comes from memory until the database notifies a change, and is then read again at once', async () => {
  const order = await addTestOrder(world, merchant);
  assert.equal(await statusOf(order.path), 'pending');
  await changeSilently(order.orderId, 'manual_review');
  assert.equal(await statusOf(order.path), 'pending', 'from memory');
  await changeSilently(order.orderId, 'pending');
  await setPaid(world, order);
  await waitFor('paid', async () => (await statusOf(order.path)) === 'paid', beforeItLapses);
});

test('an answer from memory has the same headers and bytes as one from the database', async () => {
  const order = await addTestOrder(world, merchant);
  const look = async () => {
    const answer = await fetch(`${origin}${order.path}/status`);
    const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
    return { status: answer.status, headers, body: await answer.text() };
  };
  const asked = await look();
  assert.equal(await statusOf(order.path), 'pending');
  await changeSilently(order.orderId, 'manual_review');
  assert.deepEqual(await look(), asked);
});

test('nobody reads pending after expires_at, though it is in memory', async () => {
  const order = await addTestOrder(world, merchant);
  world.clock.advance(payableTime - 1);
  assert.equal(await statusOf(order.path), 'pending');
  world.clock.advance(1);
  assert.equal(await statusOf(order.path), 'expired');
});

test('an answer from memory is ten seconds old at most, even if it is asked for all the time', async () => {
  const order = await addTestOrder(world, merchant);
  assert.equal(await statusOf(order.path), 'pending');
  await changeSilently(order.orderId, 'manual_review');
  for (const seconds of [4, 4, 1.999]) {
    world.clock.advance(seconds * second);
    assert.equal(await statusOf(order.path), 'pending', 'from memory');
  }
  world.clock.advance(1);
  assert.equal(await statusOf(order.path), 'manual_review');
});

test('an answer that was read before a change and arrived after it is not kept', async () => {
  const order = await addTestOrder(world, merchant);
  const followers = new Set<(token: string | null) => void>();
  const publicStatus = openPublicStatus(world, {
    isHearing: () => true,
    follow: notify => {
      followers.add(notify);
      return () => void followers.delete(notify);
    },
    stop: async () => {},
  });
  const asked = world.sql.begin(async tx => {
    await tx`lock table orders in access exclusive mode`;
    const answer = publicStatus(order.token);
    await waitFor('the question to wait', async () => (await waitingForOrders()) > 0);
    for (const notify of followers) notify(order.token);
    return { answer };
  });
  assert.equal((await (await asked).answer)?.status, 'pending');
  await changeSilently(order.orderId, 'manual_review');
  assert.equal((await publicStatus(order.token))?.status, 'manual_review', 'read again');
  await changeSilently(order.orderId, 'pending');
  assert.equal((await publicStatus(order.token))?.status, 'manual_review', 'from memory');
});

test('while LISTEN is interrupted every status is read from the database, and later notifications fill the memory again', async () => {
  const order = await addTestOrder(world, merchant);
  const admin = connect(world.databaseUrl, { most: 1 });
  let turns = 0;
  const unfollow = news.follow(token => {
    if (token === null) turns++;
  });
  // It hears again after half a second: on a busy machine before we have looked, and then once more.
  for (let isSeen = false; !isSeen; ) {
    await changeSilently(order.orderId, 'pending');
    const before = turns;
    await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%milaan_orders%'`;
    await waitFor('the loss', () => turns > before);
    const [wasLost, lost] = [!news.isHearing(), turns];
    const first = await statusOf(order.path);
    await changeSilently(order.orderId, 'manual_review');
    const then = await statusOf(order.path);
    isSeen = wasLost && turns === lost;
    if (isSeen) assert.deepEqual([first, then], ['pending', 'manual_review']);
    await waitFor('the return', () => news.isHearing());
  }
  unfollow();
  await admin.end();
});

async function openStream(path: string, headers: Record<string, string> = {}) {
  const ending = new AbortController();
  open.push(ending);
  const answer = await fetch(`${origin}${path}/events`, { signal: ending.signal, headers });
  let text = '';
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  return { answer, text: () => text, ended: reading, close: () => ending.abort() };
}

test('an open page is notified with the payment’s commit, and only of its own order', async () => {
  const [mine, other] = [
    await addTestOrder(world, merchant),
    await addTestOrder(world, merchant, { payable: 88_12 }),
  ];
  const [stream, foreign] = [await openStream(mine.path), await openStream(other.path)];
  assert.equal(stream.answer.headers.get('content-type'), 'text/event-stream');
  assert.equal(stream.answer.headers.get('cache-control'), 'no-store');
  await setPaid(world, mine);
  await waitFor('the news', () => stream.text().includes('data: look\n\n'));
  assert.equal(await statusOf(mine.path), 'paid', 'the order that it was notified of is there');
  assert.equal(foreign.text().includes('data'), false);
});

test('an ended order answers 204 instead of a stream, and an unknown one 404', async () => {
  const order = await addTestOrder(world, merchant);
  await setPaid(world, order);
  await waitFor('paid', async () => (await statusOf(order.path)) === 'paid', beforeItLapses);
  assert.equal((await openStream(order.path)).answer.status, 204);
  assert.equal((await openStream(`/pay/${'x'.repeat(30)}`)).answer.status, 404);
});

test('one network has a hundred streams at most, and a closed one frees a place', async () => {
  const order = await addTestOrder(world, merchant);
  const streams = [];
  for (let number = 0; number < 100; number++) streams.push(await openStream(order.path));
  assert.deepEqual(new Set(streams.map(({ answer }) => answer.status)), new Set([200]));
  assert.equal((await openStream(order.path)).answer.status, 204);
  streams[0]!.close();
  await waitFor('room', async () => (await openStream(order.path)).answer.status === 200);
});

test('a page whose timers are suspended is notified of the payment anyway', async () => {
  const browser = await openBrowser();
  const order = await addTestOrder(world, merchant);
  const { page, troubles, close } = await browser.open(phone);
  await page.clock.install();
  const streaming = page.waitForResponse(answer => answer.url().endsWith('/events'));
  await page.goto(origin + order.path);
  await page.clock.pauseAt(Date.now() + 60_000);
  assert.equal((await streaming).status(), 200);
  await setPaid(world, order);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
  await browser.stop();
});
