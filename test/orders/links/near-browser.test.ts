import assert from 'node:assert/strict';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { accessibilityProblems } from '../../support/browser.ts';
import { shop, site, useCounter, visitAs, world } from '../../support/counter-stage.ts';
import { storedCredit } from '../../support/credit.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useCounter();

async function comes(rupees: number): Promise<void> {
  const amount = paise(rupees * 100);
  const credit = await storedCredit(world, shop.merchantId, { amount, payer: 'ravi@okaxis' });
  assert.equal((await confirmPayment(world, credit)).outcome, 'no_order');
}

test('a rounded payment shows on the cashier’s counter by itself, and is held without leaving the page', async () => {
  const page = await visitAs('cashier');
  await page.goto(`${site.origin}/dashboard/counter`);
  await page.evaluate('globalThis.stayed = true');
  await page.fill('#amount', '45');
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
  assert.match((await page.textContent('[data-pay]'))!, /₹45\.00 \+ ₹0\.\d\d, to tell this payment/);
  await comes(45);
  const near = page.getByRole('alert');
  await near.getByText(/^₹45\.00 came, \d\d? paisa?e? short\. This customer’s\?$/).waitFor();
  assert.match((await near.textContent())!, /ravi@okaxis/);
  const hold = near.getByRole('button', { name: 'Yes, hold it for them' });
  assert.ok((await hold.boundingBox())!.height >= 44);
  assert.ok((await hold.boundingBox())!.y < 640, 'on the first screen');
  assert.deepEqual(await accessibilityProblems(page), []);
  // The time runs out: still there, and no word that nothing came.
  world.clock.advance(6 * minute);
  await page.waitForSelector('.over-panel');
  assert.doesNotMatch((await page.textContent('.over-panel'))!, /nothing came/);
  await page.keyboard.press('Tab');
  assert.ok(await hold.isVisible(), 'a keyboard gets there');
  await hold.click();
  await page.getByText('The money is held for this order.').waitFor();
  assert.equal(await page.evaluate('globalThis.stayed'), true);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.click('text=Next customer');
  await page.waitForSelector('#amount:visible');
});

test('on New payment and the order’s page an owner sees it too, and accepts it with two taps', async () => {
  const page = await visitAs('owner');
  await page.goto(`${site.origin}/dashboard/pay`);
  await page.fill('#amount', '52');
  await page.click('text=Show QR and link');
  await page.waitForSelector('.proof-qr svg');
  await comes(52);
  await page.getByText(/^₹52\.00 came, /).waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  const payment = page.url();
  await page.goto(payment.replace('/pay/', '/orders/'));
  await page.getByText(/^₹52\.00 came, /).waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.goto(payment);
  await page.getByRole('link', { name: 'Yes, compare and accept' }).click();
  await page.getByRole('button', { name: 'Accept: the order is paid' }).click();
  await page.waitForURL(/\/dashboard\/orders\//);
  assert.match((await page.textContent('main'))!, /Paid/);
});
