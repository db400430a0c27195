import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { findBreaches } from '../../src/operator/verify.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

const box = use(openTestSandbox);
afterEach(async () => {
  assert.deepEqual(await findBreaches(box.sandbox.world), []);
  await box.post('/sandbox/reset', {});
});

const settings = async (method: 'GET' | 'PUT' = 'GET', body: unknown = undefined) => {
  const answer = await box.app.inject({
    method,
    url: '/sandbox/settings',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    }),
  });
  return answer.json();
};

async function kindOf(orderId: string): Promise<string | undefined> {
  const [row] = await box.sandbox.world.sql<{ near_misses: { order_id: string; slip: string }[] }[]>`
    select near_misses from alerts order by arrived_at desc limit 1`;
  return row?.near_misses.find(miss => miss.order_id === orderId)?.slip;
}

describe('a near miss that the sandbox plays', () => {
  for (const [how, kinds] of [
    ['rounded', ['base']],
    ['swapped', ['swapped', 'wrong_digit']],
    ['wrong_digit', ['wrong_digit']],
  ] as const) {
    test(`${how}: pays nothing, and moves its order if near misses are held`, async () => {
      const first = await box.create({ amount: 500 });
      assert.equal((await box.pay(first.order_id, how))['verdict'], 'no_order');
      assert.ok((kinds as readonly (string | undefined)[]).includes(await kindOf(first.order_id)));
      assert.equal((await box.order(first.order_id))['status'], 'pending');
      await box.post('/sandbox/reset', {});

      assert.deepEqual(await settings('PUT', { hold_near_misses: true }), { hold_near_misses: true });
      const second = await box.create({ amount: 500 });
      assert.equal((await box.pay(second.order_id, how))['verdict'], 'no_order');
      const order = await box.order(second.order_id);
      assert.equal(order['status'], 'manual_review');
      assert.equal(typeof order['received_amount'], 'number');
      assert.notEqual(order['received_amount'], second.payable_amount);
    });
  }

  test('a near miss pays nobody else, however many orders are open', async () => {
    const orders = [];
    for (let count = 0; count < 40; count++) orders.push(await box.create({ amount: 500 }));
    for (const { order_id } of orders.slice(0, 8))
      for (const how of ['rounded', 'swapped', 'wrong_digit'])
        assert.equal((await box.pay(order_id, how))['verdict'], 'no_order', how);
  });
});

test('near misses are held only after somebody asked for it, until the reset', async () => {
  assert.deepEqual(await settings(), { hold_near_misses: false });
  await settings('PUT', { hold_near_misses: true });
  assert.deepEqual(await settings(), { hold_near_misses: true });
  assert.equal((await settings('PUT', { hold_near_misses: 'yes' })).error, 'invalid_request');
  await box.post('/sandbox/reset', {});
  assert.deepEqual(await settings(), { hold_near_misses: false });
});

test('an exact payment pays a waiting order, and the reset leaves nothing of it', async () => {
  await settings('PUT', { hold_near_misses: true });
  const { order_id: orderId, payable_amount } = await box.create({ amount: 500 });
  await box.pay(orderId, 'rounded');
  assert.equal((await box.pay(orderId, 'exact'))['verdict'], 'paid');
  assert.equal((await box.order(orderId))['received_amount'], payable_amount);
});
