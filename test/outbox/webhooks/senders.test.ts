import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { after, afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { later, second, systemClock } from '../../../src/base/clock.ts';
import { openMetrics } from '../../../src/base/metrics.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import type { World } from '../../../src/base/world.ts';
import { repeatLapsed } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { listDeliveries } from '../../../src/outbox/webhooks/queries/deliveries.ts';
import { startDelivering } from '../../../src/outbox/webhooks/start-delivering.ts';
import { webhookRules } from '../../../src/outbox/webhooks/webhook-rules.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { type Answering, answer, type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { addPaidEvent, deliverOne, forgetWebhooks } from '../../support/webhook-world.ts';

const key = randomBytes(32);
const world = { ...(await openTestWorld()), secrets: secretBox([key]) };
world.clock.set(systemClock.now());
const { merchantId } = await addTestMerchant(world);
const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  await forgetWebhooks(world.sql);
  await world.sql`delete from failing_destinations`;
});
after(() => world.stop());

async function receiver(answering?: Answering): Promise<Receiver> {
  const started = await startReceiver(answering);
  open.push(started.stop);
  return started;
}

function sender(): { stop(): Promise<void> } {
  const own: World = { ...world, clock: systemClock, metrics: openMetrics() };
  const started = startDelivering(own);
  open.push(started.stop);
  return started;
}

async function untilDelivered(count: number): Promise<void> {
  for (;;) {
    const [row] = await world.sql`select count(*)::int as count from delivery_log where state = 'delivered'`;
    if (row?.['count'] === count) return;
  }
}

test('a sender that sleeps is woken by the commit', async () => {
  const shop = await receiver();
  sender();
  await addPaidEvent(world, merchantId, shop.url);
  await shop.until(1);
  await untilDelivered(1);
  await addPaidEvent(world, merchantId, shop.url);
  await shop.until(2);
  await untilDelivered(2);
});

test('an event whose NOTIFY was lost is found anyway', async () => {
  const shop = await receiver();
  sender();
  await addPaidEvent(world, merchantId, shop.url);
  await untilDelivered(1);
  const now = systemClock.now();
  await world.sql`insert into events (merchant_id, event_id, type, webhook_url, created_at)
    values (${merchantId}, 'evt_silent', 'payment.paid', ${shop.url}, ${now})`;
  await world.sql`insert into event_bodies (merchant_id, event_id, body, created_at)
    values (${merchantId}, 'evt_silent', '{}', ${now})`;
  await world.sql`insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at)
    values (${merchantId}, 'evt_silent', 1, 0, '127.0.0.1', ${now})`;
  await untilDelivered(2);
});

test('two senders send each event once, four at a time to one shop', async () => {
  // The first wait for the fourth: on a slow machine they would end one by one.
  const held: ServerResponse[] = [];
  let met = 0;
  const shop = await receiver(response => {
    held.push(response);
    if (++met >= 4) setTimeout(() => held.splice(0).forEach(one => void one.end()), 50);
  });
  for (let count = 0; count < 60; count++) await addPaidEvent(world, merchantId, shop.url);
  sender();
  sender();
  await untilDelivered(60);
  assert.equal(new Set(shop.received.map(({ headers }) => headers['webhook-id'])).size, 60);
  assert.equal(shop.received.length, 60);
  assert.equal(shop.mostAtOnce(), 4);
});

test('a sender continues after its connections were cut, LISTEN too', async () => {
  const shop = await receiver();
  sender();
  await addPaidEvent(world, merchantId, shop.url);
  await untilDelivered(1);
  await world.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const again = async () => await addPaidEvent(world, merchantId, shop.url);
  // The pool hands out a connection that was cut just now once or twice.
  await again().catch(again).catch(again).catch(again);
  await shop.until(2);
});

test('a stop returns hanging deliveries, and the next sender takes them at once', async () => {
  let isHanging = true;
  const shop = await receiver(response => void (isHanging || response.end()));
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  const first = sender();
  await shop.until(1);
  await first.stop();
  const { deliveries } = await listDeliveries(world, merchantId, { eventId });
  assert.deepEqual(
    deliveries.map(({ state }) => state),
    ['waiting', 'failed'],
  );
  isHanging = false;
  sender();
  await shop.until(2);
  await untilDelivered(1);
});

test('a sender killed between send and record loses nothing: the same id and bytes are sent again', async () => {
  let child: ChildProcess | undefined;
  const died: Promise<unknown>[] = [];
  const shop = await receiver((response, request) => {
    // The request has arrived whole; the sender dies before it can hear the answer.
    if (child && child.exitCode === null && child.signalCode === null) {
      died.push(once(child, 'exit'));
      child.kill('SIGKILL');
      request.socket.destroy();
      return;
    }
    answer(200)(response, request);
  });
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  const program = fileURLToPath(new URL('../../support/sender-process.ts', import.meta.url));
  child = spawn(process.execPath, [program, world.databaseUrl, key.toString('hex')], { stdio: 'inherit' });
  await shop.until(1);
  await Promise.all(died);
  assert.equal(child.signalCode, 'SIGKILL');
  const [row] =
    await world.sql`select d.state, h.leased_until from deliveries d join deliveries_in_hand h using (event_id)`;
  assert.equal(row?.['state'], 'sending');

  world.clock.set(later(row?.['leased_until'] as Date, 1));
  assert.equal(await repeatLapsed(world.sql, world.clock.now()), 1);
  assert.equal(await deliverOne(world), 'delivered');
  const [one, two] = shop.received;
  assert.equal(one!.body, two!.body);
  assert.deepEqual([one!.headers['webhook-id'], two!.headers['webhook-id']], [eventId, eventId]);
  assert.deepEqual(await webhookRules[2]!.breaches(world.sql), []);
  world.clock.set(later(systemClock.now(), -1 * second));
});
