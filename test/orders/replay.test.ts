import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minute } from '../../src/base/clock.ts';
import { openTestApi } from '../support/api.ts';
import { use } from '../support/use.ts';

const api = use(openTestApi);

describe('§4.1 replay rules', () => {
  test('1: a used merchant_order_id returns the same order with 200 and idempotent_replay: true', async () => {
    const first = await api.create({ merchant_order_id: 'replay-1' });
    const again = await api.create({ merchant_order_id: 'replay-1' });
    assert.equal(again.statusCode, 200);
    assert.deepEqual(again.json(), { ...first.json(), idempotent_replay: true });
  });

  test('2: the new body is ignored, wrong fields and payment_account_id included', async () => {
    const first = (await api.create({ merchant_order_id: 'replay-2', amount: 10 })).json();
    const bodies = [
      { amount: 99 },
      { amount: 'x' },
      { success_url: 5 },
      { webhook_url: 'http://localhost/' },
      { payment_account_id: 'nope' },
      { customer: 7 },
    ];
    for (const change of bodies) {
      const again = await api.create({ merchant_order_id: 'replay-2', ...change });
      assert.equal(again.statusCode, 200, JSON.stringify(change));
      assert.equal(again.json().order_id, first.order_id);
      assert.equal(again.json().payment_account_id, api.merchant.accountId);
    }
  });

  test('3 and 4: the status is the current one; an expired link comes back expired and starts no new payment', async () => {
    const first = (await api.create({ merchant_order_id: 'replay-3' })).json();
    api.world.clock.advance(5 * minute);
    const again = (await api.create({ merchant_order_id: 'replay-3' })).json();
    assert.deepEqual(
      [again.order_id, again.status, again.expires_at],
      [first.order_id, 'expired', first.expires_at],
    );
  });
});
