import assert from 'node:assert/strict';
import { hour } from '../../../src/base/clock.ts';
import { proofPrefix } from '../../../src/payments/matching/queries/trials.ts';
import { desktop } from '../../support/browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { as, pay, site, useLookingFor, visit, waiting, world } from '../../support/look-for-stage.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const { test } = needs('Chromium');

/** An exact payment that waits until somebody has found it in the account, as its people see it. */

useLookingFor();

async function statusOf(orderId: string): Promise<string> {
  const [row] = await world.sql`select status from orders where order_id = ${orderId}`;
  return row!['status'];
}

test('the order says why it waits, and one tap of its owner pays it', async () => {
  const { shop, orderId } = await waiting();
  const { page, go, troubles, close } = await visit(shop, 'en');
  await go(`/dashboard/orders/${orderId}`);
  await page.getByText('the first three payments by it wait until you have found them').first().waitFor();
  await page.getByText('Is ₹500.37 in your account?').waitFor();
  const yes = page.getByRole('button', { name: 'Yes, it is in my account' });
  const place = await yes.boundingBox();
  assert.ok(place && place.height >= 44 && place.y + place.height <= 740, 'within reach without scrolling');
  await yes.click();
  await page.getByText('The order is paid.').first().waitFor();
  assert.equal(await statusOf(orderId), 'paid');
  assert.deepEqual(troubles, []);
  await close();
});

test('a "no" pays nothing: the order continues, and the payment stays in the list with that answer', async () => {
  const { shop, orderId, alertId } = await waiting();
  const { page, go, close } = await visit(shop, 'en', desktop);
  await go(`/dashboard/orders/${orderId}`);
  await page.getByRole('button', { name: 'No, it is not there' }).click();
  await page.getByText('Noted. Nothing is paid').waitFor();
  await page.getByText('nobody found it in the account').first().waitFor();
  assert.equal(await statusOf(orderId), 'pending');
  await go(`/dashboard/orders/${orderId}`);
  await page.getByText('did not find the money in the account').waitFor();
  await go(`/dashboard/money/${alertId}`);
  await page.getByText('It is exactly what').first().waitFor();
  await close();
  const operator = await callAs(site, world, await addTestUser(world, 0, 'operator'));
  assert.match((await operator.get('/dashboard/operator/banks/hdfc')).body, /Not in the account/);
});

test('the tap asks for a fresh sign-in, and is only for owners and managers', async () => {
  const { shop, orderId, alertId } = await waiting();
  const accept = `/dashboard/money/${alertId}/orders/${orderId}/accept`;
  for (const role of ['support', 'developer', 'auditor', 'cashier'] as const) {
    const caller = await as(shop, role);
    assert.equal((await caller.post(accept)).statusCode, 403, role);
    assert.equal((await caller.post(`/dashboard/money/${alertId}/not-arrived`)).statusCode, 403, role);
  }
  const owner = await as(shop);
  world.clock.advance(1 * hour);
  assert.match((await owner.get(`/dashboard/orders/${orderId}`)).body, /\/dashboard\/confirm\?next=/);
  assert.equal(
    (await owner.post(accept)).headers['location']?.toString().startsWith('/dashboard/confirm'),
    true,
  );
  assert.equal(await statusOf(orderId), 'manual_review');
});

test('another business sees and changes nothing', async () => {
  const { orderId, alertId } = await waiting();
  const stranger = await as(await addTestMerchant(world));
  assert.equal((await stranger.post(`/dashboard/money/${alertId}/not-arrived`)).statusCode, 404);
  assert.equal((await stranger.post(`/dashboard/money/${alertId}/orders/${orderId}/accept`)).statusCode, 404);
  assert.equal(await statusOf(orderId), 'manual_review');
});

test('the proof of the first steps asks the same, and a yes ends the trial', async () => {
  const { shop } = await waiting(`${proofPrefix}abc`, 1_37);
  const { page, go, close } = await visit(shop, 'en');
  await go('/dashboard/first-steps');
  await page.getByText('Is ₹1.37 in your account?').waitFor();
  await page.locator('.check.waiting', { hasText: 'first three payments' }).waitFor();
  await page.getByRole('button', { name: 'Yes, it is in my account' }).click();
  await page.getByText('The order is paid.').first().waitFor();
  const next = await addTestOrder(world, shop, { payable: 600_37, mailbox: false });
  await pay(shop, 600_37);
  assert.equal(await statusOf(next.orderId), 'paid');
  await close();
});

test('an owner sets a ceiling, a manager may not; it is logged and notified, and a larger payment waits', async () => {
  const shop = await addTestMerchant(world);
  const account = `/dashboard/upi-accounts/${shop.accountId}`;
  const path = `${account}/ceiling`;
  assert.equal((await (await as(shop, 'manager')).post(path, { ceiling: '1' })).statusCode, 403);
  const owner = await as(shop);
  for (const wrong of ['0.5', '10,00,001', 'many', '-5'])
    assert.equal((await owner.post(path, { ceiling: wrong })).statusCode, 400, wrong);
  assert.equal((await owner.post(path, { ceiling: '20,000' })).statusCode, 303);
  assert.match((await owner.get(account)).body, /Above ₹20,000\.00/);
  const [entry] = await world.sql`
    select details from audit_log where merchant_id = ${shop.merchantId} and action = 'upi_account.ceiling'`;
  assert.match(JSON.stringify(entry), /20000\.00/);
  assert.match((await owner.get('/dashboard/audit')).body, /above ₹20000\.00 wait/);
  const large = await addTestOrder(world, shop, { payable: 20_000_37 });
  await pay(shop, 20_000_37, 'confirmed');
  assert.equal(await statusOf(large.orderId), 'manual_review');
  assert.match((await owner.get(`/dashboard/orders/${large.orderId}`)).body, /up to which this UPI account/);
  assert.equal((await owner.post(path, { ceiling: '' })).statusCode, 303);
  assert.doesNotMatch((await owner.get(account)).body, /Above ₹20,000\.00/);
});
