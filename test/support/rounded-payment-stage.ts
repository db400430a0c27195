import assert from 'node:assert/strict';
import { paise } from '../../src/base/money.ts';
import { buildBrowser } from '../../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../../src/orders/page/routes.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import { orderBody } from './api.ts';
import { desktop, openBrowser, type TestBrowser } from './browser.ts';
import { addMailbox } from './checkout-site.ts';
import { storedCredit } from './credit.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from './dashboard-site.ts';
import { needs } from './needs.ts';
import { openShop, type Shop } from './shop.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';
import { deliverOne } from './webhook-world.ts';

const { after, before } = needs('Chromium');

export let world: TestWorld;
let site: DashboardSite;
export let shop: Shop;
let receiver: Receiver;
export let browser: TestBrowser;
export let merchant: TestMerchant;

/** A customer's phone and an owner's desktop before one service, for the file that calls this. */
export function useRoundedPayments(): void {
  before(async () => {
    world = await openTestWorld();
    const files = await buildBrowser();
    site = await openDashboard(world, async app => {
      await orderRoutes(app, world);
      checkoutRoutes(app, world, { files, isBlind: async () => false, claim: enterReference });
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
}

export async function newOrder(): Promise<{ order_id: string; payable_amount: number; payment_url: string }> {
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

export async function customerPays(amount: number, reference: string): Promise<void> {
  const credit = await storedCredit(world, merchant.merchantId, { amount: paise(amount), reference });
  assert.equal((await confirmPayment(world, credit)).outcome, 'no_order');
}

export async function ownerAccepts(orderId: string): Promise<void> {
  const { token } = await callAs(site, world, await addTestUser(world, merchant.merchantId, 'owner'));
  const { page, troubles, close } = await browser.open(desktop);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(`${site.origin}/dashboard/orders/${orderId}`);
  await page.getByText('₹500.00').first().waitFor();
  await page.getByRole('button', { name: 'Yes, mark this order paid' }).click();
  await page.getByText('The order is paid.').waitFor();
  assert.deepEqual(troubles, []);
  await close();
}

export async function shopHears(orderId: string, payable: number): Promise<void> {
  assert.equal(await deliverOne(world), 'delivered');
  const event = JSON.parse(receiver.received.at(-1)!.body);
  assert.equal(event.type, 'payment.paid');
  const { order_id, status, payable_amount, received_amount } = event.data;
  assert.deepEqual([order_id, status, payable_amount, received_amount], [orderId, 'paid', payable, 500]);
}
