import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hour } from '../../../src/base/clock.ts';
import { hashApiKey, newApiKey } from '../../../src/business/merchants/api-key.ts';
import { openKeyUses } from '../../../src/business/merchants/key-uses.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';

let api: TestApi;

before(async () => {
  api = await openTestApi();
});
after(() => api.stop());

async function lastUsed(): Promise<string | null> {
  const [row] = await api.world.sql<{ last_used_at: Date | null }[]>`
    select last_used_at from api_keys where merchant_id = ${api.merchant.merchantId}`;
  return row?.last_used_at?.toISOString() ?? null;
}

test('many uses are one write, and an older use never replaces a newer one', async () => {
  const uses = openKeyUses(api.world);
  const key = { merchantId: api.merchant.merchantId, hash: hashApiKey(api.merchant.apiKey) };
  const unknown = newApiKey(api.merchant.merchantId, 'live');
  for (let n = 0; n < 100; n++) uses.note(key);
  uses.note({ merchantId: api.merchant.merchantId, hash: hashApiKey(unknown) });
  await uses.flush();
  const newest = api.world.clock.now().toISOString();
  assert.equal(await lastUsed(), newest);
  api.world.clock.advance(-hour);
  uses.note(key);
  await uses.flush();
  assert.equal(await lastUsed(), newest);
});

test('the API notes a key that it answered, when it stops at the latest, and no unknown one', async () => {
  const own = await openTestApi();
  const { sql } = own.world;
  const read = async () => {
    const [row] = await sql<{ used: boolean }[]>`
      select last_used_at is not null as used from api_keys where merchant_id = ${own.merchant.merchantId}`;
    return row?.used;
  };
  assert.equal((await own.get('/orders', newApiKey(own.merchant.merchantId, 'live'))).statusCode, 401);
  assert.equal((await own.get('/orders/ML-0000000000')).statusCode, 404);
  await own.app.close();
  assert.equal(await read(), true);
  await own.world.stop();
});
