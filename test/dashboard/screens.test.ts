import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { minute } from '../../src/base/clock.ts';
import { keepHistory } from '../../src/orders/history/keep-history.ts';
import { foreign, operator, owner, shop, site, useBusyDashboard, world } from '../support/busy-dashboard.ts';
import { addTestOrder } from '../support/checkout-site.ts';
import { addTestUser, type Caller, callAs } from '../support/dashboard-site.ts';
import { addTestMerchant } from '../support/test-world.ts';

useBusyDashboard();

const plainScreens = [
  '/dashboard',
  '/dashboard/first-steps',
  '/dashboard/to-do',
  '/dashboard/reports',
  '/dashboard/reports/month',
  '/dashboard/reports/year',
  '/dashboard/reports/check',
  '/dashboard/payments',
  '/dashboard/payments?view=decide',
  '/dashboard/payments?view=returned',
  '/dashboard/payments?view=kept',
  '/dashboard/payments?view=orders',
  '/dashboard/payments/not-counted',
  '/dashboard/shop',
  '/dashboard/shop/bank',
  '/dashboard/shop/customers',
  '/dashboard/shop/rules',
  '/dashboard/shop/notifications',
  '/dashboard/shop/privacy',
  '/dashboard/team',
  '/dashboard/audit',
  '/dashboard/mailbox',
  '/dashboard/integrations',
  '/dashboard/webhooks',
  '/dashboard/plan',
];

test('every screen opens for a busy shop and for an empty one, in both languages', async () => {
  for (const path of plainScreens) {
    for (const lang of ['en', 'hi']) {
      for (const caller of [owner, foreign]) {
        const response = await caller.get(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
        assert.equal(response.statusCode, 200, `${path} ${lang}: ${response.body.slice(0, 300)}`);
        assert.match(response.body, new RegExp(`<html lang="${lang}">`));
        assert.ok(!/\bundefined\b|\[object Object\]|\bNaN\b/.test(response.body), `${path} ${lang}`);
      }
    }
  }
});

test('no screen of a business shows another business’s data', async () => {
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

test('Home shows the day and what to do, with values on touch and without a script', async () => {
  const { body } = await owner.get('/dashboard');
  assert.match(body, /<p class="figure"><span class="money">₹499<span class="paise">\.37</);
  assert.match(body, /Updates do not reach your website|updates? did not reach your website/);
  assert.doesNotMatch(body, /http:\/\/shop\.example/, 'no address of a webhook on a shopkeeper’s screen');
  assert.match(body, /2 payments need matching/);
  assert.match(body, /<fieldset class="plot"/);
  assert.match(
    body,
    /<input type="radio" name="hero" class="unseen"><span class="plot-value"><span>[^<]*<\/span> <b>₹499\.37/,
  );
  assert.doesNotMatch(body, /style="/);
  assert.match(
    body,
    /<a href="\/dashboard\/\w+"><span class="pill">[^\n]*?Payments<\/span> <span class="count">2<span class="unseen"> waiting</,
  );
});

test('the list of orders filters, pages by a cursor, and can return only its live part', async () => {
  const status = async (query: string) =>
    (await owner.get(`/dashboard/payments${query.replace('?', '?view=orders&')}`)).body;
  assert.ok((await status('?status=paid')).includes(shop.paid.orderId));
  assert.ok(!(await status('?status=paid')).includes(shop.open.orderId));
  assert.ok((await status('?status=expired')).includes(shop.expired.orderId));
  assert.ok((await status('?q=basket-77')).includes(shop.open.orderId));
  assert.match(await status('?q=nobody'), /No payment found/);
  assert.match(await status('?status=abc'), /so they change nothing: status/);
  const live = (await owner.get('/dashboard/payments/list?status=paid')).body;
  assert.ok(live.includes(shop.paid.orderId));
  assert.ok(!live.includes('<html'));

  const many = await addTestMerchant(world, { name: 'Many' });
  for (let n = 0; n < 30; n++)
    await addTestOrder(world, many, { payable: 1000_37 + n * 100, age: n * minute });
  const caller = await callAs(site, world, await addTestUser(world, many.merchantId, 'support'));
  const first = (await caller.get('/dashboard/payments')).body;
  const next = /href="(\/dashboard\/payments\?after=[^"]+)"/.exec(first)?.[1] ?? '';
  const second = (await caller.get(next)).body;
  const ids = (page: string) => [...new Set(page.match(/ML-\d{10}/g))];
  assert.equal(ids(first).length, 25);
  assert.equal(ids(second).length, 5);
  assert.equal(new Set([...ids(first), ...ids(second)]).size, 30);
});

test('one box finds an order by a part of its id, its payer or its sum, and shows its days', async () => {
  const find = async (query: string, caller = owner) =>
    (await caller.get(`/dashboard/payments?${query}`)).body.includes(`/orders/${shop.paid.orderId}"`);
  for (const text of ['499', '499.37', shop.paid.orderId.slice(4), 'ravi@ok'])
    assert.ok(await find(`q=${text}&status=paid`), text);
  assert.ok(!(await find('q=499.38')));
  assert.ok(!(await find('q=499.37', foreign)));
  const { body } = await owner.get('/dashboard/payments?q=499');
  for (const range of [
    '2026-11-15..2026-11-15',
    '2026-11-14..2026-11-14',
    '2026-11-09..2026-11-15',
    '2026-11-01..2026-11-30',
  ])
    assert.ok(body.includes(`<option value="${range}">`), range);
  assert.ok(await find('q=499&from=2026-11-15&to=2026-11-15'));
  assert.ok(!(await find('from=2026-11-14&to=2026-11-14')));
  assert.doesNotMatch(body, /data-live/);
});

test('every page has one menu with one badge, search and sign-out, and only what a role may open', async () => {
  const frameOf = async (caller: Caller, path: string) => {
    const { body } = await caller.get(path);
    return body.slice(body.indexOf('<nav class="places"'), body.indexOf('<main'));
  };
  const namesIn = (frame: string) =>
    [...frame.matchAll(/<\/svg><\/span><span>([^<]+)<\/span>/g)].map(m => m[1]);
  for (const path of plainScreens) {
    const frame = await frameOf(owner, path);
    assert.deepEqual(namesIn(frame), ['Home', 'Collect', 'Payments', 'Reports', 'Shop'], path);
    assert.equal(frame.match(/aria-current/g)?.length, 1, path);
    assert.equal(frame.match(/class="count"/g)?.length, 1, path);
    assert.match(frame, /Listening<\/span><br><span class="quiet">Last bank email <time/, path);
    assert.ok(frame.includes('action="/dashboard/sign-out"'), path);
  }
  assert.match(await frameOf(foreign, '/dashboard/payments'), /Not listening.*No bank email yet/);
  const cashier = await callAs(site, world, await addTestUser(world, shop.merchantId, 'cashier'));
  const counter = await frameOf(cashier, '/dashboard/counter');
  assert.equal(namesIn(counter)[0], 'Counter');
  assert.ok(!/href="\/dashboard\/(?!counter|account)/.test(counter), counter);
  const home = await cashier.get('/dashboard');
  assert.deepEqual([home.statusCode, home.headers.location], [303, '/dashboard/counter']);
  for (const path of [
    '/dashboard/today',
    '/dashboard/today/payments',
    '/dashboard/reports',
    '/dashboard/to-do',
  ])
    assert.equal((await cashier.get(path)).statusCode, 403, path);
});

test('the audit log is sentences without codes, in both languages', async () => {
  await owner.post('/dashboard/integrations/keys', { name: 'Till' });
  const { body } = await owner.get('/dashboard/audit');
  assert.match(body, /Made the API key “Till”/);
  assert.ok(!body.includes('api_key.create'));
});

test('an order’s page shows its evidence, times and attempts', async () => {
  const { body } = await owner.get(`/dashboard/orders/${shop.paid.orderId}`);
  for (const piece of [
    'HDFC Bank',
    'hdfcbank.bank.in, key s1',
    'alerts@chaipoint.in',
    'Asked for ₹499.37',
    'Seen in your bank’s email',
    'answered 500',
    'Paid twice',
    '₹499.37 came in once more',
    'data-copy-from="order-link"',
    `/dashboard/webhooks/${shop.eventId}/resend`,
  ]) {
    assert.ok(body.includes(piece), piece);
  }
});

test('the live part of an order is its page without the frame, leaves messages for pages, and links to the page', async () => {
  const path = `/dashboard/orders/${shop.paid.orderId}`;
  const whole = (await owner.get(path)).body;
  await world.sql`update sessions set flash = 'For a page' where merchant_id = ${shop.merchantId}`;
  const live = (await owner.get(`${path}?part=live`)).body;
  assert.ok(!live.includes('<html') && whole.includes(live));
  const names = [...live.matchAll(/data-live="([^"]+)" data-part="([\w-]+)"/g)];
  assert.ok(names.length > 8 && names.every(([, address]) => address === `${path}?part=live`));
  assert.equal(new Set(names.map(([, , name]) => name)).size, names.length);
  assert.ok(live.includes(`name="next" value="${path}"`));
  assert.match((await owner.get(path)).body, /For a page/);
  assert.equal((await foreign.get(`${path}?part=live`)).statusCode, 404);
});

test('an id or a name from outside is always shown as text', async () => {
  const nasty = '"><script>alert(1)</script>';
  const victim = await addTestMerchant(world, { name: nasty, account: { payeeName: nasty } });
  const order = await addTestOrder(world, victim, { payable: 77_37, merchantOrderId: nasty });
  const caller = await callAs(site, world, await addTestUser(world, victim.merchantId, 'owner'));
  for (const path of [
    ...plainScreens,
    `/dashboard/orders/${order.orderId}`,
    `/dashboard/payments?q=${encodeURIComponent(nasty)}`,
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

test('an invalid filter makes no file, because it would contain every order', async () => {
  const response = await owner.get('/dashboard/orders/export.csv?status=payed&from=2026-11-01');
  assert.equal(response.statusCode, 400);
  assert.match(response.headers['content-type'] as string, /^text\/html/);
  assert.match(response.body, /No file was made, because we did not understand these: status</);
});

test('a month’s archives can be downloaded only by their own business', async () => {
  await world.sql`insert into plans (plan, history_days) values ('week', 7) on conflict do nothing`;
  const old = await addTestMerchant(world, { plan: 'week', name: 'Old' });
  const order = await addTestOrder(world, old, { payable: 88_37, age: 30 * 24 * 60 * minute });
  await keepHistory(world);
  const caller = await callAs(site, world, await addTestUser(world, old.merchantId, 'owner'));
  assert.match((await caller.get('/dashboard/payments?view=orders')).body, /archives\/2026-10\.csv/);
  const path = '/dashboard/orders/archives/2026-10.csv';
  const archive = await caller.get(path);
  assert.equal(archive.headers['content-encoding'], undefined);
  assert.match(archive.headers['content-disposition'] as string, /filename="orders-2026-10\.csv"/);
  assert.match(archive.body, new RegExp(`^\ufefforder_id,[^]*${order.orderId}`));
  const packed = await caller.get(path, { 'accept-encoding': 'gzip, br' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(packed.rawPayload).toString(), archive.body);
  assert.equal((await foreign.get(path)).statusCode, 404);
});

test('refused mails show their reason, are separate from money, and cannot be changed there', async () => {
  const { body } = await owner.get('/dashboard/payments/not-counted');
  for (const piece of ['Not from the bank', 'Sent to somebody else']) assert.ok(body.includes(piece), piece);
  const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'));
  assert.ok(!main.includes('method="post"'));
  assert.ok(!main.includes('Paid twice') && !main.includes('1,299.00'));
  const money = (await owner.get('/dashboard/payments?view=decide')).body.replaceAll(/<[^>]+>/g, '');
  for (const piece of ['₹1,299.00', 'No order for it', 'Paid twice']) assert.ok(money.includes(piece), piece);
  assert.ok(!money.includes('Not from the bank'));
});

test('the tab of mails that may be about money leaves out all others', async () => {
  const path = '/dashboard/payments/not-counted';
  const mails = async (query: string) =>
    (await owner.get(`${path}${query}`)).body.match(/<details class="fold"/g)?.length;
  const all = (await owner.get(path)).body;
  assert.match(all, /someone@else\.in/);
  const doubtful = (await owner.get(`${path}?only=doubtful`)).body;
  assert.match(doubtful, /No such mail/);
  assert.equal(await mails('?only=%27%20or%201'), await mails(''));
});
