import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { mayGuess, passwordGuesses } from '../../../src/business/accounts/guesses.ts';
import { setDisabled } from '../../../src/business/merchants/queries.ts';
import { counterRoutes } from '../../../src/orders/links/routes.ts';
import { selectLastWebhookUrl } from '../../../src/outbox/webhooks/queries/events.ts';
import { resendEvent } from '../../../src/outbox/webhooks/resend-event.ts';
import { webhookRules } from '../../../src/outbox/webhooks/webhook-rules.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { addCheckout } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() =>
  openDashboard(world, async app => counterRoutes(app, world, await addCheckout(app, world))),
);
const shop = use(() => addTestMerchant(world, { name: 'Asha Tiffins' }));
const owner = use(async () => callAs(site, world, await addTestUser(world, shop.merchantId, 'owner')));
const stranger = use(() => callAs(site, world, null));

async function newLink(fields: Record<string, string>, by = owner): Promise<{ path: string; id: string }> {
  const made = await by.post('/dashboard/links', { title: 'Thali', ...fields });
  assert.equal(made.statusCode, 303, made.body);
  const id = String(made.headers.location).split('/').at(-1)!;
  const { body } = await by.get(`/dashboard/links/${id}`);
  return { path: /id="link-address">https?:\/\/[^/]+(\/l\/[\w-]+)</.exec(body)![1]!, id };
}

async function pay(token: string): Promise<number> {
  const [order] = await world.sql<{ payable_paise: number }[]>`
    select payable_paise from orders where pay_token = ${token}`;
  const credit = await storedCredit(world, shop.merchantId, {
    amount: paise(order!.payable_paise),
    payer: 'Asha',
  });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  return order!.payable_paise;
}

const openOrders = async () => {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from orders where merchant_id = ${shop.merchantId}`;
  return row!.count;
};

test('each press of "Pay" creates a new order with the link’s amount and no webhook, and its payment is recorded', async () => {
  const { path } = await newLink({ amount: '120' });
  const page = await stranger.get(path);
  assert.match(page.body, /Asha Tiffins[\s\S]*Thali[\s\S]*₹120\.00/);
  const [first, second] = [await stranger.post(path), await stranger.post(path)];
  assert.equal(first.statusCode, 303);
  assert.match(String(first.headers.location), /\/pay\/[\w-]{30}$/);
  assert.notEqual(first.headers.location, second.headers.location);
  const token = String(first.headers.location).split('/').at(-1)!;
  const [order] = await world.sql<{ order_id: string; payable_paise: number }[]>`
    select order_id, payable_paise from orders where pay_token = ${token}`;
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(order!.payable_paise) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  const events = await world.sql`
    select from events where order_id = ${order!.order_id} and type = 'payment.paid'`;
  assert.equal(events.length, 1);
  const [deliveries] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from deliveries d join events e using (merchant_id, event_id) where e.order_id = ${order!.order_id}`;
  assert.equal(deliveries!.count, 0);
  const [event] = await world.sql<{ event_id: string }[]>`
    select event_id from events where order_id = ${order!.order_id}`;
  const resent = await world.sql.begin(tx => resendEvent(tx, world, shop.merchantId, event!.event_id));
  assert.equal(resent, 'unknown', 'there is nobody to send it to');
  assert.equal(await selectLastWebhookUrl(world.sql, shop.merchantId), null);
  const paid = await stranger.get(new URL(String(first.headers.location)).pathname);
  assert.match(paid.body, /id="paid" class="card outcome paid">/);
  assert.doesNotMatch(paid.body, /Back to the shop/);
  for (const { breaches } of webhookRules) assert.deepEqual(await breaches(world.sql), []);
});

test('a free amount stays within its limits, and the typed text is kept for correction', async () => {
  const { path } = await newLink({ least: '50', most: '500' });
  for (const amount of ['', '49.99', '500.01', 'ten', '-5', '1e3', '٥٠']) {
    const answer = await stranger.post(path, { amount });
    assert.equal(answer.statusCode, 400, amount);
    assert.match(answer.body, /within the limits/);
  }
  assert.match((await stranger.post(path, { amount: '500.01' })).body, /value="500\.01"/);
  world.clock.advance(20 * minute);
  assert.equal((await stranger.post(path, { amount: '50' })).statusCode, 303);
});

test('a link that is unknown, withdrawn, or of a closed business gets the same page', async () => {
  const { path, id } = await newLink({ amount: '75' });
  assert.equal((await owner.post(`/dashboard/links/${id}/withdraw`)).statusCode, 303);
  const unknown = await stranger.get(`/l/${'A'.repeat(30)}`);
  const withdrawn = await stranger.get(path);
  assert.equal(withdrawn.statusCode, 404);
  assert.equal(withdrawn.body, unknown.body);
  assert.equal((await stranger.post(path)).statusCode, 404);
  assert.equal((await stranger.get('/l/short')).statusCode, 404);
});

test('a halted shop’s link and counter say in the customer’s language that it takes no new payments', async () => {
  const { sql, clock } = world;
  const other = await addTestMerchant(world, { name: 'Halted' });
  const { merchantId } = other;
  const theirs = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const { path } = await newLink({ amount: '75' }, theirs);
  const opened = await stranger.post(path);
  assert.equal(opened.statusCode, 303);
  for (const onlyNewOrders of [true, false]) {
    await setDisabled(sql, merchantId, clock.now(), { reason: 'Papers', onlyNewOrders });
    for (const answer of [await stranger.get(path), await stranger.post(path)]) {
      assert.equal(answer.statusCode, 200);
      assert.match(answer.body, /can&#39;t take new UPI payments here right now/);
      assert.doesNotMatch(answer.body, /<form/);
    }
    assert.match((await stranger.get(`${path}?lang=hi`)).body, /नए UPI भुगतान नहीं ले सकती/);
  }
  await setDisabled(sql, merchantId, clock.now(), { reason: 'Papers', onlyNewOrders: true });
  const made = await theirs.post('/dashboard/counter', { amount: '80' });
  assert.match(made.body, /takes no new orders now/);
  assert.doesNotMatch(made.body, /is disabled/);
  await sql`update merchants set deletion_requested_at = ${clock.now()} where merchant_id = ${merchantId}`;
  assert.equal((await stranger.get(path)).statusCode, 404);
});

test('a link ends with its Indian day, and is sold out when paid and awaited payments equal its stock', async () => {
  const { path: ending } = await newLink({
    amount: '80',
    ends: world.clock.now().toISOString().slice(0, 10),
  });
  const { path: scarce } = await newLink({ amount: '90', stock: '1' });
  assert.equal((await stranger.post(scarce)).statusCode, 303);
  assert.match((await stranger.get(scarce)).body, /Somebody is paying for the last one right now/);
  assert.equal((await stranger.post(scarce)).statusCode, 200);
  world.clock.advance(6 * minute);
  assert.match((await stranger.get(scarce)).body, /<form method="post">/, 'nobody paid, so it is back');
  const again = await stranger.post(scarce);
  await pay(String(again.headers.location).split('/').at(-1)!);
  const sold = (await stranger.get(scarce)).body;
  assert.match(sold, /Sold out\./);
  assert.doesNotMatch(sold, /right now|come back|comes back/, 'and says nothing of a return');
  world.clock.advance(24 * 60 * minute);
  assert.match((await stranger.get(ending)).body, /can no longer be paid/);
});

test('a crowd cannot use up a price’s amounts, not even with many links at once', async () => {
  world.clock.advance(60 * minute);
  const links = await Promise.all([1, 2, 3].map(() => newLink({ amount: '300' })));
  const before = await openOrders();
  const presses = Array.from({ length: 120 }, (_, at) =>
    site.app.inject({
      method: 'POST',
      url: links[at % 3]!.path,
      remoteAddress: `203.0.${at}.7`,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    }),
  );
  const codes = (await Promise.all(presses)).map(({ statusCode }) => statusCode);
  assert.equal(codes.filter(code => code === 303).length, 40);
  assert.equal(codes.filter(code => code === 503).length, 80);
  assert.equal((await openOrders()) - before, 40);
});

test('presses are limited per address, and other sites cannot press the button', async () => {
  world.clock.advance(60 * minute);
  const { path } = await newLink({ least: '1', most: '9000' });
  const foreign = await stranger.post(path, { amount: '10' }, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.statusCode, 403);
  const codes = [];
  for (let at = 0; at < 30; at++)
    codes.push((await stranger.post(path, { amount: String(10 + at * 100) })).statusCode);
  assert.equal(codes.filter(code => code === 303).length, 20);
  assert.equal(codes.at(-1), 429);
});

test('customers who press in the shop’s network do not lock its owner out of signing in', async () => {
  world.clock.advance(60 * minute);
  const address = '198.51.100.77';
  const links = await Promise.all([1, 2, 3, 4].map(() => newLink({ least: '1', most: '9000' })));
  for (let at = 0; at < 64; at++)
    await site.app.inject({
      method: 'POST',
      url: links[at % 4]!.path,
      remoteAddress: address,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      payload: `amount=${1000 + at * 7}`,
    });
  assert.ok(await mayGuess(world, passwordGuesses('meera@shop.example', address)));
});

test('titles are shown as text everywhere', async () => {
  const title = '<script>alert(1)</script>';
  const { path, id } = await newLink({ title, amount: '77' });
  for (const page of [path, '/dashboard/links', `/dashboard/links/${id}`, `/dashboard/poster?of=${id}`]) {
    const { body } = await owner.get(page);
    assert.ok(!body.includes(title), page);
    assert.ok(body.includes('&lt;script&gt;'), page);
  }
});

test('a new link begins with its title, and its last day is chosen from readable days', async () => {
  const { body } = await owner.get('/dashboard/links/new');
  assert.match(body, /<input id="title"[^>]* autofocus/);
  const [, days = ''] = /<select id="ends".*?>(.*?)<\/select>/s.exec(body)!;
  const options = [...days.matchAll(/value="([^"]*)"[^>]*>([^<]+)/g)].map(([, value, text]) => [value, text]);
  assert.deepEqual(options[0], ['', 'No last day']);
  assert.match(options[1]!.join(), /^20\d\d-\d\d-\d\d,\d+ \w{3,4} 20\d\d$/);
  const far = options.at(-1)![0]!;
  const { id } = await newLink({ title: 'Far', amount: '5', ends: far });
  const year = far.slice(0, 4);
  assert.match(
    (await owner.get(`/dashboard/links/${id}`)).body,
    new RegExp(`until <time [^>]*>[^<]*${year}`),
  );
  const wrong = (await owner.post('/dashboard/links', { title: 'A', amount: 'x' })).body;
  assert.match(wrong, /<input id="amount"[^>]* autofocus/);
  assert.doesNotMatch(wrong, /<input id="title"[^>]* autofocus/);
});

test('an impossible link is refused with the reason, and the typed text stays', async () => {
  for (const [fields, words] of [
    [{ title: '', amount: '5' }, /between 1 and 80/],
    [{ title: 'x'.repeat(81), amount: '5' }, /between 1 and 80/],
    [{ title: 'A', amount: '0' }, /between ₹0\.01/],
    [{ title: 'A', amount: '10000001' }, /between ₹0\.01/],
    [{ title: 'A', least: '10', most: '5' }, /must not be below/],
    [{ title: 'A', amount: '5', most: '50' }, /A fixed price has no limits/],
    [{ title: 'A', amount: '5', least: '1' }, /A fixed price has no limits/],
    [{ title: 'A', amount: '5', ends: '2020-01-01' }, /not over/],
    [{ title: 'A', amount: '5', stock: '0' }, /up to 10,000\./],
  ] as [Record<string, string>, RegExp][]) {
    const answer = await owner.post('/dashboard/links', fields);
    assert.equal(answer.statusCode, 400);
    assert.match(answer.body, words);
  }
});

test('a link shows its earnings and payers, and a paused one takes nothing new until it is resumed', async () => {
  world.clock.advance(60 * minute);
  const { path, id } = await newLink({ title: 'Kulhads', amount: '540', stock: '20' });
  const token = String((await stranger.post(path)).headers.location)
    .split('/')
    .at(-1)!;
  const begun = String((await stranger.post(path)).headers.location)
    .split('/')
    .at(-1)!;
  const sum = await pay(token);
  const shown = (await owner.get(`/dashboard/links/${id}`)).body;
  assert.match(shown, /1 paid · ₹540 · 18 of 20 left/);
  assert.match(shown, /Kulhads from Asha Tiffins, ₹540\. Pay by any UPI app: http/);
  assert.match(shown, /<bdi>Asha<\/bdi>/);
  assert.match((await owner.get('/dashboard/links')).body, /1 paid · <b>₹54\d<\/b>/);
  assert.equal((await owner.post(`/dashboard/links/${id}/pause`)).statusCode, 303);
  assert.equal(
    (await owner.post(`/dashboard/links/${id}/pause`)).statusCode,
    303,
    'a second press changes nothing',
  );
  for (const answer of [await stranger.get(path), await stranger.post(path)]) {
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /The shop has paused this link/);
  }
  assert.match((await owner.get('/dashboard/links')).body, /Paused/);
  const second = await pay(begun);
  const [row] = await world.sql`select paid_pieces, earned_paise from payment_links where link_id = ${id}`;
  assert.deepEqual({ ...row }, { paid_pieces: 2, earned_paise: sum + second }, 'what was begun is completed');
  assert.equal((await owner.post(`/dashboard/links/${id}/resume`)).statusCode, 303);
  assert.equal((await stranger.post(path)).statusCode, 303);
  const cashier = await callAs(site, world, await addTestUser(world, shop.merchantId, 'cashier'));
  assert.equal((await cashier.post(`/dashboard/links/${id}/pause`)).statusCode, 403);
  const other = await addTestMerchant(world, { name: 'Other' });
  const foreign = await callAs(site, world, await addTestUser(world, other.merchantId, 'owner'));
  for (const what of ['pause', 'resume'])
    assert.equal((await foreign.post(`/dashboard/links/${id}/${what}`)).statusCode, 404);
  const entries = await world.sql`
    select action from audit_log where merchant_id = ${shop.merchantId} and subject = ${id} order by seq`;
  assert.deepEqual(
    entries.map(entry => entry['action']),
    ['payment_link.create', 'payment_link.pause', 'payment_link.resume'],
  );
});
