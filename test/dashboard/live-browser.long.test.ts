import assert from 'node:assert/strict';
import { paise } from '../../src/base/money.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { phone } from '../support/browser.ts';
import { owner, shop, site, useBusyBrowser, visit, world } from '../support/busy-browser.ts';
import { addTestOrder } from '../support/checkout-site.ts';
import { storedCredit } from '../support/credit.ts';
import { addTestUser, callAs } from '../support/dashboard-site.ts';
import { needs } from '../support/needs.ts';
import { addTestMerchant } from '../support/test-world.ts';

const { test } = needs('Chromium');

useBusyBrowser();

test('the list of orders and Home update with a payment, and the arrow keys show the chart’s values', async () => {
  const home = await visit(owner);
  await home.go('/dashboard');
  const hour = home.page.locator('.plot-value:visible');
  await home.page.locator('.plot input').first().focus();
  await home.page.keyboard.press('Space');
  const first = (await hour.textContent()) ?? '';
  await home.page.keyboard.press('ArrowRight');
  const second = (await hour.textContent()) ?? '';
  assert.notEqual(second, first);
  const { page, go, close } = await visit(owner);
  await go('/dashboard/payments?view=paid');
  const row = (orderId: string) => page.locator(`#payments-list a[href$="/${orderId}"]`);
  await row(shop.paid.orderId).waitFor();
  assert.equal(await row(shop.open.orderId).count(), 0);
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(1299_58) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  await row(shop.open.orderId).waitFor();
  await home.page.locator('#latest .row').getByText('₹1,299.58').waitFor();
  // The chosen hour stays chosen, and the keyboard stays where it was.
  await home.page.locator('.hero p.figure').getByText('₹1,798.95').waitFor();
  assert.equal((await hour.textContent())?.split(' ·')[0]?.split('₹')[0], second.split('₹')[0]);
  assert.equal(await home.page.evaluate("document.activeElement.closest('.plot') !== null"), true);
  await home.close();
  await close();
});

test('an open order’s page becomes paid without a reload, and opened, typed or focused parts stay', async () => {
  const { merchantId, accountId } = await addTestMerchant(world, { name: 'Live' });
  const order = await addTestOrder(world, { merchantId, accountId }, { payable: 640_37 });
  const { page, go, troubles, close } = await visit(await addTestUser(world, merchantId, 'owner'), phone);
  await go(`/dashboard/orders/${order.orderId}`);
  const sum = page.locator('[data-part="sum"]');
  await sum.getByText('5:00 left').waitFor();
  await page.locator('.folds summary').first().click();
  const near = await storedCredit(world, merchantId, { amount: paise(640_00) });
  await confirmPayment(world, near);
  await page.locator('#money').waitFor();
  const credit = await storedCredit(world, merchantId, { amount: paise(640_37) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  await sum.getByText('Paid').first().waitFor();
  await page.locator('.steps .good').first().waitFor();
  await page.getByRole('link', { name: 'Send receipt' }).waitFor();
  assert.ok(await page.getByRole('button', { name: /^Copy/ }).isVisible());
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Details');
  await page.getByText('Updates to your website').click();
  const attempt = page.locator('[data-part="webhooks"] details');
  await attempt.locator('summary').click();
  await world.sql`update delivery_queue set attempt = 7 where merchant_id = ${merchantId}`;
  await page.locator('[data-part="webhooks"]').getByText('Attempt 7').waitFor();
  assert.ok(await attempt.locator('pre').last().isVisible());
  assert.match(String(await page.evaluate('document.activeElement.textContent')), /payment\.paid/);
  assert.deepEqual(troubles, []);
  await close();
});

test('a note being written on an order in review stays while new data arrives', async () => {
  const { merchantId, accountId } = await addTestMerchant(world, { name: 'Review' });
  const order = await addTestOrder(world, { merchantId, accountId }, { payable: 740_37 });
  const credit = await storedCredit(world, merchantId, { amount: paise(740_00) });
  await confirmPayment(world, credit);
  const person = await addTestUser(world, merchantId, 'owner');
  const caller = await callAs(site, world, person);
  const { page, go, close } = await visit(person);
  await go(`/dashboard/orders/${order.orderId}`);
  const path = `/dashboard/money/${credit.alertId}/orders/${order.orderId}`;
  assert.equal((await caller.post(`${path}/attach`, {})).statusCode, 303);
  // The decision came by itself.
  await page.getByText('Another answer').click();
  await page.locator('#decline-note').fill('Asked Ravi');
  await page.locator('#decline-note').blur();
  assert.equal((await caller.post(`${path}/decline`, {})).statusCode, 303);
  await page.locator('.steps').getByText('Declined by').waitFor();
  await page.locator('[data-part="sum"]').getByText('To decide').waitFor({ state: 'detached' });
  assert.ok(await page.locator('#decline-note').isVisible());
  assert.equal(await page.locator('#decline-note').inputValue(), 'Asked Ravi');
  await close();
});
