import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { day, second } from '../../../src/base/clock.ts';
import type { AttemptResult } from '../../../src/outbox/webhooks/queries/attempts.ts';
import {
  type ClaimedDelivery,
  claimDue,
  repeatLapsed,
} from '../../../src/outbox/webhooks/queries/attempts.ts';
import { listDeliveries } from '../../../src/outbox/webhooks/queries/deliveries.ts';
import { openRecorder, recordAttempt, recordDelivered } from '../../../src/outbox/webhooks/record-attempt.ts';
import { webhookRules } from '../../../src/outbox/webhooks/webhook-rules.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { addPaidEvent, allPlaces, claimOne, forgetWebhooks } from '../../support/webhook-world.ts';

const world = await openTestWorld();
const merchants = [
  (await addTestMerchant(world)).merchantId,
  (await addTestMerchant(world)).merchantId,
  (await addTestMerchant(world)).merchantId,
];
const [first = 0] = merchants;
after(() => world.stop());
afterEach(async () => {
  for (const { rule, breaches } of webhookRules) assert.deepEqual(await breaches(world.sql), [], rule);
  await forgetWebhooks(world.sql);
  await world.sql`delete from failing_destinations`;
  await world.sql`delete from notices`;
  await world.sql`delete from orders`;
});

/** Four of each of three businesses, in the hands of a sender. The orders themselves are somebody else's matter. */
async function claimTwelve(): Promise<ClaimedDelivery[]> {
  for (let number = 0; number < 4; number++) {
    for (const merchantId of merchants) await addPaidEvent(world, merchantId, 'https://shop.example.in/hook');
  }
  const claimed = await claimDue(world, allPlaces);
  assert.equal(claimed.length, 12);
  return claimed;
}

const success = (change: Partial<AttemptResult> = {}): AttemptResult => ({
  outcome: 'delivered',
  failure: null,
  statusCode: 200,
  response: 'धन्यवाद',
  request: { url: 'https://shop.example.in/hook', headers: { 'webhook-timestamp': '1793000000' } },
  startedAt: world.clock.now(),
  durationMs: 7,
  ...change,
});

test('successes that end together are all recorded, each with its answer', async () => {
  const claimed = await claimTwelve();
  const record = openRecorder(world);
  const recorded = await Promise.all(
    claimed.map((delivery, number) =>
      record(delivery, success({ durationMs: number, statusCode: 200 + number })),
    ),
  );
  assert.deepEqual(new Set(recorded), new Set(['delivered']));
  for (const [number, { merchant_id, event_id }] of claimed.entries()) {
    const [row] = (await listDeliveries(world, merchant_id, { eventId: event_id })).deliveries;
    assert.deepEqual(
      [row?.state, row?.event_state, row?.duration_ms, row?.status_code, row?.response, row?.failure],
      ['delivered', 'delivered', number, 200 + number, 'धन्यवाद', null],
    );
    assert.deepEqual(row?.request, success().request);
    assert.deepEqual(row?.started_at, world.clock.now());
  }
});

test('a record after the end of its lease is lost, and its batch’s others are kept', async () => {
  const claimed = await claimTwelve();
  const [late] = claimed;
  await world.sql`
    update deliveries_in_hand set leased_until = ${new Date(world.clock.now().getTime() - second)}
    where delivery_id = ${late!.delivery_id}`;
  assert.equal(await repeatLapsed(world.sql, world.clock.now()), 1);
  const recorded = await recordDelivered(
    world,
    claimed.map(delivery => ({ delivery, result: success() })),
  );
  assert.deepEqual(recorded, ['lost', ...Array.from({ length: 11 }, () => 'delivered')]);
  const [again] = (await listDeliveries(world, late!.merchant_id, { eventId: late!.event_id })).deliveries;
  assert.deepEqual([again?.state, again?.attempt, again?.event_state], ['waiting', 2, 'open']);
});

test('a record that the database refuses fails alone', async () => {
  const claimed = await claimTwelve();
  const record = openRecorder(world);
  const outcomes = await Promise.allSettled(
    claimed.map((delivery, number) =>
      record(delivery, success(number === 5 ? { durationMs: Number.MAX_SAFE_INTEGER } : {})),
    ),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    claimed.map((_, number) => (number === 5 ? 'rejected' : 'fulfilled')),
  );
  const [row] = await world.sql`select count(*) as count from delivery_log where state = 'delivered'`;
  assert.equal(row?.['count'], 11);
});

test('the owner of a destination that failed for days is notified once that it works again', async () => {
  await addPaidEvent(world, first, 'https://shop.example.in/hook');
  for (let failures = 0; failures < 6; failures++) {
    const result = success({
      outcome: 'answered',
      failure: because('answered', { status: 500 }),
      statusCode: 500,
    });
    await recordAttempt(world, await claimOne(world), result);
    world.clock.advance(1 * day);
  }
  const notified = async (kind: string) =>
    (await world.sql`select from notices where kind = ${kind} and merchant_id = ${first}`).length;
  assert.equal(await notified('webhook_failing'), 1);
  for (let number = 0; number < 2; number++) await addPaidEvent(world, first, 'https://shop.example.in/hook');
  const claimed = await claimDue(world, allPlaces);
  assert.equal(claimed.length, 3);
  await recordDelivered(
    world,
    claimed.map(delivery => ({ delivery, result: success() })),
  );
  assert.equal(await notified('webhook_working'), 1);
  assert.equal((await world.sql`select from failing_destinations`).length, 0);
});
