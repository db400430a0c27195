import assert from 'node:assert/strict';
import { paise } from '../../src/base/money.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { buildBrowser } from '../../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../../src/orders/page/routes.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { claimReference } from '../../src/payments/review/claim-reference.ts';
import { orderBody } from '../support/api.ts';
import { desktop, openBrowser, phone, type TestBrowser } from '../support/browser.ts';
import { addMailbox } from '../support/checkout-site.ts';
import { storedCredit } from '../support/credit.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../support/dashboard-site.ts';
import { needs } from '../support/needs.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from '../support/test-world.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { deliverOne } from '../support/webhook-world.ts';

const { after, before, test } = needs('Chromium');

/** The commonest accident, with two browsers: a customer leaves the paise out, and the owner looks at it. */

let world: TestWorld;
let site: DashboardSite;
let shop: Shop;
let receiver: Receiver;
let browser: TestBrowser;
let merchant: TestMerchant;

before(async () => {
  world = await openTestWorld();
  const files = await buildBrowser();
  site = await openDashboard(world, async app => {
    await orderRoutes(app, world);
    checkoutRoutes(app, world, { files, isBlind: async () => false, claim: claimReference });
  });
  shop = await openShop(site.origin);
  receiver = await startReceiver();
  browser = await openBrowser();
  merchant = await addTestMerchant(world, { account: { accountDigits: '4321' } });
  await addMailbox(world, merchant.merchantId);
});
after(async () => {
  await browser?.stop();
  await receiver?.stop();
  await shop?.stop();
  await site?.stop();
  await world?.stop();
});

async function newOrder(): Promise<{ order_id: string; payable_amount: number; payment_url: string }> {
  const body = orderBody({
    amount: 500,
    merchant_order_id: `cart-${++carts}`,
    success_url: `${shop.origin}/done`,
    failure_url: `${shop.origin}/failed`,
  });
  const answer = await site.app.inject({
    method: 'POST',
    url: '/api/v1/orders',
    headers: { 'x-api-key': merchant.apiKey, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  assert.equal(answer.statusCode, 201, answer.body);
  const order = answer.json();
  // The test's shop listens on loopback, which no order may name.
  await world.sql`update orders set webhook_url = ${receiver.url} where order_id = ${order.order_id}`;
  return order;
}
let carts = 0;

async function customerPays(amount: number, reference: string): Promise<void> {
  const credit = await storedCredit(world, merchant.merchantId, { amount: paise(amount), reference });
  assert.equal((await confirmPayment(world, credit)).outcome, 'no_order');
}

async function ownerAccepts(orderId: string): Promise<void> {
  const { token } = await callAs(site, world, await addTestUser(world, merchant.merchantId, 'owner'));
  const { page, troubles, close } = await browser.open(desktop);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(`${site.origin}/dashboard/orders/${orderId}`);
  await page.getByText('₹500.00').first().waitFor();
  await page.getByRole('button', { name: 'Accept: the order is paid' }).click();
  await page.getByText(`${orderId} is paid. Your shop is told now.`).waitFor();
  assert.deepEqual(troubles, []);
  await close();
}

async function shopHears(orderId: string, payable: number): Promise<void> {
  assert.equal(await deliverOne(world), 'delivered');
  const event = JSON.parse(receiver.received.at(-1)!.body);
  assert.equal(event.type, 'payment.paid');
  const { order_id, status, payable_amount, received_amount } = event.data;
  assert.deepEqual([order_id, status, payable_amount, received_amount], [orderId, 'paid', payable, 500]);
}

test('a rounded payment is held for the owner: the customer is told, the owner accepts, shop and customer hear of it', async () => {
  await world.sql`update merchants set hold_near_misses = true where merchant_id = ${merchant.merchantId}`;
  const order = await newOrder();
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(order.payment_url);
  await page.getByText('Pay exactly ₹').waitFor();
  await customerPays(500_00, '691900000001');
  await page.locator('#review').getByText('The shop has received ₹500.00 for this order of').waitFor();
  // Asked for beforehand: four seconds later she is back in the shop.
  const thanked = page.locator('#paid').getByText('Chai Point has received ₹500.00. Thank you.').waitFor();
  await ownerAccepts(order.order_id);
  await shopHears(order.order_id, order.payable_amount);
  await thanked;
  await page.waitForURL(`${shop.origin}/done?**status=paid`);
  assert.deepEqual(troubles, []);
  await close();
});

test('where nothing is held, the customer’s reference brings the two together, and it ends the same', async () => {
  await world.sql`update merchants set hold_near_misses = false where merchant_id = ${merchant.merchantId}`;
  const order = await newOrder();
  await customerPays(500_00, '691900000002');
  const { page, close } = await browser.open(phone);
  await page.goto(`${order.payment_url}?claim=open`);
  await page.getByLabel('UPI reference number (UTR)').fill('Paid. UPI transaction ID: 6919 0000 0002');
  await page.getByRole('button', { name: 'Send the number' }).click();
  await page.locator('#review').getByText('The shop has received ₹500.00 for this order of').waitFor();
  await ownerAccepts(order.order_id);
  await shopHears(order.order_id, order.payable_amount);
  await page.waitForURL(`${shop.origin}/done?**status=paid`);
  await close();
  assert.deepEqual(await findBreaches(world), []);
});
