import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, afterEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { day, hour, second, systemClock } from '../../src/clock.ts';
import { attemptDelivery } from '../../src/webhooks/attempt-delivery.ts';
import { webhookRules } from '../../src/webhooks/check-rules.ts';
import { claimDue } from '../../src/webhooks/claim-due.ts';
import { Stopping } from '../../src/webhooks/failure-in-words.ts';
import { listDeliveries } from '../../src/webhooks/list-deliveries.ts';
import { recordAttempt } from '../../src/webhooks/record-attempt.ts';
import { recordPaidEvent } from '../../src/webhooks/record-event.ts';
import { repeatLapsed } from '../../src/webhooks/repeat-lapsed.ts';
import { revealWebhookSecret } from '../../src/webhooks/reveal-webhook-secret.ts';
import { rotateWebhookSecret } from '../../src/webhooks/rotate-webhook-secret.ts';
import { retryPauses } from '../../src/webhooks/schedule.ts';
import { addTestMerchant, openTestWorld } from '../support/test-world.ts';
import { type Answering, answer, type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { addPaidEvent, allPlaces, claimOne, deliverOne } from '../support/webhook-world.ts';

const world = await openTestWorld();
const { merchantId } = await addTestMerchant(world);
const never = new AbortController().signal;
const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
  const [row] = await world.sql`select count(*)::int as count from orders`;
  // Without orders only the third check speaks; the others have tests of their own.
  assert.deepEqual([row?.['count'], await webhookRules[2]!.breaches(world.sql)], [0, []]);
  await world.sql`delete from deliveries`;
  await world.sql`delete from events`;
  await world.sql`delete from failing_destinations`;
});
after(() => world.stop());

async function receiver(answering?: Answering): Promise<Receiver> {
  const started = await startReceiver(answering);
  open.push(started.stop);
  return started;
}

/** A server below HTTP, for answers that no HTTP library would give. */
async function rawReceiver(onData: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {}).once('data', () => onData(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/hook`;
}

async function lastDelivery() {
  return (await listDeliveries(world, merchantId)).deliveries[0]!;
}

const lastFinished = async () =>
  (await listDeliveries(world, merchantId)).deliveries.find(({ state }) => state !== 'waiting')!;

test('an event is signed so that the public package accepts it, and its body is the order', async () => {
  world.clock.set(systemClock.now());
  const shop = await receiver();
  const eventId = await addPaidEvent(world, merchantId, shop.url, 'ML-0000000001');
  assert.equal(await deliverOne(world), 'delivered');
  const [got] = shop.received;
  const { secret } = (await revealWebhookSecret(world, merchantId))!;
  const payload = new Webhook(secret).verify(got!.body, got!.headers) as Record<string, unknown>;
  assert.deepEqual(Object.keys(payload), ['type', 'timestamp', 'data']);
  assert.equal(payload['type'], 'payment.paid');
  assert.match(String(payload['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal((payload['data'] as Record<string, unknown>)['order_id'], 'ML-0000000001');
  assert.equal(got!.headers['webhook-id'], eventId);
  assert.equal(got!.headers['content-type'], 'application/json');
  assert.equal(got!.headers['accept-encoding'], 'identity');
  assert.throws(() => new Webhook(secret).verify(got!.body.replace('499.37', '1.00'), got!.headers));
});

test('after a rotation both secrets sign for a day, then the new one alone', async () => {
  world.clock.set(systemClock.now());
  const shop = await receiver();
  const { merchantId } = await addTestMerchant(world);
  const before = (await revealWebhookSecret(world, merchantId))!.secret;
  const next = (await rotateWebhookSecret(world, merchantId))!;
  assert.notEqual(next, before);
  assert.equal((await revealWebhookSecret(world, merchantId))!.secret, next);
  await addPaidEvent(world, merchantId, shop.url);
  await deliverOne(world);
  for (const secret of [before, next])
    new Webhook(secret).verify(shop.received[0]!.body, shop.received[0]!.headers);
  await world.sql`update merchants set secret_rotated_at = ${new Date(world.clock.now().getTime() - day)}
    where merchant_id = ${merchantId}`;
  await addPaidEvent(world, merchantId, shop.url);
  await deliverOne(world);
  const second = shop.received[1]!;
  new Webhook(next).verify(second.body, second.headers);
  assert.throws(() => new Webhook(before).verify(second.body, second.headers));
  assert.equal((await revealWebhookSecret(world, merchantId))!.oldSignsUntil, null);
});

test('an order gets one event, however often it is recorded', async () => {
  const paid = {
    merchantId,
    orderId: 'ML-1',
    webhookUrl: 'http://127.0.0.1:1/',
    order: {},
    now: world.clock.now(),
  };
  const results = await Promise.all(
    Array.from({ length: 10 }, () => world.sql.begin(tx => recordPaidEvent(tx, paid))),
  );
  assert.equal(results.filter(Boolean).length, 1);
  assert.equal((await claimDue(world, allPlaces)).length, 1);
});

test('an event of a transaction that fails is never sent', async () => {
  const paid = {
    merchantId,
    orderId: 'ML-2',
    webhookUrl: 'http://127.0.0.1:1/',
    order: {},
    now: world.clock.now(),
  };
  const failing = world.sql.begin(async tx => {
    await recordPaidEvent(tx, paid);
    throw new Error('no payment after all');
  });
  await assert.rejects(failing);
  assert.deepEqual(await claimDue(world, allPlaces), []);
});

test('a shop that fails is tried on the schedule with the same id and bytes, then the event is given up and told', async () => {
  const shop = await receiver(answer(500, 'down'));
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  for (const pause of retryPauses) {
    assert.equal(await deliverOne(world), 'retry');
    world.clock.advance(pause - 1);
    assert.deepEqual(await claimDue(world, allPlaces), []);
    world.clock.advance(1);
  }
  assert.equal(await deliverOne(world), 'given_up');
  world.clock.advance(30 * day);
  assert.deepEqual(await claimDue(world, allPlaces), []);
  assert.equal(shop.received.length, 12);
  assert.deepEqual(new Set(shop.received.map(({ body }) => body)).size, 1);
  assert.deepEqual(new Set(shop.received.map(({ headers }) => headers['webhook-id'])), new Set([eventId]));
  const { state, failure, status_code, response, event_state, request } = await lastDelivery();
  assert.deepEqual(
    [state, failure, status_code, response, event_state],
    ['failed', 'answered 500', 500, 'down', 'failed'],
  );
  assert.equal(request?.['url'], shop.url);
  assert.doesNotMatch(JSON.stringify(request), /v1,[A-Za-z0-9+/]/);
});

test('five attempts fall before minute 15, also with the longest pauses', () => {
  const fifth = retryPauses.slice(0, 4).reduce((sum, pause) => sum + pause * 1.1, 0);
  assert.ok(fifth < 15 * 60 * second);
  assert.ok(retryPauses.reduce((sum, pause) => sum + pause, 0) > 3 * day - 1 * hour);
});

const answers: Record<string, [Answering, Record<string, unknown>]> = {
  'a redirect is a failure and is not followed': [
    answer(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    { state: 'failed', failure: 'redirected with 302; redirects are not followed' },
  ],
  '410 ends the attempts': [
    answer(410, 'gone'),
    { state: 'failed', failure: 'answered 410, which asks for no further attempts', event_state: 'failed' },
  ],
  'any 2xx is success': [answer(204, ''), { state: 'delivered', status_code: 204, event_state: 'delivered' }],
  'a compressed answer is neither unpacked nor shown': [
    response =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
    { state: 'delivered', response: '(a compressed answer, not shown)' },
  ],
  'NUL and broken UTF-8 in an answer are stored as text': [
    response => response.writeHead(500).end(Buffer.from([0x61, 0, 0xff, 0xc3, 0x62])),
    { state: 'failed', response: 'a\ufffd\ufffd\ufffdb' },
  ],
  'headers without end are cut off': [
    response => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(),
    { state: 'failed', failure: 'the headers of the answer were too large' },
  ],
};

for (const [claim, [answering, expected]] of Object.entries(answers)) {
  test(claim, async () => {
    const shop = await receiver(answering);
    await addPaidEvent(world, merchantId, shop.url);
    await deliverOne(world);
    const delivery: Record<string, unknown> = await lastFinished();
    for (const [key, value] of Object.entries(expected)) assert.equal(delivery[key], value, key);
    assert.equal(shop.received.length, 1);
  });
}

test('an endless body is read no further than the first bytes', async () => {
  let sent = 0;
  const shop = await receiver(response => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && sent < 1_000_000_000) {
        sent += 65536;
        if (!response.write('y'.repeat(65536))) return void response.once('drain', more);
      }
    };
    more();
  });
  await addPaidEvent(world, merchantId, shop.url);
  assert.equal(await deliverOne(world), 'delivered');
  assert.equal((await lastFinished()).response, 'y'.repeat(2048));
  assert.ok(sent < 100_000_000);
});

test('a body that drips is not waited for once the status has come', async () => {
  const shop = await receiver(response => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(timer));
  });
  await addPaidEvent(world, merchantId, shop.url);
  assert.equal(await deliverOne(world), 'delivered');
  assert.match((await lastFinished()).response ?? '', /^\.+$/);
});

test('a connection reset and an answer that is not HTTP are failures in words', async () => {
  for (const onData of [
    (socket: Socket) => socket.resetAndDestroy(),
    (socket: Socket) => socket.end('SSH-2.0\r\n'),
  ]) {
    await addPaidEvent(world, merchantId, await rawReceiver(onData));
    assert.equal(await deliverOne(world), 'retry');
    assert.equal((await lastFinished()).failure, 'the connection ended without a valid HTTP answer');
  }
});

test('a receiver that hangs, and one that drips its headers, is given up after 15 seconds in all', async () => {
  const hanging = await rawReceiver(() => {});
  const dripping = await rawReceiver(socket => {
    socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
    const timer = setInterval(() => socket.write('x'), 50);
    socket.on('close', () => clearInterval(timer));
  });
  await addPaidEvent(world, merchantId, hanging);
  await addPaidEvent(world, merchantId, dripping);
  const claimed = await claimDue(world, allPlaces);
  const results = await Promise.all(
    claimed.map(async delivery => {
      const result = await attemptDelivery(world, delivery, never);
      await recordAttempt(world, delivery, result);
      return result.failure;
    }),
  );
  assert.deepEqual(results, ['timed out after 15 seconds', 'timed out after 15 seconds']);
});

test('TLS that does not come about is told as TLS', async () => {
  const url = await rawReceiver(socket => socket.end('HTTP/1.1 400 no TLS here\r\n\r\n'));
  await addPaidEvent(world, merchantId, url.replace('http:', 'https:'));
  await deliverOne(world);
  assert.match((await lastFinished()).failure ?? '', /^the TLS handshake failed \(/);
});

test('a closed port and a missing name are told in words that show no address', async () => {
  await addPaidEvent(world, merchantId, 'http://127.0.0.1:1/');
  await deliverOne(world);
  assert.equal((await lastFinished()).failure, 'no connection could be made');
  await addPaidEvent(world, merchantId, 'http://missing.example.in/');
  await deliverOne(world);
  assert.equal((await lastFinished()).failure, 'the host name was not found');
});

test('a name that turns private after the order was created is refused at the send, without a connection', async () => {
  const shop = await receiver();
  world.dns.addresses.set('shop.example.in', ['93.184.216.34', '10.0.0.1']);
  await addPaidEvent(world, merchantId, `http://shop.example.in:${shop.port}/`);
  assert.equal(await deliverOne(world), 'retry');
  assert.equal((await lastFinished()).failure, 'the host resolves to an address that is not public');
  assert.equal(shop.received.length, 0);
});

test('an address that no rule allows any more is refused at the send', async () => {
  const shop = await receiver();
  const live = { ...world, config: { ...world.config, mode: 'live' as const } };
  await addPaidEvent(world, merchantId, shop.url);
  const result = await attemptDelivery(live, await claimOne(world), never);
  assert.equal(result.outcome, 'refused_address');
  assert.equal(shop.received.length, 0);
  world.clock.advance(30 * second);
  await repeatLapsed(world);
});

test('what a dead sender had in hand is repeated when its lease ends, and its own late record changes nothing', async () => {
  const shop = await receiver();
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  const slow = await claimOne(world);
  const late = await attemptDelivery(world, slow, never);
  world.clock.advance(30 * second - 1);
  assert.equal(await repeatLapsed(world), 0);
  world.clock.advance(1);
  assert.equal(await repeatLapsed(world), 1);
  assert.equal(await recordAttempt(world, slow, late), 'lost');
  assert.equal(await deliverOne(world), 'delivered');
  const { deliveries } = await listDeliveries(world, merchantId, { eventId });
  assert.deepEqual(
    deliveries.map(({ state, attempt }) => [state, attempt]),
    [
      ['delivered', 2],
      ['failed', 1],
    ],
  );
  assert.equal(shop.received[0]!.body, shop.received[1]!.body);
});

test('an attempt cut off by a stop is given back and due at once', async () => {
  const url = await rawReceiver(() => {});
  await addPaidEvent(world, merchantId, url);
  const claimed = await claimOne(world);
  const stop = new AbortController();
  const attempting = attemptDelivery(world, claimed, stop.signal);
  stop.abort(new Stopping());
  const result = await attempting;
  assert.equal(result.outcome, 'interrupted');
  assert.equal(await recordAttempt(world, claimed, result), 'retry');
  assert.equal((await claimOne(world)).step, 0);
});
