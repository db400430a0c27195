import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApi } from '../support/api.ts';
import { addTestMerchant } from '../support/test-world.ts';

describe('rate limits', () => {
  test('nobody escapes the limit of an address by writing X-Forwarded-For or moving inside an IPv6 network', async () => {
    const limited = await openTestApi({ RATE_LIMITS: 'key=100,address=3', TRUST_PROXY: 'yes' });
    const ask = async (forwarded: string) =>
      (
        await limited.app.inject({
          url: '/api/v1/orders',
          headers: { 'x-api-key': forwarded, 'x-forwarded-for': forwarded },
        })
      ).statusCode;
    const spoofed = [];
    for (const made of [1, 2, 3, 4]) spoofed.push(await ask(`10.0.0.${made}, 203.0.113.7`));
    const moving = [];
    for (const host of [1, 2, 3, 4]) moving.push(await ask(`2a00:1:2:3::${host}`));
    assert.deepEqual(
      [spoofed, moving],
      [
        [401, 401, 401, 429],
        [401, 401, 401, 429],
      ],
    );
    assert.equal(await ask('2a00:1:2:4::1'), 401);
    await limited.stop();
  });

  test('429 rate_limited with Retry-After beyond the limit of a key, others unaffected', async () => {
    const limited = await openTestApi({ RATE_LIMITS: 'key=5,address=12' });
    try {
      const other = await addTestMerchant(limited.world);
      const statuses = [];
      for (let index = 0; index < 6; index++) statuses.push((await limited.get('/orders')).statusCode);
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
      const refused = await limited.get('/orders');
      assert.equal(refused.json().error, 'rate_limited');
      assert.match(String(refused.headers['retry-after']), /^\d+$/);
      assert.equal((await limited.get('/orders', other.apiKey)).statusCode, 200);
      let last = 0;
      for (let index = 0; index < 6; index++) last = (await limited.get('/orders', other.apiKey)).statusCode;
      assert.equal(last, 429, 'the address has a limit too');
    } finally {
      await limited.stop();
    }
  });
});
