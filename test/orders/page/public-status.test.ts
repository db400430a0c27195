import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, minute } from '../../../src/base/clock.ts';
import { connect, type Sql } from '../../../src/base/database/connect.ts';
import { newPayToken } from '../../../src/orders/order.ts';
import { openPublicStatus } from '../../../src/orders/page/open-public-status.ts';
import { addTestOrder, nobodyListens, openSite, setPaid, setStatus } from '../../support/checkout-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(site.origin + path, { headers });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, unknown>,
  };
};

const world = use(openTestWorld);
const site = use(() => openSite(world));
const merchant = use(() => addTestMerchant(world));

test('a pending order shows four fields and nothing else', async () => {
  const order = await addTestOrder(world, merchant);
  const { status, body, headers } = await read(`${order.path}/status`);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    order_id: order.orderId,
    status: 'pending',
    payable_amount: 499.37,
    expires_at: '2026-11-15T06:35:00.000Z',
  });
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('set-cookie'), null);
});

test('any origin’s page may read the status, and sees the server’s clock', async () => {
  const order = await addTestOrder(world, merchant);
  const { headers } = await read(`${order.path}/status`, { origin: 'https://shop.example' });
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.match(headers.get('access-control-expose-headers')!, /\bDate\b/);
  const preflight = await fetch(`${site.origin}${order.path}/status`, { method: 'OPTIONS' });
  assert.equal(preflight.status, 204);
  assert.equal(await preflight.text(), '');
});

test('a paid order returns to success_url with the agreed parameters', async () => {
  const order = await addTestOrder(world, merchant, { merchantOrderId: 'cart 7 & 8' });
  await setPaid(world, order);
  const { body } = await read(`${order.path}/status`);
  assert.equal(body['status'], 'paid');
  assert.equal(
    body['return_url'],
    `http://shop.example/done?x=1&order_id=${order.orderId}&merchant_order_id=cart%207%20%26%208&status=paid`,
  );
});

test('an expired order returns to failure_url from the millisecond of its expiry, and to success_url once paid late', async () => {
  const order = await addTestOrder(world, merchant, { age: 5 * minute - 1 });
  assert.equal((await read(`${order.path}/status`)).body['status'], 'pending');
  world.clock.advance(1);
  const expired = (await read(`${order.path}/status`)).body;
  assert.equal(expired['status'], 'expired');
  assert.match(String(expired['return_url']), /^http:\/\/shop\.example\/failed\?order_id=ML-\d{10}&/);
  await setPaid(world, order);
  const paid = (await read(`${order.path}/status`)).body;
  assert.equal(paid['status'], 'paid');
  assert.match(String(paid['return_url']), /\/done\?x=1&.*&status=paid$/);
});

test('failed returns to failure_url; manual_review is not final', async () => {
  const order = await addTestOrder(world, merchant);
  await setStatus(world, order, 'manual_review');
  assert.equal('return_url' in (await read(`${order.path}/status`)).body, false);
  await setStatus(world, order, 'failed');
  assert.match(String((await read(`${order.path}/status`)).body['return_url']), /failed\?.*status=failed$/);
});

test('an unknown token answers 404 order_not_found', async () => {
  const order = await addTestOrder(world, merchant);
  const other = await addTestMerchant(world, { name: 'Other' });
  const foreign = Buffer.from(order.token, 'base64url');
  foreign.writeUIntBE(other.merchantId, 0, 6);
  const tokens = [
    'x',
    newPayToken(merchant.merchantId),
    foreign.toString('base64url'),
    order.token.toLowerCase(),
    `${order.token}A`,
    order.orderId,
    '%00',
    "'%20or%201=1",
    '..%2f..%2fhealthz',
  ];
  for (const token of tokens) {
    const { status, body } = await read(`/pay/${token}/status`);
    assert.deepEqual([status, body['error']], [404, 'order_not_found'], token);
  }
});

test('another method is refused with 405 and Allow', async () => {
  const order = await addTestOrder(world, merchant);
  const answer = await fetch(`${site.origin}${order.path}/status`, { method: 'POST' });
  assert.equal(answer.status, 405);
  assert.match(answer.headers.get('allow')!, /GET/);
});

test('an order beyond its plan’s history window is not found for the customer either', async () => {
  await world.sql`insert into plans ${world.sql({ plan: 'week', history_days: 7 })}`;
  const small = await addTestMerchant(world, { name: 'Small', plan: 'week' });
  const young = await addTestOrder(world, small, { age: 7 * day - minute });
  const old = await addTestOrder(world, small, { age: 7 * day });
  assert.equal((await read(`${young.path}/status`)).status, 200);
  assert.equal((await read(`${old.path}/status`)).status, 404);
});

test('a remembered paid order leaves with the history window too, to the millisecond, and so does its page', async () => {
  await world.sql`insert into plans ${world.sql({ plan: 'fortnight', history_days: 14 })}`;
  const small = await addTestMerchant(world, { name: 'Small', plan: 'fortnight' });
  const order = await addTestOrder(world, small, { age: 14 * day - 2 });
  await setPaid(world, order);
  for (const path of [`${order.path}/status`, order.path])
    assert.equal((await fetch(site.origin + path)).status, 200);
  world.clock.advance(1);
  assert.equal((await read(`${order.path}/status`)).status, 200);
  world.clock.advance(1);
  const { status, body } = await read(`${order.path}/status`);
  const unknown = await read(`/pay/${newPayToken(small.merchantId)}/status`);
  assert.deepEqual([status, body], [404, unknown.body]);
  assert.equal((await fetch(site.origin + order.path)).status, 404);
});

test('a paid order is remembered for a minute: a shorter plan and a removed business count soon after', async () => {
  const shrinking = await addTestMerchant(world, { name: 'Shrinking' });
  const order = await addTestOrder(world, shrinking, { age: 30 * day });
  await setPaid(world, order);
  assert.equal((await read(`${order.path}/status`)).status, 200);
  await world.sql`update merchants set plan = 'week' where merchant_id = ${shrinking.merchantId}`;
  world.clock.advance(minute);
  assert.equal((await read(`${order.path}/status`)).status, 404);
});

test('ten thousand simultaneous customers cost a handful of queries, and each gets their own order’s answer', async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => addTestOrder(world, merchant)));
  const { sql, queries } = counting(world.sql);
  const publicStatus = openPublicStatus({ sql, clock: world.clock });
  const asked = Array.from({ length: 10_000 }, (_, at) => orders[at % orders.length]!);
  const answers = await Promise.all(asked.map(order => publicStatus(order.token)));
  assert.deepEqual(
    answers.map(answer => answer?.order_id),
    asked.map(order => order.orderId),
  );
  assert.ok(queries() <= 2, `${queries()} queries`);
});

test('no answer is older than its question: the very next reader sees a payment', async () => {
  const publicStatus = openPublicStatus(world);
  const order = await addTestOrder(world, merchant);
  const noise = await addTestOrder(world, merchant);
  let going = true;
  const crowd = (async () => {
    while (going) await Promise.all([publicStatus(order.token), publicStatus(noise.token)]);
  })();
  assert.equal((await publicStatus(order.token))?.status, 'pending');
  await setPaid(world, order);
  assert.equal((await publicStatus(order.token))?.status, 'paid');
  going = false;
  await crowd;
});

test('a paid order is remembered and asks the database no more', async () => {
  const order = await addTestOrder(world, merchant);
  await setPaid(world, order);
  const { sql, queries } = counting(world.sql);
  const publicStatus = openPublicStatus({ sql, clock: world.clock });
  await publicStatus(order.token);
  const before = queries();
  for (let time = 0; time < 5; time++) assert.equal((await publicStatus(order.token))?.status, 'paid');
  assert.equal(queries(), before);
});

test('more tokens than one query takes are all answered', async () => {
  const order = await addTestOrder(world, merchant);
  const publicStatus = openPublicStatus(world);
  const unknown = Array.from({ length: 4_500 }, () => newPayToken(merchant.merchantId));
  const answers = await Promise.all([...unknown, order.token].map(publicStatus));
  assert.equal(answers.filter(answer => answer !== null).length, 1);
});

test('with the database down every caller gets 503 with Retry-After', async () => {
  const sql = connect(nobodyListens, { most: 2 });
  const lostSite = await openSite({ ...world, sql });
  const token = newPayToken(1);
  const answers = await Promise.all([1, 2, 3].map(() => fetch(`${lostSite.origin}/pay/${token}/status`)));
  for (const answer of answers) {
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.equal(((await answer.json()) as { error: string }).error, 'service_unavailable');
  }
  await lostSite.stop();
  await sql.end();
});

/** The same database, with a count of the queries that leave through it. */
function counting(real: Sql): { sql: Sql; queries(): number } {
  let sent = 0;
  const sql = new Proxy(real, {
    apply(target, self, args: unknown[]) {
      const first = (args[0] as { raw?: string[] } | undefined)?.raw?.[0] ?? '';
      if (/^\s*select\b/.test(first)) sent++;
      return Reflect.apply(target as never, self, args);
    },
  });
  return { sql, queries: () => sent };
}
