import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApi } from '../../support/api.ts';
import { addTestUser, type Caller, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const api = use(openTestApi);
const site = use(() => openDashboard(api.world));

type Shop = TestMerchant & { owner: Caller };
async function shopOf(kind: 'personal' | 'merchant'): Promise<Shop> {
  const merchant = await addTestMerchant(api.world, { account: { kind } });
  const owner = await callAs(site, api.world, await addTestUser(api.world, merchant.merchantId, 'owner'));
  return { ...merchant, owner };
}
const create = async (shop: Shop, amount: number) => await api.create({ amount }, shop.apiKey);
const warning = /UPI apps will decline this: a personal UPI ID receives at most ₹1,00,000\.00 in one payment/;

test('above a personal ID’s limit people are warned wherever they take a payment; the API creates it as specified', async () => {
  const { owner, ...shop } = await shopOf('personal');
  // The paise that are added make it more.
  const made = await owner.post('/dashboard/counter', { amount: '100000' });
  const path = String(made.headers.location);
  for (const where of [path, `/dashboard/orders/${path.split('=').at(-1)}`])
    assert.match((await owner.get(where)).body, warning, where);
  for (const [amount, warns] of [
    ['100000', true],
    ['99999', false],
  ] as const) {
    const link = await owner.post('/dashboard/links', { title: 'A sofa', amount });
    assert.equal(warning.test((await owner.get(String(link.headers.location))).body), warns, amount);
  }
  const answer = await create({ owner, ...shop }, 150_000);
  assert.equal(answer.statusCode, 201);
  assert.match((await owner.get(`/dashboard/orders/${answer.json().order_id}`)).body, warning);
  const less = (await create({ owner, ...shop }, 99_990)).json();
  assert.doesNotMatch((await owner.get(`/dashboard/orders/${less.order_id}`)).body, warning);
});

test('a merchant ID causes no warning', async () => {
  const shop = await shopOf('merchant');
  assert.doesNotMatch((await shop.owner.get('/dashboard/counter')).body, /personal UPI ID/);
  const { order_id } = (await create(shop, 150_000)).json();
  assert.doesNotMatch((await shop.owner.get(`/dashboard/orders/${order_id}`)).body, warning);
});

async function collected(shop: Shop, rows: Record<string, number>) {
  for (const [month, paise] of Object.entries(rows))
    await api.world.sql`
      insert into collections (merchant_id, month, collected_paise) values (${shop.merchantId}, ${month}, ${paise})`;
}

test('Reports compare the month with a lakh and the financial year with the GST thresholds; Home names no law', async () => {
  const shop = await shopOf('personal');
  const report = async ({ owner }: Shop, path: string) =>
    (await owner.get(`/dashboard/reports/${path}`)).body;
  assert.doesNotMatch(await report(shop, 'year'), /id="rules"/, 'nothing if nothing came in');
  await collected(shop, { '2026-03-01': 900_000_00, '2026-04-01': 20_000_00, '2026-11-01': 45_000_37 });
  const month = await report(shop, 'month');
  assert.match(month, /Personal UPI ID, this month<\/span><span class="one-line">₹45,000 of ₹1,00,000</);
  assert.match(month, /OC 192\/2023-24.*November 2026/s);
  const year = await report(shop, 'year');
  assert.match(year, /₹65,000 of ₹20,00,000.*₹65,000 of ₹40,00,000/s);
  assert.match(year, /All your sales count.*10\/2019-Central Tax/s);
  assert.doesNotMatch((await shop.owner.get('/dashboard')).body, /Central Tax|OC 192/);
  const merchants = await shopOf('merchant');
  await collected(merchants, { '2026-11-01': 45_000_37 });
  assert.doesNotMatch(await report(merchants, 'month'), /id="rules"/);
});

test('a business with both kinds of UPI IDs counts only the personal one towards the lakh', async () => {
  const shop = await shopOf('personal');
  const { sql, clock } = api.world;
  await collected(shop, { '2026-11-01': 3_000_00 });
  const orders = [(await create(shop, 1_000)).json(), (await create(shop, 2_000)).json()];
  await sql`
    insert into upi_accounts select merchant_id, 'acc_other', vpa, payee_name, 'merchant', merchant_code, account_digits,
      false, created_at, removed_at, bank, bank_named_at from upi_accounts where merchant_id = ${shop.merchantId}`;
  await sql`update orders set account_id = 'acc_other' where order_id = ${orders[1].order_id}`;
  await sql`
    update orders set status = 'paid', paid_at = ${clock.now()}, alert_id = order_id, received_paise = amount_paise
    where merchant_id = ${shop.merchantId}`;
  assert.match((await shop.owner.get('/dashboard/reports/month')).body, /₹1,000 of ₹1,00,000/);
  assert.match((await shop.owner.get('/dashboard/reports/year')).body, /₹3,000 of ₹20,00,000/);
});
