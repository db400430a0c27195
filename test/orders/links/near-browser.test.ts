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

test('a rounded payment appears on the cashier’s counter without a reload, and is held without leaving the page', async () => {
  const page = await visitAs('cashier');
  await page.goto(`${site.origin}/dashboard/counter`);
  await page.evaluate('globalThis.stayed = true');
  await page.fill('#amount', '45');
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
  assert.match((await page.textContent('[data-pay]'))!, /₹45\.00 \+ ₹0\.\d\d, so we know this payment/);
  await comes(45);
  const near = page.locator('[data-near][role=alert]');
  await near.getByText(/^₹45\.00 came, \d\d? paisa?e? short$/).waitFor();
  assert.match((await near.textContent())!, /ravi@okaxis/);
  const yes = near.getByRole('button', { name: 'Yes, hold it for them' });
  assert.ok((await yes.boundingBox())!.height >= 44);
  assert.ok((await yes.boundingBox())!.y < 640, 'on the first screen');
  assert.deepEqual(await accessibilityProblems(page), []);
  // The time runs out: still there, and no word that nothing came.
  world.clock.advance(6 * minute);
  await page.waitForSelector('.over-panel');
  assert.doesNotMatch((await page.textContent('.over-panel'))!, /nothing came/);
  await page.keyboard.press('Tab');
  assert.ok(await yes.isVisible(), 'a keyboard gets there');
  await yes.click();
  await page.getByText('The money is held for this order.').waitFor();
  assert.equal(await page.evaluate('globalThis.stayed'), true);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.click('text=Next customer');
  await page.waitForSelector('#amount:visible');
});

test('an owner accepts it with one tap and no password; if the rule does not fit, after a comparison', async () => {
  const page = await visitAs('owner');
  await page.goto(`${site.origin}/dashboard/counter`);
  await page.evaluate('globalThis.stayed = true');
  const rings = async (amount: string) => {
    await page.fill('#amount', amount);
    await page.click('text=Show QR');
    await page.waitForSelector('.counter-qr svg');
    await comes(Number(amount));
    await page.getByText(`₹${amount}.00 came, `).first().waitFor();
  };
  await rings('52');
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('button', { name: 'Yes, accept (final)' }).click();
  await page.waitForSelector('.paid-panel');
  assert.match((await page.textContent('.paid-panel'))!, /₹52\.00 received/);
  assert.equal(await page.evaluate('globalThis.stayed'), true);
  await page.click('.paid-panel');
  await rings('53');
  // The order of ₹52 is as near, so a person compares the two.
  assert.equal(await page.getByRole('button', { name: 'Yes, accept (final)' }).count(), 0);
  await page.getByRole('link', { name: 'Compare and accept' }).click();
  await page.waitForURL(/\/dashboard\/money\//);
});

test('the owner’s push leads to the cashier’s question, and one tap answers it', async () => {
  const cashier = await visitAs('cashier');
  await cashier.goto(`${site.origin}/dashboard/counter`);
  await cashier.fill('#amount', '640');
  await cashier.click('text=Show QR');
  await cashier.waitForSelector('.counter-qr svg');
  const order = new URL(cashier.url()).searchParams.get('order');
  await comes(640);
  await cashier.getByRole('button', { name: 'Yes, hold it for them' }).click();
  await cashier.getByText('The money is held for this order.').waitFor();
  const owner = await visitAs('owner');
  await owner.goto(`${site.origin}/dashboard/counter/ask/${order}`);
  assert.deepEqual(await accessibilityProblems(owner), []);
  await owner.getByRole('button', { name: 'Yes, accept (final)' }).click();
  await owner.waitForURL(`**/dashboard/orders/${order}`);
  const [row] = await world.sql`select status from orders where order_id = ${order}`;
  assert.equal(row!['status'], 'paid');
  assert.equal((await cashier.goto(`${site.origin}/dashboard/counter/ask/${order}`))?.status(), 403);
});
