import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { minute } from '../../src/base/clock.ts';
import { setDisabled } from '../../src/business/merchants/queries.ts';
import { openListeningApi } from '../support/listening-api.ts';
import { addTestMerchant, type TestMerchant } from '../support/test-world.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const api = use(openListeningApi);

async function get(orderId: string, apiKey = api.merchant.apiKey) {
  const response = await fetch(`${api.url}/api/v1/orders/${orderId}`, { headers: { 'x-api-key': apiKey } });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

async function order(shop: TestMerchant): Promise<string> {
  return (await api.create({}, shop.apiKey)).json().order_id;
}

test('every change of an order is in the next get, though it was read before', async () => {
  const { sql, clock } = api.world;
  const shop = await addTestMerchant(api.world);
  const id = await order(shop);
  const read = async () => JSON.parse((await get(id, shop.apiKey)).body);
  const first = await read();
  assert.deepEqual(await read(), first);
  await sql`update orders set bank_reference = '432112345678' where order_id = ${id}`;
  assert.deepEqual(await read(), { ...first, bank_reference: '432112345678' });
  await sql`update upi_accounts set payee_name = 'Renamed' where merchant_id = ${shop.merchantId}`;
  assert.match((await read()).upi_uri, /pn=Renamed/);
  clock.advance(5 * minute);
  assert.equal((await read()).status, 'expired', 'by the clock alone');
  await sql`update orders set status = 'manual_review', received_paise = 50000 where order_id = ${id}`;
  const reviewed = await read();
  assert.deepEqual([reviewed.status, reviewed.received_amount], ['manual_review', 500]);
  await sql`delete from orders where order_id = ${id}`;
  assert.equal((await get(id, shop.apiKey)).status, 404);
});

test('no proxy or browser may store an answer of the API', async () => {
  const id = await order(api.merchant);
  const headers = { 'x-api-key': api.merchant.apiKey };
  const answers = [
    await fetch(`${api.url}/api/v1/orders/${id}`, { headers }),
    await fetch(`${api.url}/api/v1/orders`, { headers }),
    await fetch(`${api.url}/api/public/v1/orders/ML-0000000000`, { headers }),
    await fetch(`${api.url}/api/v1/orders/${id}`),
    await fetch(`${api.url}/api/v1/orders`, { method: 'POST', headers }),
  ];
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('cache-control')]),
    [200, 200, 404, 401, 400].map(status => [status, 'no-store']),
  );
});

test('a revoked key and a disabled business are refused at once, though the order was read before', async () => {
  const { sql, clock } = api.world;
  const shop = await addTestMerchant(api.world);
  const id = await order(shop);
  assert.equal((await get(id, shop.apiKey)).status, 200);
  await setDisabled(sql, shop.merchantId, clock.now());
  assert.equal((await get(id, shop.apiKey)).status, 403);
  await sql`update api_keys set revoked_at = ${clock.now()} where merchant_id = ${shop.merchantId}`;
  assert.equal((await get(id, shop.apiKey)).status, 401);
});

test('R12: two businesses’ orders with the same id, written together, are each read by their own business', async () => {
  const [mine, other] = [await addTestMerchant(api.world), await addTestMerchant(api.world)];
  const [id, foreign] = [await order(mine), await order(other)];
  const unknown = await get('ML-0000000000', mine.apiKey);
  assert.equal((await get(foreign, other.apiKey)).status, 200);
  assert.deepEqual((await get(foreign, mine.apiKey)).body, unknown.body);
  await api.world.sql.begin(async tx => {
    await tx`update orders set order_id = 'PAY-0000000007' where order_id in (${id}, ${foreign})`;
    await tx`update upi_accounts set bank_named_at = bank_named_at where merchant_id in (${mine.merchantId}, ${other.merchantId})`;
  });
  const urls = [];
  for (const { apiKey } of [mine, other, mine])
    urls.push(JSON.parse((await get('PAY-0000000007', apiKey)).body).payment_url);
  assert.deepEqual([urls[0] === urls[1], urls[0] === urls[2]], [false, true]);
});

test('an answered get is a use of its key, and every get counts once for its key and its address behind the proxy', async () => {
  const limited = await openListeningApi({ RATE_LIMITS: 'key=3,address=6', TRUST_PROXY: 'yes' });
  try {
    const id = (await limited.create()).json().order_id;
    const ask = (path: string, key: string, forwarded: string) =>
      fetch(`${limited.url}/api/v1/orders/${path}`, {
        headers: { 'x-api-key': key, 'x-forwarded-for': forwarded },
      });
    const { apiKey } = limited.merchant;
    const statuses: number[] = [];
    const times: Date[] = [];
    for (const path of ['ML-0000000000', id, id, id]) {
      limited.world.clock.advance(minute);
      times.push(limited.world.clock.now());
      statuses.push((await ask(path, apiKey, `10.0.0.${statuses.length}, 203.0.113.7`)).status);
    }
    // The create came from another address, with the same key.
    assert.deepEqual(statuses, [404, 200, 429, 429]);
    const others = [];
    for (const key of ['a', 'b', 'c']) others.push((await ask(id, key, '203.0.113.7')).status);
    assert.deepEqual(others, [401, 401, 429]);
    assert.ok((await ask(id, 'd', '203.0.113.7')).headers.get('retry-after'));
    assert.equal((await ask(id, 'd', '203.0.113.8')).status, 401);
    await limited.app.close();
    const [key] = await limited.world.sql`select last_used_at from api_keys`;
    assert.deepEqual(key?.['last_used_at'], times[1]);
  } finally {
    await limited.stop();
  }
});

test('a get that names two hosts is refused', async () => {
  const id = await order(api.merchant);
  const status = await new Promise(resolve => {
    const headers = ['Host', 'pay.example.in', 'host', 'evil.example', 'X-API-Key', api.merchant.apiKey];
    httpRequest(`${api.url}/api/v1/orders/${id}`, { headers, agent: false } as object, ({ statusCode }) =>
      resolve(statusCode),
    ).end();
  });
  assert.equal(status, 400);
});

test('a close lets an answer in progress arrive, and the client’s connection does not delay it', async () => {
  const closing = await openListeningApi();
  const id = (await closing.create()).json().order_id;
  const [isLocked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = closing.world.sql.begin(async tx => {
    await tx`lock table orders in access exclusive mode`;
    isLocked.resolve();
    await release.promise;
  });
  await isLocked.promise;
  const asked = fetch(`${closing.url}/api/v1/orders/${id}`, {
    headers: { 'x-api-key': closing.merchant.apiKey },
  });
  await until('the get waits', async () => {
    const [row] = await closing.world.sql`
      select count(*)::int as waiting from pg_locks join pg_database d on d.oid = database
      where not granted and datname = current_database()`;
    return row?.['waiting'] > 0;
  });
  let isClosed = false;
  const closed = closing.app.close().then(() => {
    isClosed = true;
  });
  release.resolve();
  await locking;
  assert.equal((await asked).status, 200);
  await until('the server is closed', () => isClosed);
  await closed;
  await closing.stop();
});
