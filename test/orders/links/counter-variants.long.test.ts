import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { hour, later, minute } from '../../../src/base/clock.ts';
import { payOnlyOrder, shop, site, useCounter, visitAs, world } from '../../support/counter-stage.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useCounter();

async function ringUp(page: Page, amount: string): Promise<void> {
  await page.fill('#amount', amount);
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
}

test('the green screen closes itself, and an expired order is never green', async () => {
  const page = await visitAs('cashier');
  await page.goto(`${site.origin}/dashboard/counter`);
  await ringUp(page, '80');
  await payOnlyOrder();
  await page.waitForSelector('.paid-panel');
  await page.waitForSelector('#amount:visible');
  assert.equal(await page.$('.paid-panel'), null);
  await ringUp(page, '90');
  await world.sql`update orders set expires_at = ${new Date(world.clock.now().getTime() - 1000)} where status = 'pending'`;
  await page.waitForSelector('.over-panel');
  assert.match((await page.textContent('[role=status]'))!, /Time over, nothing came/);
  assert.equal(await page.$('.paid-panel'), null);
  await page.click('.over-panel');
  assert.equal(await page.isVisible('#amount'), true);
});

test('without a script the paid counter shows the payment above the keypad for some minutes', async () => {
  const cashier = await callAs(site, world, await addTestUser(world, shop.merchantId, 'cashier'));
  const [order] = await world.sql<{ order_id: string; paid_at: Date }[]>`
    select order_id, paid_at from orders where status = 'paid' order by paid_at desc limit 1`;
  const show = async () => (await cashier.get(`/dashboard/counter?order=${order!.order_id}`)).body;
  assert.match(await show(), /role="status" data-outcome="paid".*paid-panel.*received.*id="amount"/s);
  world.clock.advance(6 * minute);
  assert.doesNotMatch(await show(), /paid-panel/);
});

test('an unreachable mailbox is shown prominently at the counter', async () => {
  await world.sql`update mailbox_states set last_good_poll = ${later(world.clock.now(), -1 * hour)} where merchant_id = ${shop.merchantId}`;
  const page = await visitAs('cashier');
  await page.goto(`${site.origin}/dashboard/counter`);
  assert.match((await page.textContent('.band:not([hidden])'))!, /Bank emails cannot be read/);
});

test('an expired payment is not shown for scanning or sending, and a receipt has its whole date', async () => {
  const page = await visitAs('owner');
  const takes = async () => {
    await page.goto(`${site.origin}/dashboard/counter`);
    await ringUp(page, '120');
  };
  await takes();
  world.clock.advance(6 * minute);
  await page.waitForSelector('.over-panel');
  assert.equal(await page.locator('.counter-qr').count(), 0);
  assert.equal(await page.locator('a[href^="https://wa.me/"]').count(), 0);
  await takes();
  const order = new URL(page.url()).searchParams.get('order');
  await payOnlyOrder();
  await page.goto(`${site.origin}/dashboard/pay/${order}`);
  assert.match((await page.textContent('.receipt'))!, /\d{1,2} [A-Z][a-z]+ 20\d\d, \d/);
});
