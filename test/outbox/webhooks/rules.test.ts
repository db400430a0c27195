import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { later, minute } from '../../../src/base/clock.ts';
import { webhookRules } from '../../../src/outbox/webhooks/webhook-rules.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { addPaidEvent, forgetWebhooks } from '../../support/webhook-world.ts';

const world = await openTestWorld();
const { merchantId, accountId } = await addTestMerchant(world);
const url = 'http://127.0.0.1:1/';
after(() => world.stop());

beforeEach(async () => {
  await forgetWebhooks(world.sql);
  await world.sql`delete from orders`;
  await addPaidOrder('ML-0000000001');
  await addPaidEvent(world, merchantId, url, 'ML-0000000001');
});

async function addPaidOrder(orderId: string): Promise<void> {
  const now = world.clock.now();
  const order = {
    merchant_id: merchantId,
    order_id: orderId,
    merchant_order_id: orderId,
    amount_paise: 49900,
    payable_paise: 49937,
    status: 'paid',
    created_at: now,
    expires_at: later(now, 5 * minute),
    paid_at: now,
    pay_token: orderId,
    account_id: accountId,
    success_url: url,
    failure_url: url,
    webhook_url: url,
    alert_id: `alert of ${orderId}`,
  };
  await world.sql`insert into orders ${world.sql(order)}`;
}

const breaches = async () => (await Promise.all(webhookRules.map(rule => rule.breaches(world.sql)))).flat();

test('a database written by the program breaks no rule', async () => {
  assert.deepEqual(await breaches(), []);
});

async function giveUp(): Promise<void> {
  await world.sql`insert into given_up_events select merchant_id, event_id, created_at from events`;
}

const damages: Record<string, [() => Promise<unknown>, RegExp]> = {
  'a paid order without an event': [() => addPaidOrder('ML-0000000002'), /ML-0000000002: paid, but without/],
  'an event whose order is not paid': [
    () => world.sql`update orders set status = 'pending', paid_at = null, alert_id = null`,
    /its order is not paid/,
  ],
  'an event with an invented id': [
    async () => {
      for (const table of ['events', 'event_bodies', 'delivery_queue'])
        await world.sql.unsafe(`update ${table} set event_id = 'evt_invented'`);
    },
    /its id is not the derived one/,
  ],
  'an event that tells of another order': [
    () => world.sql`update event_bodies set body = replace(body, 'ML-0000000001', 'ML-0000000009')`,
    /its body names another order/,
  ],
  'an event that tells of another type': [
    () => world.sql`update event_bodies set body = replace(body, 'payment.paid', 'payment.lost')`,
    /its body names another type/,
  ],
  'an event that nobody will send': [() => world.sql`delete from delivery_queue`, /nothing waits to be sent/],
  'an event without its bytes': [() => world.sql`delete from event_bodies`, /its body is not stored/],
  'an event that is given up and in the queue': [() => giveUp(), /a delivery is in the queue/],
  'an event that is given up without an attempt': [
    async () => {
      await giveUp();
      await world.sql`delete from delivery_queue`;
    },
    /failed without a failed attempt/,
  ],
};

for (const [claim, [damage, words]] of Object.entries(damages)) {
  test(`finds ${claim}`, async () => {
    await damage();
    const found = await breaches();
    assert.equal(found.length, 1, found.join('; '));
    assert.match(found[0]!, words);
  });
}
