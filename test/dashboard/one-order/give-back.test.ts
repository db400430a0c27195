import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import type { Role } from '../../../src/business/accounts/may-do.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, type Caller, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

/** Giving back a paid order, as its people see it. */

const { world, site } = useDashboard();

async function as({ merchantId }: TestMerchant, role: Role = 'owner'): Promise<Caller> {
  return await callAs(site, world, await addTestUser(world, merchantId, role));
}

async function paid() {
  const shop = await addTestMerchant(world);
  const { orderId } = await addTestOrder(world, shop, { payable: 540_37 });
  world.clock.advance(second);
  const payer = 'Asha.Verma@okhdfcbank';
  const facts = { amount: paise(540_37), payer, template: 'upi-by-vpa', bank: 'hdfc' };
  await confirmPayment(world, await storedCredit(world, shop.merchantId, facts));
  await world.sql`update alerts set template = 'upi-by-vpa' where merchant_id = ${shop.merchantId}`;
  return { shop, orderId, path: `/dashboard/orders/${orderId}` };
}

const given = async (orderId: string) => {
  const rows = await world.sql`select amount_paise from refunds where order_id = ${orderId} order by done_at`;
  return rows.map(row => row['amount_paise']);
};

test('a full refund has a QR code to the payer, one press and an undo, and every screen shows it', async () => {
  const { shop, orderId, path } = await paid();
  const owner = await as(shop, 'manager');
  assert.ok((await owner.get(path)).body.includes(`href="${path}/give-back"`));
  const page = (await owner.get(`${path}/give-back`)).body;
  for (const piece of ['QR code to pay ₹540.37 back to asha.verma@okhdfcbank', '2. I gave ₹540.37 back'])
    assert.ok(page.includes(piece), piece);
  const fields = { amount: '54037', before: '0' };
  const noted = await owner.post(`${path}/give-back`, fields);
  assert.equal(noted.headers.location, path);
  const order = (await owner.get(path)).body;
  for (const piece of ['₹540.37 given back.', 'Given back', 'gave ₹540.37 back', `${path}/give-back/undo`])
    assert.ok(order.includes(piece), piece);
  assert.ok(!order.includes(`href="${path}/give-back"`), 'nothing is left');
  assert.match((await owner.get('/dashboard/payments?view=returned')).body, new RegExp(`href="${path}"`));
  // The press of somebody whose page is older, and a page that was open.
  await owner.post(`${path}/give-back`, fields);
  assert.deepEqual(await given(orderId), [540_37]);
  assert.equal((await owner.get(`${path}/give-back`)).headers.location, path);

  const refund = /name="refund" value="([^"]+)"/.exec(order)?.[1] ?? '';
  await owner.post(`${path}/give-back/undo`, { refund });
  assert.deepEqual(await given(orderId), []);
  const [row] = await world.sql`select status from orders where order_id = ${orderId}`;
  assert.equal(row!['status'], 'paid');
});

test('a partial refund checks the sum, shows what remains, and offers the next part', async () => {
  const { shop, orderId, path } = await paid();
  const owner = await as(shop);
  const part = async (amount: string) =>
    (await owner.get(`${path}/give-back?part=1&amount=${encodeURIComponent(amount)}`)).body;
  assert.match(await part('₹180'), /₹360\.37 stays with you[\s\S]*2\. I gave ₹180 back/);
  for (const wrong of ['540.38', '0', 'all', '-1']) {
    const body = await part(wrong);
    assert.match(body, /Enter a sum of at most ₹540\.37/, wrong);
    assert.doesNotMatch(body, /I gave/, wrong);
  }
  await owner.post(`${path}/give-back`, { amount: '18000', before: '0' });
  assert.match((await owner.get(path)).body, /₹180\.00 given back[\s\S]*₹360\.37 stays with you/);
  assert.match((await owner.get(`${path}/give-back`)).body, /All · ₹360\.37/);
  const tooMuch = await owner.post(`${path}/give-back`, { amount: '36038', before: '18000' });
  assert.match((await owner.get(String(tooMuch.headers.location))).body, /more than is left/);
  world.clock.advance(6 * minute);
  const [row] = await world.sql`select refund_id from refunds where order_id = ${orderId}`;
  await owner.post(`${path}/give-back/undo`, { refund: row!['refund_id'] });
  assert.match((await owner.get(path)).body, /five minutes are over/);
  assert.deepEqual(await given(orderId), [180_00]);
});

test('the counter’s receipt of the shop says what was given back', async () => {
  const shop = await addTestMerchant(world);
  await connectedMailbox(world, shop.merchantId);
  const owner = await as(shop);
  const made = await owner.post('/dashboard/counter', { amount: '60' });
  const orderId = String(made.headers.location).split('=').at(-1)!;
  const [order] = await world.sql<{ payable_paise: number }[]>`
    select payable_paise from orders where order_id = ${orderId}`;
  const facts = { amount: paise(order!.payable_paise) };
  await confirmPayment(world, await storedCredit(world, shop.merchantId, facts));
  const receipt = async () => (await owner.get(`/dashboard/pay/${orderId}`)).body;
  assert.doesNotMatch(await receipt(), /Given back/);
  await owner.post(`/dashboard/orders/${orderId}/give-back`, { amount: '1500', before: '0' });
  assert.match(await receipt(), /<dt>Given back<\/dt><dd>₹15\.00</);
});

test('only people who decide about money may refund, for their own business and a paid order', async () => {
  const { shop, orderId, path } = await paid();
  for (const role of ['support', 'developer', 'auditor', 'cashier'] as const) {
    const person = await as(shop, role);
    for (const to of [`${path}/give-back`, `${path}/give-back/undo`])
      assert.equal((await person.post(to, { amount: '1', before: '0' })).statusCode, 403, role);
    if (role !== 'cashier') assert.ok(!(await person.get(path)).body.includes('give-back'), role);
  }
  const stranger = await as(await addTestMerchant(world));
  assert.equal((await stranger.get(`${path}/give-back`)).statusCode, 404);
  assert.equal((await stranger.post(`${path}/give-back`, { amount: '1', before: '0' })).statusCode, 404);
  const owner = await as(shop);
  for (const wrong of ['', '1.5', '-1', '9'.repeat(13)])
    assert.equal((await owner.post(`${path}/give-back`, { amount: wrong, before: '0' })).statusCode, 404);
  const open = await addTestOrder(world, shop, { payable: 99_37 });
  assert.equal((await owner.get(`/dashboard/orders/${open.orderId}/give-back`)).statusCode, 404);
  assert.deepEqual(await given(orderId), []);
});
