import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { createOrder } from '../../../src/orders/create-order.ts';
import { counterRoutes } from '../../../src/orders/links/routes.ts';
import { noAddress } from '../../../src/orders/order.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addCheckout } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() =>
  openDashboard(world, async app => counterRoutes(app, world, await addCheckout(app, world))),
);
const shop = use(() => addTestMerchant(world, { name: 'Asha Tiffins' }));
prepare(() => connectedMailbox(world, shop.merchantId));
const owner = use(async () => callAs(site, world, await addTestUser(world, shop.merchantId, 'owner')));
const stranger = use(() => callAs(site, world, null));

type Link = { path: string; id: string };

async function newLink(fields: Record<string, string>): Promise<Link> {
  const made = await owner.post('/dashboard/links', { title: '=Thali', ...fields });
  const id = String(made.headers.location).split('/').at(-1)!;
  const { body } = await owner.get(`/dashboard/links/${id}`);
  return { path: /id="link-address">https?:\/\/[^/]+(\/l\/[\w-]+)</.exec(body)![1]!, id };
}

/** The payment page that a press leads to. */
async function press(path: string, amount = ''): Promise<string> {
  const { headers, body } = await stranger.post(path, { amount });
  assert.ok(headers.location, body);
  return new URL(String(headers.location)).pathname;
}

const again =
  /<form method="post" action="(\/l\/[^"]+)"><input type="hidden" name="amount" value="([\d.]+)">/g;
const offers = async (page: string) => [...(await stranger.get(page)).body.matchAll(again)];

test('a link’s expired order offers a fresh order of the same sum while the link is open', async () => {
  for (const [fields, typed] of [
    [{ amount: '120' }, ''],
    [{ amount: '' }, '75.50'],
  ] as const) {
    const link = await newLink(fields);
    const page = await press(link.path, typed);
    world.clock.advance(6 * minute);
    const { body } = await stranger.get(page);
    assert.doesNotMatch(body, /Ask for a new one/);
    const [[, action, amount]] = (await offers(page)) as unknown as [[string, string, string]];
    const fresh = await press(action, amount);
    assert.notEqual(fresh, page);
    assert.match((await stranger.get(fresh)).body, /data-state="pending"/);
    assert.ok((await stranger.get(fresh)).body.includes(typed === '' ? '₹120.00 + ₹0.' : '₹75.50 + ₹0.'));
    world.clock.advance(16 * minute);
    assert.ok((await offers(page)).length > 0, 'when nobody looks for a payment any more, too');
    assert.equal((await owner.post(`/dashboard/links/${link.id}/withdraw`, {})).statusCode, 303);
    assert.deepEqual(await offers(page), []);
    assert.match((await stranger.get(fresh)).body, /Ask for a new one/);
  }
});

test('a link that is sold out, or whose day is over, offers no second payment; nor does an order without a link', async () => {
  const sold = await press((await newLink({ amount: '130', stock: '1' })).path);
  const [order] = await world.sql<{ payable_paise: number }[]>`
    select payable_paise from orders where pay_token = ${sold.split('/').at(-1)!}`;
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(order!.payable_paise) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  assert.deepEqual(await offers(sold), []);
  const made = await owner.post('/dashboard/counter', { amount: '140' });
  const [own] = await world.sql<{ pay_token: string }[]>`
    select pay_token from orders where order_id = ${String(made.headers.location).split('=').at(-1)!}`;
  world.clock.advance(6 * minute);
  assert.deepEqual(await offers(`/pay/${own!.pay_token}`), []);
});

test('the order’s purpose is a column of the export, and never a formula', async () => {
  await press((await newLink({ amount: '150' })).path);
  const lines = (await owner.get('/dashboard/orders/export.csv')).body.trimEnd().split('\r\n');
  assert.match(lines[0]!, /,purpose,given_back_amount$/);
  assert.match(lines[1]!, /,'=Thali,$/);
});

const ring = async (amount: string) => await owner.post('/dashboard/counter', { amount });
async function addedTo(price: number): Promise<number> {
  const [row] = await world.sql<{ most: number }[]>`
    select max(payable_paise - amount_paise)::int as most from orders
    where merchant_id = ${shop.merchantId} and amount_paise = ${price}`;
  return row!.most;
}

test('an owner limits the addition at counter and links to 99 paise: then they can be busy, and API orders are not', async () => {
  const link = await newLink({ amount: '33' });
  assert.match((await stranger.get(link.path)).body, /A few paise are added, ₹2\.99 at most/);
  assert.match((await owner.get('/dashboard/shop/rules')).body, /Without this limit up to ₹2\.99 is added/);
  assert.equal((await owner.post('/dashboard/settings/cap-added', { cap: 'on' })).statusCode, 303);
  assert.match((await stranger.get(link.path)).body, /A few paise are added, ₹0\.99 at most/);
  for (let held = 0; held < 99; held++) assert.equal((await ring('33')).statusCode, 303);
  assert.equal(await addedTo(33_00), 99);
  const counted = await world.sql`select from orders where merchant_id = ${shop.merchantId}`;
  const busy = await ring('33');
  assert.equal(busy.statusCode, 400);
  assert.match(busy.body, /Too many open orders share this amount now/);
  const refused = await stranger.post(link.path);
  assert.equal(refused.statusCode, 503);
  assert.match(refused.body, /Too many people are paying by this link right now/);
  const after = await world.sql`select from orders where merchant_id = ${shop.merchantId}`;
  assert.equal(after.length, counted.length, 'nothing is left of what was refused');
  const key = { merchantId: shop.merchantId, signedIn: true } as const;
  const { order } = await createOrder(world.sql, world, key, {
    amount: paise(33_00),
    merchantOrderId: 'by-api',
    successUrl: noAddress,
    failureUrl: noAddress,
    webhookUrl: noAddress,
    customer: null,
    account: null,
  });
  assert.ok(order.payable_paise - 33_00 > 99);
  assert.equal((await owner.post('/dashboard/settings/cap-added', { cap: 'off' })).statusCode, 303);
  assert.equal((await ring('33')).statusCode, 303);
  assert.ok((await addedTo(33_00)) > 99);
  const auditEntries = await world.sql`
    select subject from audit_log where merchant_id = ${shop.merchantId} and action = 'cap_added.choose' order by at, subject`;
  assert.deepEqual(auditEntries.map(entry => entry['subject']).sort(), ['off', 'on']);
});
