import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { html } from '../../../src/base/http/html.ts';
import { readLogo } from '../../../src/business/merchants/read-logo.ts';
import { newPayToken } from '../../../src/orders/order.ts';
import { iphone, phone } from '../../support/browser.ts';
import { addTestOrder, openSite, setPaid, setStatus } from '../../support/checkout-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() =>
  openSite(world, undefined, order => html`<aside id="extra">${order.order_id}</aside>`),
);
const personal = use(() => addTestMerchant(world, { name: 'Sharma & Sons' }));
const verified = use(() =>
  addTestMerchant(world, {
    name: 'Metro',
    account: { kind: 'merchant', merchantCode: '5411' },
  }),
);

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(site.origin + path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const android = { 'user-agent': phone.userAgent! };

test('the page shows shop, exact amount, UPI ID, order and QR, and nobody else may cache or frame it', async () => {
  const order = await addTestOrder(world, personal, { payable: 12_34_567_09 });
  const { status, headers, text } = await get(order.path);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  for (const part of [
    'Sharma &amp; Sons',
    'Pay exactly ₹12,34,567.09, paise included',
    'chai@okaxis',
    order.orderId,
    '<svg',
  ])
    assert.ok(text.includes(part), part);
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('set-cookie'), null);
  assert.match(headers.get('vary')!, /Accept-Language/);
  assert.doesNotMatch(text, /<style|style=|onclick|<script(?! src="\/checkout\/)/);
});

test('names, VPA and ids from outside are shown as text', async () => {
  const hostile = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;
  const merchant = await addTestMerchant(world, {
    name: hostile,
    account: { payeeName: hostile, vpa: `a"><b>@x` },
  });
  const { text } = await get((await addTestOrder(world, merchant)).path);
  assert.doesNotMatch(text, /<img|<script>|onerror=alert\(1\)>|a"><b>/);
  assert.ok(text.includes('&lt;script&gt;alert(2)&lt;/script&gt;'));
});

test('the language is the browser’s first known one, and the customer’s choice replaces it', async () => {
  const { path } = await addTestOrder(world, personal);
  const language = async (query: string, accept?: string) =>
    /<html lang="(\w+)">/.exec(
      (await get(path + query, accept ? { 'accept-language': accept } : {})).text,
    )![1];
  assert.equal(await language(''), 'en');
  assert.equal(await language('', 'hi-IN,hi;q=0.9,en;q=0.8'), 'hi');
  assert.equal(await language('', 'ta,en;q=0.5,hi;q=0.6'), 'hi');
  assert.equal(await language('', 'hi;q=0,en'), 'en');
  assert.equal(await language('', 'de,fr'), 'en');
  assert.equal(await language('?lang=hi', 'en'), 'hi');
  assert.equal(await language('?lang=en', 'hi'), 'en');
  assert.equal(await language('?lang=xx&lang=hi', 'hi'), 'hi');
});

test('a verified merchant is paid by app links on Android, with a way back if the app is missing', async () => {
  const order = await addTestOrder(world, verified);
  const { text } = await get(order.path, android);
  const request = `pay?pa=chai@okaxis&amp;pn=Metro&amp;mc=5411&amp;tr=${order.orderId.replace('-', '')}&amp;am=499.37&amp;cu=INR&amp;tn=${order.orderId}`;
  const fallback = encodeURIComponent(`${site.origin}${order.path}?lang=en&app=missing`);
  assert.ok(
    text.includes(
      `href="intent://${request}#Intent;scheme=upi;package=com.phonepe.app;S.browser_fallback_url=${fallback};end"`,
    ),
  );
  assert.ok(text.includes(`href="upi://${request}"`));
  assert.equal(text.match(/href="intent:\/\//g)!.length, 5);
  assert.match((await get(`${order.path}?app=missing`, android)).text, /That app is not on this phone/);
});

test('on an iPhone the links use the apps’ own schemes', async () => {
  const { text } = await get((await addTestOrder(world, verified)).path, { 'user-agent': iphone.userAgent! });
  for (const scheme of [
    'gpay://upi/pay?',
    'phonepe://pay?',
    'paytmmp://pay?',
    'bhim://pay?',
    'credpay://upi/pay?',
  ])
    assert.ok(text.includes(`href="${scheme}pa=chai@okaxis`), scheme);
});

test('a personal account is paid in steps with buttons, without links that apps decline, and with one reason', async () => {
  const { text } = await get((await addTestOrder(world, personal)).path, android);
  assert.doesNotMatch(text, /href="(?:intent|upi|gpay|phonepe|paytmmp):/);
  for (const part of [
    'data-copy="chai@okaxis"',
    '<b>Copy UPI ID</b>',
    'data-copy="499.37"',
    '<b>Copy ₹499.37</b>',
    '<b>Open your UPI app</b>',
    'check the name',
    '<summary>Why is there no button that pays?</summary>',
    '<summary>Pay from another phone</summary>',
  ])
    assert.ok(text.includes(part), part);
  assert.match(text, /personal UPI ID/);
});

test('on an iPhone a personal account has buttons that only open an app', async () => {
  const { text } = await get((await addTestOrder(world, personal)).path, { 'user-agent': iphone.userAgent! });
  const links = [...text.matchAll(/class="app" href="([^"]+)"/g)].map(([, href]) => href);
  assert.deepEqual(links, ['phonepe://', 'gpay://', 'paytmmp://', 'bhim://']);
});

test('a QR to save is offered up to NPCI’s limit for gallery scans, while it can be paid', async () => {
  const order = await addTestOrder(world, personal, { payable: 2_000_00 });
  const { text } = await get(order.path, android);
  assert.ok(text.includes(`href="${site.origin}${order.path}/qr.png" download="UPI-${order.orderId}.png"`));
  const more = await get((await addTestOrder(world, personal, { payable: 2_000_01 })).path, android);
  assert.doesNotMatch(more.text, /qr\.png/);
  assert.match(more.text, /limited to ₹2,000 by NPCI/);
  const picture = await fetch(`${site.origin}${order.path}/qr.png`);
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
  assert.equal(picture.headers.get('cache-control'), 'no-store');
  assert.deepEqual(readLogo(Buffer.from(await picture.arrayBuffer())), { type: 'png' });
  await setPaid(world, order);
  assert.equal((await get(`${order.path}/qr.png`)).status, 404);
  assert.equal((await get(`/pay/${newPayToken(personal.merchantId)}/qr.png`)).status, 404);
});

test('a shared link shows shop and amount while it can be paid, and nothing of the result', async () => {
  const order = await addTestOrder(world, personal);
  const meta = async () =>
    [...(await get(order.path)).text.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)].map(
      ([, name, content]) => [name, content],
    );
  assert.deepEqual((await meta())[1], ['title', 'Pay ₹499.37 to Sharma &amp; Sons']);
  await setPaid(world, order);
  const shared = await meta();
  assert.deepEqual(shared[1], ['title', 'UPI payment to Sharma &amp; Sons']);
  assert.doesNotMatch(JSON.stringify(shared), /499|received|chai@okaxis/);
});

test('a paid page is a receipt: payee, amount, time, reference and order', async () => {
  const order = await addTestOrder(world, personal);
  await setPaid(world, order);
  await world.sql`
    update orders set bank_reference = '691900012345', paid_at = '2026-11-15T05:12:00Z' where order_id = ${order.orderId}`;
  const { text } = await get(order.path);
  const facts = [...text.matchAll(/<dt>([^<]+)<\/dt><dd><bdi>([^<]+)<\/bdi>/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  assert.deepEqual(
    facts.filter(([name]) => name !== 'Confirmed'),
    [
      ['Paid to', 'Sharma &amp; Sons'],
      ['Amount', '₹499.37'],
      ['UPI reference (UTR)', '691900012345'],
      ['Order', order.orderId],
    ],
  );
  assert.match(Object.fromEntries(facts)['Confirmed']!, /15 Nov\w* 2026.*10:42/);
  await world.sql`
    insert into refunds (merchant_id, order_id, refund_id, account_id, amount_paise, done_by, done_at)
    select merchant_id, order_id, 'rf_' || n, account_id, 3025, 'owner', paid_at from orders, generate_series(1, 2) n
    where order_id = ${order.orderId}`;
  const back = /Given back by the shop<\/dt><dd><bdi>₹60\.50</;
  assert.match((await get(order.path)).text, back);
  assert.doesNotMatch(
    (await get((await addTestOrder(world, personal)).path)).text,
    /UPI reference \(UTR\)<\/dt>/,
  );
});

test('a desktop shows the QR, and neither app links nor steps', async () => {
  for (const merchant of [personal, verified]) {
    const { text } = await get((await addTestOrder(world, merchant)).path);
    assert.doesNotMatch(text, /class="app"|class="steps"/);
    assert.match(text, /class="qr"/);
  }
});

test('an order that is final when opened shows no QR and no UPI ID, only the way back', async () => {
  const paid = await addTestOrder(world, verified);
  await setPaid(world, paid);
  const failed = await addTestOrder(world, verified);
  await setStatus(world, failed, 'failed');
  const expired = await addTestOrder(world, verified, { age: 5 * minute });
  const over = await addTestOrder(world, verified, { age: 15 * minute });
  const review = await addTestOrder(world, verified);
  await setStatus(world, review, 'manual_review');
  for (const [order, state, leads] of [
    [paid, 'paid', 'done?x=1&amp;order_id='],
    [failed, 'failed', 'failed?order_id='],
    [expired, 'expired', 'failed?order_id='],
    [over, 'over', 'failed?order_id='],
    [review, 'review', null],
  ] as const) {
    const { text } = await get(order.path, android);
    assert.ok(text.includes(`data-state="${state}"`), state);
    assert.doesNotMatch(text, /class="qr"|chai@okaxis|intent:\/\//);
    assert.match(text, new RegExp(`<section id="${state}" class="card outcome ${state}">`));
    if (leads) assert.ok(text.includes(`data-go href="http://shop.example/${leads}`), state);
  }
});

test('a customer who reports a payment may stay on an expired page until the late window ends', async () => {
  const expired = await addTestOrder(world, personal, { age: 15 * minute - 1 });
  assert.match((await get(`${expired.path}?stay=1`)).text, /data-state="late"/);
  world.clock.advance(1);
  assert.match((await get(`${expired.path}?stay=1`)).text, /data-state="over"/);
});

test('without script the page reloads while it can change, and returns to the shop when it cannot', async () => {
  const refresh = async (path: string) =>
    /<noscript><meta http-equiv="refresh" content="([^"]+)"><\/noscript>/.exec((await get(path)).text)?.[1] ??
    null;
  const pending = await addTestOrder(world, personal);
  assert.equal(await refresh(pending.path), '5');
  const expired = await addTestOrder(world, personal, { age: 6 * minute });
  assert.match((await refresh(expired.path))!, /^15;url=http:\/\/shop\.example\/failed\?/);
  assert.equal(await refresh(`${expired.path}?stay=1`), '5');
  await setPaid(world, pending);
  assert.match((await refresh(pending.path))!, /^5;url=http:\/\/shop\.example\/done\?x=1&amp;order_id=/);
  assert.equal(await refresh(`${pending.path}?stay=1`), null, 'who wants the receipt stays');
});

test('the banner is shown while the mailbox is known to be unreachable, and a failing query changes nothing', async () => {
  const banner = 'Confirmation may be slow right now; your payment is safe.';
  const { path } = await addTestOrder(world, personal);
  site.blind.now = true;
  world.clock.advance(6_000);
  assert.ok((await get(path)).text.includes(banner));
  site.blind.now = false;
  assert.ok((await get(path)).text.includes(banner), 'remembered for some seconds');
  world.clock.advance(6_000);
  assert.ok(!(await get(path)).text.includes(banner));
  world.clock.advance(3_600_000);
  assert.ok(!(await get(path)).text.includes(banner));
  world.clock.advance(-3_600_000);
  site.blind.now = true;
  assert.ok((await get(path)).text.includes(banner), 'a clock that was set back brings no old answer');
  site.blind.now = false;
  site.blind.fails = true;
  world.clock.advance(6_000);
  const answer = await get(path);
  assert.equal(answer.status, 200);
  assert.ok(!answer.text.includes(banner));
  site.blind.fails = false;
});

test('the sandbox’s addition to the page is in it', async () => {
  const order = await addTestOrder(world, personal);
  assert.ok((await get(order.path)).text.includes(`<aside id="extra">${order.orderId}</aside>`));
});

test('a personal ID’s page says: from a bank account, not a credit card; a merchant’s does not', async () => {
  for (const headers of [{}, android]) {
    const own = await get((await addTestOrder(world, personal)).path, headers);
    assert.match(own.text, /Pay from a bank account, not a credit card/);
    const other = await get((await addTestOrder(world, verified)).path, headers);
    assert.doesNotMatch(other.text, /credit card/);
  }
  const { path } = await addTestOrder(world, personal);
  assert.match((await get(`${path}?lang=hi`)).text, /बैंक खाते से भुगतान करें, क्रेडिट कार्ड से नहीं/);
});
