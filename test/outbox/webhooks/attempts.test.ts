import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { day, hour, second, systemClock } from '../../../src/base/clock.ts';
import { attemptDelivery } from '../../../src/outbox/webhooks/attempt-delivery.ts';
import { claimDue, repeatLapsed } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { listDeliveries } from '../../../src/outbox/webhooks/queries/deliveries.ts';
import { Stopping } from '../../../src/outbox/webhooks/reason-of-failure.ts';
import { recordAttempt } from '../../../src/outbox/webhooks/record-attempt.ts';
import { retryPauses } from '../../../src/outbox/webhooks/record-event.ts';
import {
  revealWebhookSecret,
  rotateWebhookSecret,
} from '../../../src/outbox/webhooks/reveal-webhook-secret.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { answer } from '../../support/webhook-receiver.ts';
import { webhookStage } from '../../support/webhook-stage.ts';
import {
  addPaidEvent,
  allPlaces,
  claimOne,
  deliverOne,
  recordPaidEvent,
} from '../../support/webhook-world.ts';

const { world, merchantId, receiver, rawReceiver } = await webhookStage();
const never = new AbortController().signal;

test('an event is signed so that the public package accepts it, and its body is the order', async () => {
  world.clock.set(systemClock.now());
  const shop = await receiver();
  const eventId = await addPaidEvent(world, merchantId, shop.url, 'ML-0000000001');
  assert.equal(await deliverOne(world), 'delivered');
  const [got] = shop.received;
  const { secret } = (await revealWebhookSecret(world.sql, world, merchantId))!;
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

test('after a rotation both secrets sign for a day, then only the new one', async () => {
  world.clock.set(systemClock.now());
  const shop = await receiver();
  const { merchantId } = await addTestMerchant(world);
  const before = (await revealWebhookSecret(world.sql, world, merchantId))!.secret;
  const next = (await rotateWebhookSecret(world.sql, world, merchantId, null))!;
  assert.notEqual(next, before);
  assert.equal((await revealWebhookSecret(world.sql, world, merchantId))!.secret, next);
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
  assert.equal((await revealWebhookSecret(world.sql, world, merchantId))!.oldSignsUntil, null);
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

test('an event of a failed transaction is never sent', async () => {
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

test('a failing shop is tried on the schedule with the same id and bytes; then the event is given up and the owner notified', async () => {
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
  const { state, failure, status_code, response, event_state, request } = (
    await listDeliveries(world, merchantId)
  ).deliveries[0]!;
  assert.deepEqual(
    [state, failure, status_code, response, event_state],
    ['failed', because('answered', { status: 500 }), 500, 'down', 'failed'],
  );
  assert.equal(request?.['url'], shop.url);
  assert.doesNotMatch(JSON.stringify(request), /v1,[A-Za-z0-9+/]/);
});

test('five attempts happen before minute 15, also with the longest pauses', () => {
  const fifth = retryPauses.slice(0, 4).reduce((sum, pause) => sum + pause * 1.1, 0);
  assert.ok(fifth < 15 * 60 * second);
  assert.ok(retryPauses.reduce((sum, pause) => sum + pause, 0) > 3 * day - 1 * hour);
});

test('a dead sender’s deliveries are repeated when its lease ends, and its own late record changes nothing', async () => {
  const shop = await receiver();
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  const slow = await claimOne(world);
  const late = await attemptDelivery(world, slow, never);
  world.clock.advance(30 * second - 1);
  assert.equal(await repeatLapsed(world.sql, world.clock.now()), 0);
  world.clock.advance(1);
  assert.equal(await repeatLapsed(world.sql, world.clock.now()), 1);
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

test('an attempt that a stop interrupts is returned and due at once', async () => {
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
