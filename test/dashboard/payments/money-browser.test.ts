import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { paise } from '../../../src/base/money.ts';
import type { Role } from '../../../src/business/accounts/may-do.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { desktop, openBrowser, phone } from '../../support/browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { deliverOne } from '../../support/webhook-world.ts';

const { test, use } = needs('Chromium');

/** An owner decides about money in a real browser: each story begins with a payment and ends with an empty list. */

const { world, site } = useDashboard();
const browser = use(openBrowser);
const receiver = use(startReceiver);

async function visit(shop: TestMerchant, role: Role, options: BrowserContextOptions = phone) {
  const { token } = await callAs(site, world, await addTestUser(world, shop.merchantId, role));
  const opened = await browser.open(options);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  return { ...opened, go: (path: string) => opened.page.goto(site.origin + path) };
}

/** The customer was asked for 500.37 and pays 500. */
async function roundedPayment(): Promise<{ shop: TestMerchant; orderId: string }> {
  const shop = await addTestMerchant(world);
  const { orderId } = await addTestOrder(world, shop, { payable: 500_37 });
  await world.sql`update orders set webhook_url = ${receiver.url} where merchant_id = ${shop.merchantId}`;
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(500_00), payer: 'ravi@okbank' });
  await confirmPayment(world, credit);
  return { shop, orderId };
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click();
const isEmpty = (page: Page) => page.getByText('Nothing to decide').waitFor();
const toDo = '/dashboard/payments?view=decide';

test('a manager accepts a rounded payment on the phone: the order is paid and the shop is notified', async () => {
  const { shop, orderId } = await roundedPayment();
  const { page, go, troubles, close } = await visit(shop, 'manager');
  await go(toDo);
  await follow(page, /ravi@okbank/);
  const sums = page.locator('.sums');
  assert.match((await sums.textContent()) ?? '', /₹500\.37.*₹500\.00.*₹0\.37 less/);
  const button = page.getByRole('button', { name: 'Yes, mark this order paid' });
  const place = await button.boundingBox();
  assert.ok(place && place.y + place.height <= 740 && place.height >= 44, 'within reach without scrolling');
  await page.getByText('This is final.').waitFor();
  await page.getByText('Add a note').first().click();
  await page.getByLabel('Note for yourself and your team').first().fill('Ravi showed his phone');
  await button.click();
  await page.getByText('The order is paid.').waitFor();
  assert.equal(await deliverOne(world), 'delivered');
  const event = JSON.parse(receiver.received.at(-1)!.body);
  assert.deepEqual(
    [
      event.type,
      event.data.order_id,
      event.data.status,
      event.data.payable_amount,
      event.data.received_amount,
    ],
    ['payment.paid', orderId, 'paid', 500.37, 500],
  );
  await go(toDo);
  await isEmpty(page);
  assert.deepEqual(troubles, []);
  await close();
});

test('the owner declines, gives the money back and records it: the list is empty and shows who did what', async () => {
  const { shop, orderId } = await roundedPayment();
  const { page, go, troubles, close } = await visit(shop, 'owner', desktop);
  await go(toDo);
  await follow(page, /ravi@okbank/);
  await press(page, 'Decide later');
  await page.getByText('The order waits for your decision.').waitFor();
  await follow(page, /Waits for your decision/);
  await page.getByText('Another answer').click();
  await press(page, 'Decline: I give the money back');
  await page.getByText('Declined. Give the money back').waitFor();
  await page.getByText('ravi@okbank').first().waitFor();
  await page.getByLabel('Reference of your payment').fill('692000000007');
  await press(page, '2. I gave ₹500 back');
  await isEmpty(page);
  await page.getByText('₹500.00 given back.').waitFor();
  await follow(page, 'Given back');
  await follow(page, /ravi@okbank/);
  await page.getByText('692000000007').waitFor();
  await page
    .locator('main')
    .getByText(/owner-/)
    .first()
    .waitFor();
  await follow(page, orderId);
  await page.getByText('Declined', { exact: true }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('money that was kept by mistake is reopened with one tap', async () => {
  const { shop } = await roundedPayment();
  const { page, go, close } = await visit(shop, 'owner');
  await go(toDo);
  await follow(page, /ravi@okbank/);
  await press(page, 'Keep it');
  await isEmpty(page);
  await page.getByText('₹500.00 kept.').waitFor();
  await press(page, 'Undo');
  await page.getByText('Undone.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Keep it' }).filter({ visible: true }).count(), 1);
  await close();
});

test('support, developer and auditor see no button that decides', async () => {
  const { shop, orderId } = await roundedPayment();
  for (const role of ['support', 'developer', 'auditor'] as const) {
    const { page, go, close } = await visit(shop, role);
    await go(toDo);
    await follow(page, /ravi@okbank/);
    assert.equal(await page.locator('main button:visible').filter({ hasNotText: 'Copy' }).count(), 0, role);
    await go(`/dashboard/orders/${orderId}`);
    await page.getByText('Money that came for this order').waitFor();
    assert.equal(await page.locator('a[href*="/orders/"][href*="/money/"]').count(), 0, role);
    await close();
  }
});
