import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { payableOf } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';

const shop = reviewShop();
const { order, stray, attach, accept, reopen, decline, get } = shop;
const base = paise(500_00);
const own = 'https://shop.example.com/hooks/own';

async function want(types: string[], address: string | null = own): Promise<void> {
  await shop.api.world.sql`
    update merchants set wanted_events = ${types}, webhook_url = ${address} where merchant_id = ${shop.merchant.merchantId}`;
}

async function events() {
  const rows = await shop.api.world.sql`
    select e.type, e.order_id, e.webhook_url, b.body, (select count(*) from deliveries d
      where d.merchant_id = e.merchant_id and d.event_id = e.event_id and d.state = 'waiting')::int as waiting
    from events e join event_bodies b on b.merchant_id = e.merchant_id and b.event_id = e.event_id
    where e.merchant_id = ${shop.merchant.merchantId} order by e.created_at, e.type`;
  return rows.map(row => ({ ...row, body: JSON.parse(row['body']) }));
}

beforeEach(() => shop.api.world.clock.advance(second));

test('a person who chose nothing is notified only of payments', async () => {
  await want([]);
  const { order_id } = await order({ amount: 500 });
  const alertId = await stray({ amount: base });
  await attach(alertId, order_id);
  assert.deepEqual(await shop.eventTypes(), []);
  await accept(alertId, order_id);
  assert.deepEqual(await shop.eventTypes(), ['payment.paid']);
});

test('payment.review carries the waiting order to its own webhook_url, and payment.paid follows the decision', async () => {
  await want(['payment.review']);
  const { order_id } = await order({ amount: 500 });
  const alertId = await stray({ amount: base });
  await attach(alertId, order_id);
  const waiting = await get(order_id);
  assert.equal(waiting.status, 'manual_review');
  const timestamp = shop.api.world.clock.now().toISOString();
  assert.deepEqual(await events(), [
    {
      type: 'payment.review',
      order_id,
      webhook_url: 'https://shop.example.com/hooks/upi',
      body: { type: 'payment.review', timestamp, data: waiting },
      waiting: 1,
    },
  ]);
  shop.api.world.clock.advance(second);
  await accept(alertId, order_id);
  assert.deepEqual(await shop.eventTypes(), ['payment.review', 'payment.paid']);
});

test('payment.review comes once per credit, however often it is attached, and again for another credit', async () => {
  await want(['payment.review']);
  const { order_id } = await order({ amount: 500 });
  const [first, other] = [await stray({ amount: base }), await stray({ amount: base })];
  await attach(first, order_id);
  await reopen(first);
  await attach(first, order_id);
  assert.deepEqual(await shop.eventTypes(), ['payment.review']);
  await decline(first, order_id);
  await attach(other, order_id);
  assert.deepEqual(await shop.eventTypes(), ['payment.review', 'payment.review']);
});

test('an accept without waiting sends no payment.review', async () => {
  await want(['payment.review']);
  const { order_id } = await order({ amount: 500 });
  await accept(await stray({ amount: base }), order_id);
  assert.deepEqual(await shop.eventTypes(), ['payment.paid']);
});

test('payment.unmatched reports money without an order to the business’s address, if it has one', async () => {
  await want(['payment.unmatched'], null);
  await stray({ amount: base });
  assert.deepEqual(await events(), []);
  await want(['payment.unmatched']);
  const created = await order({ amount: 500 });
  const paid_at = shop.api.world.clock.now().toISOString();
  const amount = payableOf(created);
  await stray({ amount });
  const alertId = await stray({ amount, reference: '620132678599', payer: 'asha@okbank' });
  const [paid, unmatched] = (await events()).toSorted((a, b) => (a.body.type < b.body.type ? -1 : 1));
  assert.equal(paid?.body.type, 'payment.paid');
  assert.deepEqual(unmatched, {
    type: 'payment.unmatched',
    order_id: null,
    webhook_url: own,
    body: {
      type: 'payment.unmatched',
      timestamp: paid_at,
      data: {
        credit_id: alertId,
        amount: created.payable_amount,
        bank_reference: '620132678599',
        payer: 'asha@okbank',
        paid_at,
        reason: 'extra_payment',
        order_id: created.order_id,
      },
    },
    waiting: 1,
  });
});

test('a near miss with its order is a review, not unmatched, and a copy or a foreign mail is neither', async () => {
  await want(['payment.review', 'payment.unmatched']);
  await shop.holdNearMisses();
  await order({ amount: 500 });
  await stray({ amount: base, reference: '620132678599' });
  await stray({ amount: base, reference: '620132678599' });
  await stray({ amount: base, accountDigits: '9999' });
  assert.deepEqual(await shop.eventTypes(), ['payment.review']);
});
