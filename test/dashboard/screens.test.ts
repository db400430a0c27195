import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { minute } from '../../src/clock.ts';
import { allRoutes } from '../../src/dashboard/all-routes.ts';
import { archiveOrders } from '../../src/orders/archive-orders.ts';
import { addBusyShop, type BusyShop } from '../support/busy-shop.ts';
import { addTestOrder } from '../support/checkout-site.ts';
import {
  addTestUser,
  type Caller,
  callAs,
  type DashboardSite,
  openDashboard,
} from '../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from '../support/test-world.ts';

let world: TestWorld;
let site: DashboardSite;
let shop: BusyShop;
let stranger: TestMerchant;
let owner: Caller;
let foreign: Caller;
let operator: Caller;

before(async () => {
  world = await openTestWorld();
  site = await openDashboard(world);
  shop = await addBusyShop(world);
  stranger = await addTestMerchant(world, { name: 'Someone else' });
  owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  foreign = await callAs(site, world, await addTestUser(world, stranger.merchantId, 'owner'));
  operator = await callAs(site, world, await addTestUser(world, 0, 'operator'));
});
after(async () => {
  await site.stop();
  await world.stop();
});

/** The audit rows and notices of a business, newest first. */
async function traces(merchantId: number) {
  const deeds = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${merchantId} order by seq desc`;
  const notices = await world.sql<{ kind: string }[]>`
    select kind from notices where merchant_id = ${merchantId} order by notice_id desc`;
  return { deed: deeds[0]?.action, notice: notices[0]?.kind };
}

const plainScreens = [
  '/dashboard',
  '/dashboard/first-steps',
  '/dashboard/orders',
  '/dashboard/alerts',
  '/dashboard/upi-accounts',
  '/dashboard/mailbox',
  '/dashboard/integrations',
  '/dashboard/webhooks',
  '/dashboard/plan',
];

test('every screen opens for a busy shop and for an empty one, in both languages', async () => {
  for (const path of plainScreens) {
    for (const lang of ['en', 'hi']) {
      for (const caller of [owner, foreign]) {
        const response = await caller.get(`${path}?lang=${lang}`);
        assert.equal(response.statusCode, 200, `${path} ${lang}: ${response.body.slice(0, 300)}`);
        assert.match(response.body, new RegExp(`<html lang="${lang}">`));
        assert.ok(!/\bundefined\b|\[object Object\]|\bNaN\b/.test(response.body), `${path} ${lang}`);
      }
    }
  }
});

test('no screen of one business shows anything of another', async () => {
  for (const path of plainScreens) {
    const { body } = await foreign.get(path);
    for (const secret of [shop.paid.orderId, shop.accountId, shop.eventId, 'basket-77', 'chaipoint.in'])
      assert.ok(!body.includes(secret), `${path} shows ${secret}`);
  }
  for (const path of [
    `/dashboard/orders/${shop.paid.orderId}`,
    `/dashboard/upi-accounts/${shop.accountId}/remove`,
    `/dashboard/upi-accounts/${shop.accountId}/default`,
    `/dashboard/integrations/keys/${shop.keyId}/revoke`,
  ]) {
    assert.equal((await foreign.get(path)).statusCode, 404, path);
    assert.equal((await owner.get(path)).statusCode, 200, path);
  }
  for (const path of [
    `/dashboard/webhooks/${shop.eventId}/resend`,
    `/dashboard/upi-accounts/${shop.accountId}/remove`,
    `/dashboard/upi-accounts/${shop.accountId}/default`,
    `/dashboard/integrations/keys/${shop.keyId}/revoke`,
  ]) {
    assert.equal((await foreign.post(path)).statusCode, 404, path);
  }
});

test('home tells the figures of the day and what needs attention', async () => {
  const { body } = await owner.get('/dashboard');
  assert.match(body, /₹499\.37/);
  assert.match(body, /Webhooks do not reach shop\.example/);
  assert.match(body, /2 bank alerts of the last 7 days paid no order/);
  assert.match(body, /<svg class="chart"/);
  assert.match(body, /<rect class="chart-bar"/);
});

test('the list of orders filters, pages by a cursor, and gives its live part alone', async () => {
  const status = async (query: string) => (await owner.get(`/dashboard/orders${query}`)).body;
  assert.ok((await status('?status=paid')).includes(shop.paid.orderId));
  assert.ok(!(await status('?status=paid')).includes(shop.open.orderId));
  assert.ok((await status('?status=expired')).includes(shop.expired.orderId));
  assert.ok((await status('?id=basket-77')).includes(shop.open.orderId));
  assert.match(await status('?id=nobody'), /No order fits this filter/);
  assert.match(await status('?amount=abc'), /filter nothing: amount/);
  const live = (await owner.get('/dashboard/orders/list?status=paid')).body;
  assert.ok(live.includes(shop.paid.orderId));
  assert.ok(!live.includes('<html'));

  const many = await addTestMerchant(world, { name: 'Many' });
  for (let n = 0; n < 30; n++)
    await addTestOrder(world, many, { payable: 1000_37 + n * 100, age: n * minute });
  const caller = await callAs(site, world, await addTestUser(world, many.merchantId, 'support'));
  const first = (await caller.get('/dashboard/orders')).body;
  const next = /href="(\/dashboard\/orders\?after=[^"]+)"/.exec(first)?.[1] ?? '';
  const second = (await caller.get(next)).body;
  const ids = (page: string) => [...new Set(page.match(/ML-\d{10}/g))];
  assert.equal(ids(first).length, 25);
  assert.equal(ids(second).length, 5);
  assert.equal(new Set([...ids(first), ...ids(second)]).size, 30);
});

test("an order's page tells its whole story: evidence, times, attempts", async () => {
  const { body } = await owner.get(`/dashboard/orders/${shop.paid.orderId}`);
  for (const piece of [
    'HDFC Bank',
    'hdfcbank.bank.in, key s1',
    'alerts@chaipoint.in',
    'Order created',
    'Bank alert arrived',
    'Webhook, attempt 1: failed: answered 500',
    'Paid twice',
    `/dashboard/webhooks/${shop.eventId}/resend`,
  ]) {
    assert.ok(body.includes(piece), piece);
  }
});

test('an id or a name from outside stays text wherever it is shown', async () => {
  const nasty = '"><script>alert(1)</script>';
  const victim = await addTestMerchant(world, { name: nasty, account: { payeeName: nasty } });
  const order = await addTestOrder(world, victim, { payable: 77_37, merchantOrderId: nasty });
  const caller = await callAs(site, world, await addTestUser(world, victim.merchantId, 'owner'));
  for (const path of [
    ...plainScreens,
    `/dashboard/orders/${order.orderId}`,
    `/dashboard/orders?id=${encodeURIComponent(nasty)}`,
  ]) {
    assert.ok(!(await caller.get(path)).body.includes('<script>alert'), path);
  }
  assert.ok(!(await operator.get('/dashboard/operator')).body.includes('<script>alert'));
});

test('the CSV holds the filtered orders as a download', async () => {
  const response = await owner.get('/dashboard/orders/export.csv?status=paid');
  assert.match(response.headers['content-type'] as string, /^text\/csv/);
  assert.match(
    response.headers['content-disposition'] as string,
    /attachment; filename="orders-2026-11-15\.csv"/,
  );
  const lines = response.body.trimEnd().split('\r\n');
  assert.equal(lines.length, 21);
  assert.ok(lines.every((line, at) => at === 0 || line.includes(',paid,')));
  const developer = await callAs(site, world, await addTestUser(world, shop.merchantId, 'developer'));
  assert.equal((await developer.get('/dashboard/orders/export.csv')).statusCode, 403);
});

test('archives of a month can be downloaded, by their own business alone', async () => {
  await world.sql`insert into plans (plan, history_days) values ('week', 7) on conflict do nothing`;
  const old = await addTestMerchant(world, { plan: 'week', name: 'Old' });
  const order = await addTestOrder(world, old, { payable: 88_37, age: 30 * 24 * 60 * minute });
  await archiveOrders(world);
  const caller = await callAs(site, world, await addTestUser(world, old.merchantId, 'owner'));
  assert.match((await caller.get('/dashboard/orders')).body, /archives\/2026-10\.csv\.gz/);
  const archive = await caller.get('/dashboard/orders/archives/2026-10.csv.gz');
  assert.ok(gunzipSync(archive.rawPayload).toString().includes(order.orderId));
  assert.equal((await foreign.get('/dashboard/orders/archives/2026-10.csv.gz')).statusCode, 404);
});

test('money to look at says why in words, and nothing there is a form', async () => {
  const { body } = await owner.get('/dashboard/alerts');
  for (const piece of [
    'No order for it',
    'Paid twice',
    'Not from the bank',
    'Sent to somebody else',
    'asked for ₹1,299.58',
  ])
    assert.ok(body.includes(piece), piece);
  const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'));
  assert.ok(!main.includes('<form'));
  assert.ok(allRoutes.every(route => route.method === 'GET' || !route.path.startsWith('/dashboard/alerts')));
  const forged = (await owner.get('/dashboard/alerts?verdict=forged')).body;
  assert.ok(!forged.includes('asked for ₹1,299.58'));
});

test('a key is shown once, works, and ends with its revocation; each leaves its trace', async () => {
  const created = await foreign.post('/dashboard/integrations/keys', { name: 'web shop' });
  const key = /ml_test_[0-9A-Za-z]{38}/.exec(created.body)?.[0];
  assert.ok(key);
  assert.deepEqual(await traces(stranger.merchantId), { deed: 'api_key.create', notice: 'api_key.create' });
  const page = (await foreign.get('/dashboard/integrations')).body;
  assert.ok(page.includes('web shop') && !page.includes(key));
  const [row] = await world.sql<{ key_id: string }[]>`
    select key_id from api_keys where merchant_id = ${stranger.merchantId} and name = 'web shop'`;
  assert.equal((await foreign.post(`/dashboard/integrations/keys/${row?.key_id}/revoke`)).statusCode, 303);
  assert.deepEqual(await traces(stranger.merchantId), { deed: 'api_key.revoke', notice: 'api_key.revoke' });
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: ' ' })).statusCode, 400);
});

test('the webhook secret is shown on request and replaced after a warning', async () => {
  const shown = /whsec_[A-Za-z0-9+/=]+/.exec(
    (await foreign.post('/dashboard/integrations/secret')).body,
  )?.[0];
  assert.ok(shown);
  assert.ok(!(await foreign.get('/dashboard/integrations')).body.includes('whsec_'));
  assert.match((await foreign.get('/dashboard/integrations/secret/rotate')).body, /For 24 hours/);
  await foreign.post('/dashboard/integrations/secret/rotate');
  const after = /whsec_[A-Za-z0-9+/=]+/.exec(
    (await foreign.post('/dashboard/integrations/secret')).body,
  )?.[0];
  assert.notEqual(after, shown);
});

test('a UPI account is added, refused twice, chosen and removed, each with its trace', async () => {
  const fields = {
    vpa: 'New.Shop@okhdfc',
    payee_name: 'New',
    kind: 'personal',
    merchant_code: '',
    account_digits: '99',
  };
  assert.equal(
    (await foreign.post('/dashboard/upi-accounts', { ...fields, vpa: 'nonsense' })).statusCode,
    400,
  );
  assert.equal((await foreign.post('/dashboard/upi-accounts', fields)).statusCode, 303);
  assert.deepEqual(await traces(stranger.merchantId), { deed: 'upi_account.add', notice: 'upi_account.add' });
  const again = await foreign.post('/dashboard/upi-accounts', fields);
  assert.match(again.body, /on your list already/);
  const [row] = await world.sql<
    { account_id: string }[]
  >`select account_id from upi_accounts where vpa = 'new.shop@okhdfc'`;
  const path = `/dashboard/upi-accounts/${row?.account_id}`;
  await foreign.post(`${path}/default`);
  assert.equal((await traces(stranger.merchantId)).deed, 'upi_account.default');
  await foreign.post(`${path}/remove`);
  assert.match((await foreign.get('/dashboard/upi-accounts')).body, /Make another one the default first/);
  await foreign.post(`/dashboard/upi-accounts/${stranger.accountId}/default`);
  await foreign.post(`${path}/remove`);
  assert.equal((await traces(stranger.merchantId)).deed, 'upi_account.remove');
});

test('dangerous changes ask for a fresh proof first', async () => {
  const user = await addTestUser(world, shop.merchantId, 'owner');
  const stale = await callAs(site, world, user);
  await world.sql`
    update sessions set confirmed_at = created_at - interval '1 hour'
    where merchant_id = ${user.merchantId} and user_id = ${user.userId}`;
  const dangerous = allRoutes.filter(
    route => 'fresh' in route && route.fresh && route.permission !== 'operator' && route.method === 'POST',
  );
  assert.ok(dangerous.length >= 10);
  for (const { path } of dangerous) {
    const response = await stale.post(path.replace(/:[a-z_]+/g, 'x'));
    assert.equal(response.statusCode, 303, path);
    assert.match(String(response.headers.location), /^\/dashboard\/confirm\?next=/, path);
  }
  assert.match((await stale.get('/dashboard/upi-accounts')).body, /Confirm that it is you/);
});

test('a resend and a test event are in the log of webhooks', async () => {
  const resent = await owner.post(`/dashboard/webhooks/${shop.eventId}/resend`, {
    next: `/dashboard/orders/${shop.paid.orderId}`,
  });
  assert.equal(resent.headers.location, `/dashboard/orders/${shop.paid.orderId}`);
  assert.match((await owner.get('/dashboard/webhooks')).body, /The event is sent again/);
  const refused = await owner.post('/dashboard/webhooks/test', { url: 'http://10.0.0.1/hook' });
  assert.equal(refused.statusCode, 400);
  world.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  const sent = await owner.post('/dashboard/webhooks/test', { url: 'https://shop.example.com/hook' });
  assert.equal(sent.statusCode, 303);
  assert.match((await owner.get('/dashboard/webhooks')).body, /webhook\.test/);
});

test('a mailbox that does not answer is not stored, and says why beside what was typed', async () => {
  const response = await foreign.post('/dashboard/mailbox', {
    provider: 'other',
    address: 'shop@nowhere.example',
    password: 'secret words',
    host: 'imap.nowhere.example',
    port: '993',
  });
  assert.equal(response.statusCode, 400);
  assert.match(response.body, /value="shop@nowhere\.example"/);
  assert.ok(!response.body.includes('secret words'));
  const stored = await world.sql`select from mailboxes where merchant_id = ${stranger.merchantId}`;
  assert.equal(stored.length, 0);
});

test('a mailbox is disconnected after a warning, and its password is gone', async () => {
  const other = await addBusyShop(world, 'Tea Point');
  const caller = await callAs(site, world, await addTestUser(world, other.merchantId, 'manager'));
  assert.match((await caller.get('/dashboard/mailbox')).body, /Being read/);
  assert.match((await caller.get('/dashboard/mailbox/disconnect')).body, /no payment is confirmed/);
  await caller.post('/dashboard/mailbox/disconnect');
  const rows = await world.sql`select from mailboxes where merchant_id = ${other.merchantId}`;
  assert.equal(rows.length, 0);
  assert.deepEqual(await traces(other.merchantId), {
    deed: 'mailbox.disconnect',
    notice: 'mailbox.disconnect',
  });
});

test('a sign-in with the provider that did not start here ends nowhere', async () => {
  const response = await owner.get('/dashboard/mailbox/signed-in?code=abc&state=Zm9yZ2Vk');
  assert.equal(response.headers.location, '/dashboard/mailbox');
  assert.match((await owner.get('/dashboard/mailbox')).body, /did not work/);
});

test('an extra alert address needs a mail server to send its code', async () => {
  const response = await owner.post('/dashboard/mailbox/addresses', { extra: 'bank@chaipoint.in' });
  assert.equal(response.statusCode, 400);
  assert.match(response.body, /sends no mail/);
});

test('the operator sees all businesses, and what he does is in both logs', async () => {
  const list = (await operator.get('/dashboard/operator')).body;
  assert.ok(list.includes('Chai Point') && list.includes('Someone else'));
  assert.ok(!(await operator.get('/dashboard/operator?search=chai')).body.includes('Someone else'));
  assert.match((await operator.get('/dashboard/operator/health')).body, /Destinations that fail/);
  const path = `/dashboard/operator/businesses/${stranger.merchantId}`;
  assert.equal((await operator.get(path)).statusCode, 200);
  await operator.post(`${path}/disable`);
  assert.deepEqual(await traces(stranger.merchantId), {
    deed: 'business.disable',
    notice: 'business.disable',
  });
  assert.equal((await traces(0)).deed, 'business.disable');
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: 'late' })).statusCode, 403);
  await operator.post(`${path}/enable`);
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: 'later' })).statusCode, 200);
  await world.sql`insert into plans (plan, account_limit) values ('small', 1) on conflict do nothing`;
  await operator.post(`${path}/plan`, { plan: 'small' });
  assert.match((await operator.get(path)).body, /is now on plan small/);
  assert.equal((await operator.post(`${path}/plan`, { plan: 'nope' })).statusCode, 404);
  for (const screen of ['/dashboard/operator', '/dashboard/operator/health', path])
    assert.equal((await owner.get(screen)).statusCode, 403, screen);
  assert.equal((await operator.get('/dashboard/orders')).statusCode, 403);
});
