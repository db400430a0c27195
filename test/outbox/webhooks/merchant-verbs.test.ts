import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { day, hour, minute } from '../../../src/base/clock.ts';
import { listNotices } from '../../../src/outbox/notices/queries.ts';
import { claimDue } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { listDeliveries, webhookHealth } from '../../../src/outbox/webhooks/queries/deliveries.ts';
import { retryPauses } from '../../../src/outbox/webhooks/record-event.ts';
import { resendAllFailed, resendEvent } from '../../../src/outbox/webhooks/resend-event.ts';
import { sendTestEvent } from '../../../src/outbox/webhooks/send-test-event.ts';
import { webhookRules } from '../../../src/outbox/webhooks/webhook-rules.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import {
  addPaidEvent,
  allPlaces,
  claimOne,
  deliverOne,
  forgetWebhooks,
} from '../../support/webhook-world.ts';

const world = await openTestWorld();
let status = 200;
const shop = await startReceiver(response => void response.writeHead(status).end('so it is'));
after(async () => {
  await shop.stop();
  await world.stop();
});

let merchantId = 0;
let stranger = 0;
beforeEach(async () => {
  await forgetWebhooks(world.sql);
  await world.sql`delete from failing_destinations`;
  await world.sql`delete from notices`;
  ({ merchantId } = await addTestMerchant(world));
  stranger = (await addTestMerchant(world)).merchantId;
  status = 200;
});

const kinds = async () => (await listNotices(world, merchantId)).notices.map(({ kind }) => kind);

/** Lets the schedule run out against a shop that fails. */
async function failWholly(): Promise<void> {
  status = 500;
  for (const pause of retryPauses) {
    await deliverOne(world);
    world.clock.advance(pause);
  }
  assert.equal(await deliverOne(world), 'given_up');
}

test('a delivered event is sent again with the same bytes when the merchant asks', async () => {
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  await deliverOne(world);
  assert.equal(await world.sql.begin(tx => resendEvent(tx, world, merchantId, eventId)), 'resent');
  await deliverOne(world);
  const [one, two] = shop.received.slice(-2);
  assert.deepEqual([one!.body, one!.headers['webhook-id']], [two!.body, two!.headers['webhook-id']]);
  const { deliveries } = await listDeliveries(world, merchantId);
  assert.deepEqual(
    deliveries.map(({ attempt, asked_by }) => [attempt, asked_by]),
    [
      [2, 'merchant'],
      [1, 'schedule'],
    ],
  );
});

test('asking twice queues once; a waiting event moves forward, and one being sent is not changed', async () => {
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  await deliverOne(world);
  const asked = await Promise.all(
    Array.from({ length: 8 }, () => world.sql.begin(tx => resendEvent(tx, world, merchantId, eventId))),
  );
  assert.equal(asked.filter(outcome => outcome === 'resent').length, 1);
  await claimOne(world);
  assert.equal(await world.sql.begin(tx => resendEvent(tx, world, merchantId, eventId)), 'being_sent');
});

test('a retry that waits for hours is due at once when the merchant asks', async () => {
  status = 500;
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  await deliverOne(world);
  assert.deepEqual(await claimDue(world, allPlaces), []);
  status = 200;
  assert.equal(await world.sql.begin(tx => resendEvent(tx, world, merchantId, eventId)), 'brought_forward');
  assert.equal(await deliverOne(world), 'delivered');
});

test('another business can neither resend nor list, and is not counted', async () => {
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  await deliverOne(world);
  assert.equal(await world.sql.begin(tx => resendEvent(tx, world, stranger, eventId)), 'unknown');
  assert.deepEqual((await listDeliveries(world, stranger, { eventId })).deliveries, []);
  assert.deepEqual(await webhookHealth(world, stranger), { open: 0, failed: 0, failing: [] });
});

test('all failed events of this business are sent again, and their schedule restarts', async () => {
  await addPaidEvent(world, merchantId, shop.url);
  await failWholly();
  assert.equal((await webhookHealth(world, merchantId)).failed, 1);
  assert.equal(await world.sql.begin(tx => resendAllFailed(tx, world, stranger)), 0);
  assert.equal(await world.sql.begin(tx => resendAllFailed(tx, world, merchantId)), 1);
  assert.equal(await world.sql.begin(tx => resendAllFailed(tx, world, merchantId)), 0);
  assert.equal(await deliverOne(world), 'retry');
  status = 200;
  world.clock.advance(1 * minute);
  assert.equal(await deliverOne(world), 'delivered');
  assert.deepEqual(await webhookHealth(world, merchantId), { open: 0, failed: 0, failing: [] });
  assert.deepEqual(await webhookRules[2]!.breaches(world.sql), []);
});

test('a delivered event stays delivered, though its resend fails for good', async () => {
  const eventId = await addPaidEvent(world, merchantId, shop.url);
  await deliverOne(world);
  await world.sql.begin(tx => resendEvent(tx, world, merchantId, eventId));
  await failWholly();
  assert.equal((await webhookHealth(world, merchantId)).failed, 0);
  assert.deepEqual(await webhookRules[2]!.breaches(world.sql), []);
});

test('a test event is signed, tried once, excluded from "all failed", and limited', async () => {
  status = 500;
  const sent = await sendTestEvent(world, merchantId, shop.url);
  assert.ok(sent.ok);
  assert.equal(await deliverOne(world), 'given_up');
  assert.equal(JSON.parse(shop.received.at(-1)!.body).type, 'webhook.test');
  assert.equal(await world.sql.begin(tx => resendAllFailed(tx, world, merchantId)), 0);
  assert.deepEqual(await kinds(), []);
  const more = [];
  for (let count = 0; count < 6; count++) more.push((await sendTestEvent(world, merchantId, shop.url)).ok);
  assert.deepEqual(more, [true, true, true, true, false, false]);
});

test('a test event is sent to no refused address, and needs an address if there is no order', async () => {
  assert.equal((await sendTestEvent(world, merchantId, 'http://10.0.0.1/')).ok, false);
  assert.equal((await sendTestEvent(world, merchantId)).ok, false);
  assert.deepEqual(await claimDue(world, allPlaces), []);
});

test('pages of deliveries continue where they ended, filtered by order and by failure', async () => {
  for (let count = 0; count < 55; count++) await addPaidEvent(world, merchantId, shop.url, `ML-${count}`);
  const first = await listDeliveries(world, merchantId);
  const second = await listDeliveries(world, merchantId, { before: first.before });
  const rest = await listDeliveries(world, merchantId, { before: second.before });
  const lengths = [first, second, rest].map(({ deliveries }) => deliveries.length);
  assert.deepEqual([...lengths, rest.before], [20, 20, 15, null]);
  const { deliveries } = await listDeliveries(world, merchantId, { orderId: 'ML-7' });
  assert.deepEqual(
    deliveries.map(({ order_id, state }) => [order_id, state]),
    [['ML-7', 'waiting']],
  );
  assert.deepEqual((await listDeliveries(world, merchantId, { onlyFailed: true })).deliveries, []);
});

test('the owner is notified once after two days and five failures, and once when it works again', async () => {
  status = 500;
  await addPaidEvent(world, merchantId, shop.url);
  for (let count = 0; count < 6; count++) {
    await deliverOne(world);
    world.clock.advance(retryPauses[count]!);
  }
  assert.deepEqual(await kinds(), []);
  world.clock.advance(2 * day);
  await deliverOne(world);
  assert.deepEqual(await kinds(), ['webhook_failing']);
  world.clock.advance(1 * day);
  await deliverOne(world);
  assert.deepEqual(await kinds(), ['webhook_failing']);
  status = 200;
  world.clock.advance(1 * day);
  assert.equal(await deliverOne(world), 'delivered');
  assert.deepEqual(await kinds(), ['webhook_working', 'webhook_failing']);
});

test('two days with fewer than five failures notify nobody, and a success restarts the count', async () => {
  status = 500;
  await addPaidEvent(world, merchantId, shop.url);
  await deliverOne(world);
  world.clock.advance(3 * day);
  await deliverOne(world);
  assert.deepEqual(await kinds(), []);
  status = 200;
  world.clock.advance(1 * hour);
  await deliverOne(world);
  assert.deepEqual((await webhookHealth(world, merchantId)).failing, []);
  assert.deepEqual(await kinds(), []);
});

test('the owner is notified of an event that is given up, even if other events get through', async () => {
  await addPaidEvent(world, merchantId, shop.url);
  status = 410;
  assert.equal(await deliverOne(world), 'given_up');
  assert.deepEqual(await kinds(), ['webhook_given_up']);
});
