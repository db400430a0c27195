import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../src/base/database/connect.ts';
import { newPayToken } from '../../../src/orders/order.ts';
import { addTestOrder, nobodyListens, openSite } from '../../support/checkout-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() => openSite(world));
const merchant = use(() => addTestMerchant(world));

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(site.origin + path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

test('a slash after the link leads to the page, and nowhere else', async () => {
  const order = await addTestOrder(world, merchant);
  const { status, text } = await get(`${order.path}/?lang=hi`);
  assert.equal(status, 200);
  assert.match(text, /<html lang="hi"/);
  assert.ok(text.includes(order.orderId));
  for (const odd of ['/pay/xyz/', '/pay/%2F%2Fevil.example/', '/pay/..%2F/', '/pay/%5Cevil.example/']) {
    const answer = await fetch(site.origin + odd, { redirect: 'manual' });
    const target = new URL(answer.headers.get('location') ?? '', site.origin + odd);
    assert.deepEqual([answer.status, target.origin], [308, site.origin], odd);
    assert.equal((await get(odd)).status, 404, odd);
  }
});

test('an unknown link gets a friendly page in the reader’s language, with status 404', async () => {
  for (const token of ['nope', newPayToken(merchant.merchantId)]) {
    const { status, text, headers } = await get(`/pay/${token}`, { 'accept-language': 'hi' });
    assert.equal(status, 404);
    assert.match(text, /यह भुगतान लिंक मौजूद नहीं है/);
    assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/);
  }
});

test('with the database down the page says that nothing is lost, and reloads itself', async () => {
  const sql = connect(nobodyListens, { most: 2 });
  const lostSite = await openSite({ ...world, sql });
  const answer = await fetch(`${lostSite.origin}/pay/${newPayToken(1)}`);
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.ok(Number(answer.headers.get('refresh')) > 0);
  assert.match(await answer.text(), /Nothing is lost/);
  await lostSite.stop();
  await sql.end();
});
