import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '../../../src/base/clock.ts';
import { sweepAccounts } from '../../../src/business/accounts/start-account-work.ts';
import { hashApiKey, newApiKey, type PresentedKey } from '../../../src/business/merchants/api-key.ts';
import { openKeyUses } from '../../../src/business/merchants/key-uses.ts';
import { openTestApi } from '../../support/api.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

const api = use(openTestApi);

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

test('two processes that record the same keys in opposite order do not deadlock', async () => {
  const { world } = api;
  const keys: PresentedKey[] = [];
  for (let n = 0; n < 2; n++) {
    const { merchantId, apiKey } = await addTestMerchant(world);
    keys.push({ merchantId, hash: hashApiKey(apiKey) });
  }
  const [first, last] = keys.sort((one, other) => one.merchantId - other.merchantId);
  const uses = openKeyUses(world);
  uses.note(last!);
  uses.note(first!);
  let flushed: Promise<void> | undefined;
  await world.sql.begin(async tx => {
    const touch = ({ merchantId }: PresentedKey) =>
      tx`update api_keys set last_used_at = null where merchant_id = ${merchantId}`;
    await touch(first!);
    flushed = uses.flush();
    await waitFor('the other to wait', async () => {
      const waiting =
        await world.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return waiting.length > 0;
    });
    await touch(last!);
  });
  await flushed;
  const rows = await world.sql`
    select from api_keys where merchant_id in ${world.sql(keys.map(key => key.merchantId))} and last_used_at is not null`;
  assert.equal(rows.length, 2);
});

test('the API records a key’s uses and the orders it returned, at the latest when it stops, and no unknown key', async () => {
  const own = await openTestApi();
  const { sql } = own.world;
  const read = async () => {
    const [row] = await sql<{ used: boolean }[]>`
      select last_used_at is not null as used from api_keys where merchant_id = ${own.merchant.merchantId}`;
    return row?.used;
  };
  assert.equal((await own.get('/orders', newApiKey(own.merchant.merchantId, 'live'))).statusCode, 401);
  assert.equal((await own.get('/orders/ML-0000000000')).statusCode, 404);
  const { order_id: orderId } = (await own.create({ amount: 100 })).json();
  await own.create({ amount: 200 });
  for (const path of [`/orders/${orderId}`, '/orders', '/orders?status=paid'])
    assert.equal((await own.get(path)).statusCode, 200);
  await own.app.close();
  assert.equal(await read(), true);
  assert.deepEqual(await sql`select reads::int from key_reads`, [{ reads: 3 }]);
  await own.world.stop();
});

test('orders returned to a key are counted by the day in India, across processes and after a failed write', async () => {
  const { world, merchant } = api;
  const key = { merchantId: merchant.merchantId, hash: hashApiKey(merchant.apiKey) };
  world.clock.set('2026-11-20T18:29:00.000Z');
  const [one, other] = [openKeyUses(world), openKeyUses(world)];
  one.noteReads(key, 1);
  one.note(key);
  other.noteReads(key, 1);
  world.clock.advance(hour);
  other.noteReads(key, 1);
  await Promise.all([one.flush(), other.flush()]);
  const rows = await world.sql`
    select to_char(day, 'YYYY-MM-DD') as day, reads::int from key_reads where merchant_id = ${merchant.merchantId} order by key_reads.day`;
  assert.deepEqual(
    rows.map(row => [row['day'], row['reads']]),
    [
      ['2026-11-20', 2],
      ['2026-11-21', 1],
    ],
  );
  await world.sql`alter table key_reads rename to away`;
  one.noteReads(key, 1);
  await assert.rejects(one.flush());
  await world.sql`alter table away rename to key_reads`;
  await one.flush();
  const [{ reads } = {}] =
    await world.sql`select sum(reads)::int as reads from key_reads where merchant_id = ${merchant.merchantId}`;
  assert.equal(reads, 4);
  await sweepAccounts(world);
  world.clock.advance(402 * 24 * hour);
  await sweepAccounts(world);
  assert.equal((await world.sql`select from key_reads where merchant_id = ${merchant.merchantId}`).length, 0);
});
