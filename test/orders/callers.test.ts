import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day } from '../../src/base/clock.ts';
import { newApiKey } from '../../src/business/merchants/api-key.ts';
import { createApiKey, revokeApiKey } from '../../src/business/merchants/create-api-key.ts';
import { setDisabled } from '../../src/business/merchants/queries.ts';
import { openTestApi } from '../support/api.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const api = use(openTestApi);

describe('§5 and §7: who calls', () => {
  test('401 missing_api_key: a missing or empty header, on every endpoint', async () => {
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': '  ' }]) {
      for (const [method, url] of [
        ['POST', '/orders'],
        ['GET', '/orders'],
        ['GET', '/orders/ML-0000000000'],
      ] as const) {
        const response = await api.app.inject({ method, url: `/api/v1${url}`, headers });
        assert.deepEqual([response.statusCode, response.json().error], [401, 'missing_api_key']);
      }
    }
  });

  test('401 invalid_api_key: unknown, malformed, wrong checksum, two headers, revoked, all with the same body', async () => {
    const { merchantId } = api.merchant;
    const revoked = await createApiKey(api.world.sql, api.world, merchantId, 'to be revoked');
    assert.equal((await api.get('/orders', revoked.apiKey)).statusCode, 200);
    await revokeApiKey(api.world.sql, api.world, merchantId, revoked.keyId);
    const good = api.merchant.apiKey;
    const typo = good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A');
    const keys = [
      newApiKey(merchantId, 'test'),
      newApiKey(7, 'live'),
      'nope',
      typo,
      `${good},${good}`,
      revoked.apiKey,
      'é',
    ];
    const bodies = new Set<string>();
    for (const key of keys) {
      for (const response of [
        await api.get('/orders', key),
        await api.create({}, key),
        await api.create({ amount: 'x' }, key),
      ]) {
        assert.equal(response.statusCode, 401, key);
        bodies.add(response.body);
      }
    }
    assert.deepEqual(
      [...bodies].map(body => JSON.parse(body).error),
      ['invalid_api_key'],
    );
  });

  test('a revoked key is refused from the next request on', async () => {
    const { apiKey, keyId } = await createApiKey(
      api.world.sql,
      api.world,
      api.merchant.merchantId,
      'short-lived',
    );
    assert.equal((await api.get('/orders', apiKey)).statusCode, 200);
    assert.equal(await revokeApiKey(api.world.sql, api.world, api.merchant.merchantId, keyId), true);
    assert.equal((await api.get('/orders', apiKey)).statusCode, 401);
    assert.equal(await revokeApiKey(api.world.sql, api.world, api.merchant.merchantId, keyId), false);
  });

  test('only the hash of a key is stored', async () => {
    const rows = await api.world.sql`select row_to_json(k)::text as text from api_keys k`;
    assert.ok(rows.length > 0);
    assert.ok(rows.every(row => !row['text'].includes(api.merchant.apiKey.slice(8))));
  });

  test('403 merchant_disabled: disabled, or inside the 7-day deletion window, before the body is looked at', async () => {
    const disabled = await addTestMerchant(api.world);
    await setDisabled(api.world.sql, disabled.merchantId, api.world.clock.now());
    const leaving = await addTestMerchant(api.world);
    await api.world.sql`
      update merchants set deletion_requested_at = ${api.world.clock.now()} where merchant_id = ${leaving.merchantId}`;
    for (const { apiKey } of [disabled, leaving]) {
      const answers = [
        await api.create({}, apiKey),
        await api.create({ amount: 'x', merchant_order_id: 5 }, apiKey),
        await api.get('/orders', apiKey),
        await api.get('/orders/ML-0000000000', apiKey),
      ];
      for (const answer of answers)
        assert.deepEqual([answer.statusCode, answer.json().error], [403, 'merchant_disabled']);
    }
  });

  test('while only new orders are halted, create answers 403 merchant_disabled, and get and list work', async () => {
    const { merchantId, apiKey } = await addTestMerchant(api.world);
    const made = await api.create({ merchant_order_id: 'before' }, apiKey);
    const { order_id } = made.json();
    const halt = { reason: 'Papers', onlyNewOrders: true };
    await setDisabled(api.world.sql, merchantId, api.world.clock.now(), halt);
    for (const merchant_order_id of ['before', 'after']) {
      const refused = await api.create({ merchant_order_id }, apiKey);
      assert.deepEqual([refused.statusCode, refused.json().error], [403, 'merchant_disabled']);
      assert.doesNotMatch(refused.json().message, /disabled/);
    }
    assert.equal((await api.get(`/orders/${order_id}`, apiKey)).json().status, 'pending');
    assert.equal((await api.get('/orders', apiKey)).statusCode, 200);
    await setDisabled(api.world.sql, merchantId, null);
    assert.equal((await api.create({ merchant_order_id: 'after' }, apiKey)).statusCode, 201);
  });

  test('a deletion window of 7 days counts as disabled to its end', async () => {
    const shop = await addTestMerchant(api.world);
    await api.world.sql`
      update merchants set deletion_requested_at = ${api.world.clock.now()} where merchant_id = ${shop.merchantId}`;
    api.world.clock.advance(7 * day - 1);
    assert.equal((await api.get('/orders', shop.apiKey)).statusCode, 403);
  });
});
