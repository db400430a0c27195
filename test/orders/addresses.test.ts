import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApi, orderBody } from '../support/api.ts';
import { use } from '../support/use.ts';

const api = use(openTestApi);

describe('§1 and §9: addresses', () => {
  test('OPTIONS anywhere under both prefixes is 204 without a body, before any check', async () => {
    for (const url of [
      '/api/v1/orders',
      '/api/v1/orders/x',
      '/api/public/v1/orders',
      '/api/v1/nothing',
      '/api/public/v1/',
    ]) {
      const response = await api.app.inject({ method: 'OPTIONS', url });
      assert.deepEqual([response.statusCode, response.body], [204, '']);
      assert.equal(response.headers['access-control-allow-origin'], '*');
      assert.match(String(response.headers['access-control-allow-headers']), /X-API-Key/);
    }
  });

  test('every answer allows any origin, errors included', async () => {
    const answers = [
      await api.create(),
      await api.get('/orders'),
      await api.get('/orders', ''),
      await api.get('/nothing'),
      await api.app.inject({ method: 'DELETE', url: '/api/v1/orders' }),
    ];
    assert.deepEqual(
      answers.map(answer => answer.statusCode),
      [201, 200, 401, 404, 405],
    );
    for (const answer of answers) {
      assert.equal(answer.headers['access-control-allow-origin'], '*');
      assert.match(String(answer.headers['content-type']), /^application\/json/);
    }
  });

  test('/api/public/v1 answers the same three endpoints', async () => {
    const headers = { 'x-api-key': api.merchant.apiKey, 'content-type': 'application/json' };
    const created = await api.app.inject({
      method: 'POST',
      url: '/api/public/v1/orders',
      headers,
      payload: JSON.stringify(orderBody()),
    });
    assert.equal(created.statusCode, 201);
    const { order_id } = created.json();
    const got = await api.app.inject({ url: `/api/public/v1/orders/${order_id}`, headers });
    assert.deepEqual(got.json(), (await api.get(`/orders/${order_id}`)).json());
    assert.equal(
      (await api.app.inject({ url: '/api/public/v1/orders?limit=1', headers })).json().data.length,
      1,
    );
  });

  test('a wrong method is 405 with Allow, an unknown path 404, never a redirect', async () => {
    const wrong = await api.app.inject({ method: 'PATCH', url: '/api/v1/orders' });
    assert.deepEqual(
      [wrong.statusCode, wrong.json().error, wrong.headers['allow']],
      [405, 'method_not_allowed', 'GET, HEAD, POST'],
    );
    for (const url of [
      '/api/v1/orders/',
      '/api/v1/Orders',
      '/api/v2/orders',
      '/api/v1/orders/a/b',
      '/api/v1/%ff',
    ]) {
      const response = await api.app.inject({ url, headers: { 'x-api-key': api.merchant.apiKey } });
      assert.equal(response.statusCode, 404, url);
    }
  });
});
