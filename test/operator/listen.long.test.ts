import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { verifyWebhook } from '../../sdk/src/milaan.ts';
import { listeningRoutes } from '../../src/developers/listening/routes.ts';
import { randomEventId, recordEvent } from '../../src/outbox/webhooks/record-event.ts';
import { sendTestEvent } from '../../src/outbox/webhooks/send-test-event.ts';
import { scenarioNames } from '../../src/sandbox/scenarios.ts';
import { openTestApi } from '../support/api.ts';
import { runMilaan } from '../support/run-milaan.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { prepare, use } from '../support/use.ts';
import { answer, type Received, startReceiver } from '../support/webhook-receiver.ts';

let env: Record<string, string>;
let isLaptopAway = false;
let dataDir: string;

const sandbox = use(openTestSandbox);
prepare(async () => {
  const url = await sandbox.app.listen({ port: 0, host: '127.0.0.1' });
  env = { MILAAN_URL: url, MILAAN_API_KEY: sandbox.file.api_key };
});
const laptop = use(() =>
  startReceiver((response, request) =>
    isLaptopAway ? request.socket.destroy() : answer(204, '')(response, request),
  ),
);
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'milaan-listen-'));
  laptop.received.length = 0;
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const listen = (...args: string[]) =>
  runMilaan({ ...env, DATA_DIR: dataDir }, 'listen', '--once', '--json', '--forward-to', laptop.url, ...args);
const linesOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);
const ordersOf = (received: Received[]) =>
  received.map(({ body }) => (JSON.parse(body) as { data: { order_id: string } }).data.order_id);

async function paidOrder(): Promise<string> {
  sandbox.outside.clock.advance(1000);
  const { order_id: orderId } = await sandbox.create();
  await sandbox.pay(orderId, 'exact');
  return orderId;
}

test('new events are forwarded once, the oldest first, signed with the printed secret', async () => {
  await paidOrder();
  const first = await listen();
  assert.deepEqual([first.code, laptop.received.length], [0, 0], first.err);
  const orders = [await paidOrder(), await paidOrder()];
  const { code, out, err } = await listen();
  assert.equal(code, 0, err);
  assert.deepEqual(ordersOf(laptop.received), orders);
  const [{ secret }, ...printed] = linesOf(out) as [{ secret: string }, ...Record<string, unknown>[]];
  assert.equal(secret, linesOf(first.out)[0]?.['secret'], 'it stays the same');
  assert.deepEqual(
    printed.filter(line => 'event_id' in line).map(line => [line['type'], line['order_id'], line['status']]),
    orders.map(order => ['payment.paid', order, 204]),
  );
  for (const { body, headers } of laptop.received)
    assert.equal((await verifyWebhook(body, headers, secret)).type, 'payment.paid');
  await assert.rejects(
    verifyWebhook(laptop.received[0]!.body, laptop.received[0]!.headers, sandbox.file.webhook_secret),
  );
  await listen();
  assert.equal(laptop.received.length, 2);
});

test('events that could not be forwarded come when the program is back, and none is skipped', async () => {
  await listen();
  const orders = [await paidOrder(), await paidOrder()];
  isLaptopAway = true;
  const { code, out } = await listen();
  isLaptopAway = false;
  assert.equal(code, 2);
  assert.match(String(linesOf(out).at(-1)?.['waiting']), /cannot be reached/);
  laptop.received.length = 0;
  assert.equal((await listen()).code, 0);
  assert.deepEqual(ordersOf(laptop.received), orders);
});

test('an unreachable installation ends with 2, and an unknown key with 1', async () => {
  const nobody = await listen('--url', 'http://127.0.0.1:1');
  assert.deepEqual([nobody.code, laptop.received.length], [2, 0]);
  env = { ...env, MILAAN_API_KEY: `${env['MILAAN_API_KEY']?.slice(0, -1)}_` };
  const stranger = await listen();
  env = { ...env, MILAAN_API_KEY: sandbox.file.api_key };
  assert.equal(stranger.code, 1);
  assert.match(stranger.err, /answered 401.*invalid_api_key/);
});

test('a reset that sets the clock back loses no later event', async () => {
  await sandbox.post('/sandbox/clock', { advance_seconds: 3600 });
  await paidOrder();
  await listen();
  await sandbox.post('/sandbox/reset', {});
  const orders = [await paidOrder(), await paidOrder()];
  assert.equal((await listen()).code, 0);
  assert.deepEqual(ordersOf(laptop.received), orders);
});

test('more events than a page all come, in order', async () => {
  await sandbox.post('/sandbox/reset', {});
  await listen();
  const { world } = sandbox.sandbox;
  const [row] = await world.sql<{ merchant_id: number }[]>`select merchant_id from merchants limit 1`;
  const now = world.clock.now();
  await world.sql.begin(async tx => {
    for (let number = 0; number < 230; number++)
      await recordEvent(tx, {
        merchantId: row!.merchant_id,
        eventId: randomEventId(),
        type: 'webhook.test',
        orderId: null,
        webhookUrl: '',
        data: { order_id: String(number) },
        now: new Date(now.getTime() + number),
      });
  });
  assert.equal((await listen()).code, 0);
  assert.deepEqual(
    ordersOf(laptop.received),
    Array.from({ length: 230 }, (_, number) => String(number)),
  );
});

test('a live business’s listener gets only its own test events', async t => {
  const live = await openTestApi({}, {}, listeningRoutes);
  t.after(() => live.stop());
  const { world, merchant } = live;
  world.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  const now = world.clock.now();
  await world.sql.begin(tx =>
    recordEvent(tx, {
      merchantId: merchant.merchantId,
      eventId: randomEventId(),
      type: 'payment.paid',
      orderId: null,
      webhookUrl: 'https://shop.example.com/hook',
      data: { customer: { name: 'Meera' } },
      now,
    }),
  );
  const sent = await sendTestEvent(world, merchant.merchantId, 'https://shop.example.com/hook');
  assert.ok(sent.ok);
  const ask = async (key: string, path = '/listen/events') =>
    await live.app.inject({ url: path, headers: { 'x-api-key': key } });
  const own = (await ask(merchant.apiKey)).json();
  assert.deepEqual(
    [own.only, own.has_more, own.data.map((one: { event_id: string }) => one.event_id)],
    ['webhook.test', false, [sent.eventId]],
  );
  const other = await addTestMerchant(world);
  assert.deepEqual((await ask(other.apiKey)).json().data, []);
  assert.deepEqual((await ask(other.apiKey, `/listen/events?before=${sent.eventId}`)).json().data, []);
  assert.equal((await ask('nonsense')).statusCode, 401);
  for (const before of ['x', 'evt_%00', 'a&before=b'])
    assert.equal((await ask(merchant.apiKey, `/listen/events?before=${before}`)).statusCode, 400, before);
});

test('trigger plays each scenario, and its exit code says whether it went as it should', async () => {
  await sandbox.post('/sandbox/reset', {});
  const trigger = (...args: string[]) => runMilaan(env, 'trigger', ...args);
  const newOrder = ['--webhook-url', 'https://shop.example.com/hook'];
  const paid = await trigger('paid', ...newOrder, '--json');
  assert.equal(paid.code, 0, paid.err);
  const { order_id: orderId, verdict } = JSON.parse(paid.out) as { order_id: string; verdict: string };
  assert.equal(verdict, 'paid');
  assert.equal((await sandbox.order(orderId))['status'], 'paid');
  const again = await trigger('paid', '--order', orderId);
  assert.deepEqual([again.code, /extra_payment/.test(again.out)], [3, true], again.out);
  for (const way of scenarioNames) {
    const played = await trigger(way, ...newOrder);
    assert.equal(played.code, 0, `${way}: ${played.out}${played.err}`);
  }
  const help = (await trigger('--help')).out;
  for (const way of scenarioNames) assert.match(help, new RegExp(`\\b${way}\\b`));
  const unknown = await trigger('sideways', ...newOrder);
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /no way "sideways": the sandbox has paid, exact, late/);
  assert.match((await trigger()).err, /needs one way: paid, exact, late/);
  assert.equal((await trigger('paid', '--url', 'http://127.0.0.1:1')).code, 2);
  const live = await runMilaan({ ...env, MILAAN_API_KEY: 'ml_live_0' }, 'trigger', 'paid', ...newOrder);
  assert.deepEqual([live.code, /live business/.test(live.err)], [1, true]);
});
