import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { second } from '../../../src/base/clock.ts';
import { attemptDelivery, attemptLimit } from '../../../src/outbox/webhooks/attempt-delivery.ts';
import { claimDue, repeatLapsed } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { recordAttempt } from '../../../src/outbox/webhooks/record-attempt.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { type Answering, answer } from '../../support/webhook-receiver.ts';
import { webhookStage } from '../../support/webhook-stage.ts';
import { addPaidEvent, allPlaces, claimOne, deliverOne } from '../../support/webhook-world.ts';

const { world, merchantId, receiver, rawReceiver, lastFinished } = await webhookStage();
const never = new AbortController().signal;

const answers: Record<string, [Answering, Record<string, unknown>]> = {
  'a redirect is a failure and is not followed': [
    answer(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    { state: 'failed', failure: because('redirected', { status: 302 }) },
  ],
  '410 ends the attempts': [
    answer(410, 'gone'),
    { state: 'failed', failure: because('gone'), event_state: 'failed' },
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
    { state: 'failed', failure: because('answer_headers_too_large') },
  ],
};

for (const [claim, [answering, expected]] of Object.entries(answers)) {
  test(claim, async () => {
    const shop = await receiver(answering);
    await addPaidEvent(world, merchantId, shop.url);
    await deliverOne(world);
    const delivery: Record<string, unknown> = await lastFinished();
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(delivery[key], value, key);
    assert.equal(shop.received.length, 1);
  });
}

test('an endless body is read only to its first bytes', async () => {
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

test('a slow body is not waited for after the status', async () => {
  const shop = await receiver(response => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(timer));
  });
  await addPaidEvent(world, merchantId, shop.url);
  assert.equal(await deliverOne(world), 'delivered');
  assert.match((await lastFinished()).response ?? '', /^\.+$/);
});

test('a connection reset and an answer that is not HTTP are explained failures', async () => {
  for (const onData of [
    (socket: Socket) => socket.resetAndDestroy(),
    (socket: Socket) => socket.end('SSH-2.0\r\n'),
  ]) {
    await addPaidEvent(world, merchantId, await rawReceiver(onData));
    assert.equal(await deliverOne(world), 'retry');
    assert.deepEqual((await lastFinished()).failure, because('broken_answer'));
  }
});

test('a receiver that hangs, or sends its headers slowly, is given up after 15 seconds', async () => {
  assert.equal(attemptLimit, 15 * second);
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
      const result = await attemptDelivery(world, delivery, never, null, 0.5 * second);
      await recordAttempt(world, delivery, result);
      return result.failure;
    }),
  );
  assert.deepEqual(results, [because('timed_out'), because('timed_out')]);
});

test('a failed TLS handshake is reported as TLS', async () => {
  const url = await rawReceiver(socket => socket.end('HTTP/1.1 400 no TLS here\r\n\r\n'));
  await addPaidEvent(world, merchantId, url.replace('http:', 'https:'));
  await deliverOne(world);
  assert.equal((await lastFinished()).failure?.code, 'tls_failed');
});

test('a closed port and a missing name are reported without an address', async () => {
  await addPaidEvent(world, merchantId, 'http://127.0.0.1:1/');
  await deliverOne(world);
  assert.deepEqual((await lastFinished()).failure, because('no_connection'));
  await addPaidEvent(world, merchantId, 'http://missing.example.in/');
  await deliverOne(world);
  assert.deepEqual((await lastFinished()).failure, because('host_not_found'));
});

test('a name that became private after the create is refused at the send, without a connection', async () => {
  const shop = await receiver();
  world.dns.addresses.set('shop.example.in', ['93.184.216.34', '10.0.0.1']);
  await addPaidEvent(world, merchantId, `http://shop.example.in:${shop.port}/`);
  assert.equal(await deliverOne(world), 'retry');
  assert.deepEqual((await lastFinished()).failure, because('address_not_public'));
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
  await repeatLapsed(world.sql, world.clock.now());
});
