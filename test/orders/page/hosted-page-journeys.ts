import assert from 'node:assert/strict';
import type { BrowserContextOptions } from 'playwright-core';
import { addTestOrder, setPaid } from '../../support/checkout-site.ts';
import { browser, newOrder, polls, shop, site, world } from '../../support/hosted-page-stage.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';

/** Journeys that work on devices of every size: the first tier uses a phone, the second the others. */
export async function paysOn(size: BrowserContextOptions): Promise<void> {
  const order = await newOrder();
  const { page, troubles, close } = await browser.open(size);
  await page.goto(site.origin + order.path);
  assert.equal(await page.title(), 'Pay ₹499.37 to Chai Point');
  await page.getByText('Pay exactly ₹499.37, paise included').waitFor();
  const qr = await page.locator('.qr svg').boundingBox();
  assert.ok(qr!.width >= 240 && qr!.height >= 240);
  await until('the page polls', () => polls(order).length >= 1);
  await setPaid(world, order);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  assert.equal(await page.locator('.qr').count(), 0);
  await page.locator('#receipt').getByText(order.orderId).waitFor();
  assert.match((await page.locator('#say').textContent())!, /^Payment received/);
  await page.waitForURL(`${shop.origin}/done?x=1&order_id=${order.orderId}&**`);
  assert.match(page.url(), /&merchant_order_id=cart%20\d+%20%26%20more&status=paid$/);
  const arrived = shop.requests.findLast(request => request.path.startsWith('/done'))!;
  assert.equal(arrived.headers.referer, undefined);
  assert.deepEqual(troubles, []);
  await close();
}

export async function hostileNamesDoNothingOn(size: BrowserContextOptions): Promise<void> {
  const hostile = `<img src=x onerror=alert(1)>"'><script>alert(2)</script>\u202E{{7*7}}`;
  const enemy = await addTestMerchant(world, {
    name: hostile,
    account: { payeeName: hostile, vpa: 'x"onmouseover="alert(3)@y', kind: 'merchant' },
  });
  const order = await addTestOrder(world, enemy, { shop: shop.origin, merchantOrderId: hostile });
  const { page, troubles, close } = await browser.open(size);
  await page.goto(site.origin + order.path);
  assert.equal(await page.locator('#shop').textContent(), hostile);
  assert.equal(await page.locator('main img, main script').count(), 0);
  await page.locator('#vpa').hover();
  assert.deepEqual(troubles, []);
  await close();
}
