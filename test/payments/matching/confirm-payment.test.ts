import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { matchingShop } from '../../support/matching-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = matchingShop();
const { order, statusOf, credit, confirm, collected } = shop;

describe('a credit that meets its order', () => {
  test('pays it: status, time, reference, collections and one event with one delivery, all at once', async () => {
    const created = await order();
    const paid = await credit({ amount: payableOf(created), reference: '620132678599' });
    shop.api.world.clock.advance(3 * second);
    assert.deepEqual(await confirm(paid), { outcome: 'paid', orderId: created.order_id });
    const got = (await shop.api.get(`/orders/${created.order_id}`, shop.merchant.apiKey)).json();
    assert.deepEqual(
      [got.status, got.paid_at, got.bank_reference],
      ['paid', shop.api.world.clock.now().toISOString(), '620132678599'],
    );
    assert.equal(await collected(), paid.amount);
    const [event, ...more] = await shop.api.world
      .sql`select * from events join event_bodies using (merchant_id, event_id) where merchant_id = ${shop.merchant.merchantId}`;
    assert.deepEqual(
      [more.length, event?.['type'], event?.['order_id']],
      [0, 'payment.paid', created.order_id],
    );
    assert.deepEqual(JSON.parse(event?.['body']), {
      type: 'payment.paid',
      timestamp: got.paid_at,
      data: got,
    });
    const deliveries = await shop.api.world
      .sql`select state from deliveries where merchant_id = ${shop.merchant.merchantId}`;
    assert.deepEqual(
      deliveries.map(row => row['state']),
      ['waiting'],
    );
  });

  test('the same alert again changes nothing', async () => {
    const created = await order();
    const paid = await credit({ amount: payableOf(created) });
    const first = await confirm(paid);
    assert.deepEqual(await confirm(paid), first);
    assert.equal(await collected(), paid.amount);
  });

  test('the same alert 50 times at once pays once', async () => {
    const created = await order();
    const paid = await credit({ amount: payableOf(created) });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => confirm(paid)));
    assert.ok(outcomes.every(({ outcome }) => outcome === 'paid'));
    assert.equal(await collected(), paid.amount);
    assert.equal(
      (await shop.api.world.sql`select from events where merchant_id = ${shop.merchant.merchantId}`).length,
      1,
    );
  });

  test('two different alerts for one order at once: one pays, the other is an extra payment that names the order', async () => {
    const created = await order();
    const amount = payableOf(created);
    const pair = [await credit({ amount }), await credit({ amount })];
    const outcomes = (await Promise.all(pair.map(confirm))).map(result => [
      result.outcome,
      'orderId' in result && result.orderId,
    ]);
    assert.deepEqual(outcomes.sort(), [
      ['extra_payment', created.order_id],
      ['paid', created.order_id],
    ]);
    assert.equal(await collected(), amount);
  });
});

describe('a credit that pays nothing', () => {
  test('another amount pays nothing: no_order, with the near misses of the same rupees', async () => {
    const created = await order({ amount: 499 });
    const amount = paise(49_900);
    const result = await confirm(await credit({ amount }));
    assert.deepEqual(result, { outcome: 'no_order', orderId: null });
    const [row] = await shop.api.world.sql`
      select near_misses from alerts where merchant_id = ${shop.merchant.merchantId}`;
    assert.deepEqual(row?.['near_misses'], [
      { order_id: created.order_id, payable_paise: payableOf(created), slip: 'base' },
    ]);
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('another account than the order’s, or another VPA, pays nothing', async () => {
    const created = await order({ amount: 33 });
    const amount = payableOf(created);
    for (const change of [
      { accountDigits: '9999' },
      { accountDigits: '21' + '99' },
      { payeeVpa: 'someone@okaxis' },
    ]) {
      assert.deepEqual(await confirm(await credit({ amount, ...change })), {
        outcome: 'wrong_account',
        orderId: created.order_id,
      });
    }
    assert.equal(await statusOf(created.order_id), 'pending');
    assert.equal(
      (await confirm(await credit({ amount: paise(77), accountDigits: '9999' }))).outcome,
      'wrong_account',
    );
    const right = await credit({ amount, accountDigits: '21', payeeVpa: 'CHAI@okaxis' });
    assert.equal((await confirm(right)).outcome, 'paid', 'two printed digits that agree are enough');
  });

  test('another business’s order with the same amount is not paid', async () => {
    const other = await addTestMerchant(shop.api.world);
    const created = await order({ amount: 44 });
    const foreign = await storedCredit(shop.api.world, other.merchantId, { amount: payableOf(created) });
    assert.equal((await confirm(foreign)).outcome, 'no_order');
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('paid is final: a second payment changes neither time, reference nor event', async () => {
    const created = await order({ amount: 55 });
    const amount = payableOf(created);
    await confirm(await credit({ amount, reference: '111111111111' }));
    const before = (await shop.api.get(`/orders/${created.order_id}`, shop.merchant.apiKey)).json();
    shop.api.world.clock.advance(1 * minute);
    assert.equal(
      (await confirm(await credit({ amount, reference: '222222222222' }))).outcome,
      'extra_payment',
    );
    assert.deepEqual(
      (await shop.api.get(`/orders/${created.order_id}`, shop.merchant.apiKey)).json(),
      before,
    );
  });
});

describe('month’s collections', () => {
  test('month’s collections are counted in the payment’s Indian month, once, at IST midnight', async () => {
    shop.api.world.clock.set('2027-02-28T18:29:59.999Z');
    const [february, march] = [await order({ amount: 21 }), await order({ amount: 22 })];
    await confirm(await credit({ amount: payableOf(february) }));
    shop.api.world.clock.advance(1);
    await confirm(await credit({ amount: payableOf(march) }));
    const rows = await shop.api.world.sql`
      select month, collected_paise from collections where merchant_id = ${shop.merchant.merchantId} order by month`;
    assert.deepEqual(
      [...rows],
      [
        { month: '2027-02-01', collected_paise: payableOf(february) },
        { month: '2027-03-01', collected_paise: payableOf(march) },
      ],
    );
  });
});
