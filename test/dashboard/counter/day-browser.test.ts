import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { accessibilityProblems, turnTab } from '../../support/browser.ts';
import { shop, site, useCounter, visitAs, world } from '../../support/counter-stage.ts';
import { storedCredit } from '../../support/credit.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useCounter();

const device = `globalThis.said = [];
speechSynthesis.speak = ({ text }) => said.push(text);`;

async function openCounter(role: 'owner' | 'cashier' = 'cashier'): Promise<Page> {
  const page = await visitAs(role);
  await page.addInitScript({ content: device });
  await page.goto(`${site.origin}/dashboard/counter`);
  return page;
}

async function ring(page: Page, amount: string): Promise<string> {
  await page.fill('#amount', amount);
  await page.click('[data-ring]');
  await page.waitForSelector('.counter-qr svg');
  return new URL(page.url()).searchParams.get('order')!;
}

async function pay(orderId: string): Promise<void> {
  const [order] = await world.sql<{ payable_paise: number }[]>`
    select payable_paise from orders where order_id = ${orderId}`;
  const credit = await storedCredit(world, shop.merchantId, {
    amount: paise(order!.payable_paise),
    payer: 'Asha',
  });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
}

test('without internet a red band appears within ten seconds, Show QR keeps the amount, and the list catches up', async () => {
  const page = await openCounter();
  const waiting = await ring(page, '80');
  await page.click('text=Next customer');
  await page.fill('#amount', '120.50');
  const band = page.locator('.band[data-when="lost"]');
  assert.equal(await band.isVisible(), false);
  const cut = Date.now();
  await page.context().setOffline(true);
  await band.waitFor();
  assert.ok(Date.now() - cut < 10_000, `${Date.now() - cut} ms`);
  assert.equal((await band.textContent())!.trim(), 'No internet.Payments are not shown until it is back.');
  await page.getByRole('button', { name: 'Show QR when back online', exact: true }).waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.click('[data-ring]');
  await page.locator('[data-ring]').press('Enter');
  assert.equal(await page.inputValue('#amount'), '120.50');
  assert.equal(new URL(page.url()).pathname, '/dashboard/counter');
  await pay(waiting);
  await page.context().setOffline(false);
  await band.waitFor({ state: 'hidden' });
  await page.locator('#counter-live').getByText('Asha').waitFor();
  assert.equal(await page.inputValue('#amount'), '120.50', 'and the amount is there, too');
  await page.click('[data-ring]');
  await page.waitForSelector('.counter-qr svg');
});

test('a server without answers is noticed too, and a lost press keeps the amount', async () => {
  const page = await openCounter();
  await page.fill('#amount', '99');
  // The line looks good until this very press.
  await page.route('**/dashboard/counter', route =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await page.click('[data-ring]');
  await page.locator('.band[data-when="lost"]').waitFor();
  assert.equal(await page.inputValue('#amount'), '99');
  await page.unroute('**/dashboard/counter');
  await page.locator('.band[data-when="lost"]').waitFor({ state: 'hidden' });
  // Requests that hang.
  const began = Date.now();
  await page.route('**/dashboard/counter/live*', () => {});
  await page.locator('.band[data-when="lost"]').waitFor();
  assert.ok(Date.now() - began < 10_000, `${Date.now() - began} ms`);
});

test('a tab that slept shows nothing wrong when it wakes, and lists the new payments', async () => {
  const page = await openCounter();
  const order = await ring(page, '77');
  await page.click('text=Next customer');
  await turnTab(page, 'hidden');
  await pay(order);
  await page.waitForTimeout(9_000);
  const bands = page.locator('.band:visible');
  await turnTab(page, 'visible');
  assert.equal(await bands.count(), 0);
  await page.locator('#counter-live').getByText('₹77').waitFor();
  assert.equal(await bands.count(), 0);
});

test('after a sign-out the counter shows it, keeps the amount and leads to the sign-in', async () => {
  const page = await openCounter();
  await page.fill('#amount', '64');
  await world.sql`delete from sessions where merchant_id = ${shop.merchantId}`;
  const band = page.locator('.band[data-when="out"]');
  await band.waitFor();
  assert.match((await band.textContent())!, /You are signed out/);
  await page.click('[data-ring]');
  assert.equal(await page.inputValue('#amount'), '64');
  assert.deepEqual(await accessibilityProblems(page), []);
  await band.getByRole('link', { name: 'Sign in again' }).click();
  await page.waitForURL('**/dashboard/sign-in?next=%2Fdashboard%2Fcounter');
});

test('the counter shows that its person may no longer take payments', async () => {
  const page = await openCounter();
  await world.sql`update users set role = 'auditor' where merchant_id = ${shop.merchantId} and role = 'cashier'`;
  await page.locator('.band[data-when="out"]').waitFor();
});

test('waiting customers are in a strip: a tap shows the QR code again, and a paid one leaves with sound and colour', async () => {
  const page = await openCounter('owner');
  await page.evaluate('globalThis.stayed = true');
  await page.click('[data-sound]');
  const first = await ring(page, '45');
  assert.equal(await page.locator('.waits').count(), 0, 'not the one that is shown');
  const next = page.getByRole('link', { name: 'Next customer' });
  const [wide, column] = [
    (await next.boundingBox())!.width,
    (await page.locator('.counter-pay').boundingBox())!.width,
  ];
  assert.ok(Math.abs(wide - column) < 1, 'full width');
  await next.click();
  await page.getByText(/^Waiting: ₹45\.\d\d · [45]:\d\d Show/).waitFor();
  const keys = (await page.locator('[data-key="1"]').boundingBox())!.y;
  const second = await ring(page, '60');
  await page.waitForSelector('.waits');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#amount:visible');
  await page.locator('.waits').nth(1).waitFor();
  assert.equal((await page.locator('[data-key="1"]').boundingBox())!.y, keys, 'no key moves');
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.locator(`.waits[href$="${first}"]`).click();
  await page.waitForSelector('.counter-qr svg');
  assert.match((await page.textContent('[data-pay] .amount'))!, /^₹45\./);
  // The other customer pays while this one's code is shown.
  await pay(second);
  await page.waitForSelector('.waits.paid');
  assert.match((await page.textContent('.waits.paid'))!, /₹60\.\d\d received/);
  assert.equal(await page.locator('.counter-qr').isVisible(), true, 'this customer’s code stays');
  await page.waitForFunction(() =>
    (globalThis as unknown as { said: string[] }).said.some(text => text.startsWith('Received 60 rupees')),
  );
  await pay(first);
  await page.waitForSelector('.paid-panel');
  assert.equal(await page.evaluate('globalThis.stayed'), true);
});

test('on a small phone with waiting customers the main button is above the bar, also when a QR is over', async () => {
  const page = await openCounter();
  await page.setViewportSize({ width: 360, height: 640 });
  const bottom = async (of: string) => {
    const box = await page.locator(of).boundingBox();
    return box!.y + box!.height;
  };
  const next = page.getByRole('link', { name: 'Next customer' });
  for (const amount of ['31', '32', '33']) {
    await ring(page, amount);
    await next.click();
    await page.waitForSelector('#amount:visible');
  }
  await page.locator('.waits').nth(2).waitFor();
  assert.equal(await page.evaluate('scrollY'), 0);
  assert.ok((await bottom('[data-ring]')) < (await page.locator('.places').boundingBox())!.y);
  await ring(page, '34.5');
  await page.locator('.waits').nth(2).waitFor();
  assert.ok((await bottom('[data-pay] a.wide')) < (await page.locator('.places').boundingBox())!.y);
  world.clock.advance(6 * minute);
  await page.waitForSelector('.over-panel');
  assert.equal(await next.getAttribute('class'), 'button wide', 'the only thing to do');
});

test('at 200 % the amount is as wide as the keypad, and nothing scrolls sideways at 320 pixels', async () => {
  const page = await openCounter();
  await page.setViewportSize({ width: 683, height: 384 });
  await page.fill('#amount', '999999.99');
  const [amount, keys] = [
    (await page.locator('.typed').boundingBox())!,
    (await page.locator('.keys').boundingBox())!,
  ];
  assert.ok(Math.abs(amount.width - keys.width) < 1);
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
  await ring(page, '999999.99');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
});
