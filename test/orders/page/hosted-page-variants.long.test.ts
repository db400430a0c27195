import assert from 'node:assert/strict';
import { desktop, phone } from '../../support/browser.ts';
import { setPaid } from '../../support/checkout-site.ts';
import { browser, newOrder, shop, site, useHostedPage, world } from '../../support/hosted-page-stage.ts';
import { needs } from '../../support/needs.ts';
import { hostileNamesDoNothingOn, paysOn } from './hosted-page-journeys.ts';

const { test } = needs('Chromium');

useHostedPage();

test('on a desktop the customer sees what to pay, pays, sees that it arrived, and returns to the shop', () =>
  paysOn(desktop));

test('on a desktop hostile names do nothing, and the policy reports nothing', () =>
  hostileNamesDoNothingOn(desktop));

test('without script there are amount, QR and link, no dead button, and the page reloads itself', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open({ ...phone, javaScriptEnabled: false });
  await page.goto(site.origin + order.path);
  await page.getByText('Pay exactly ₹499.37, paise included').waitFor();
  assert.ok(await page.locator('.qr svg').isVisible());
  assert.match(
    (await page.getByRole('link', { name: 'PhonePe' }).getAttribute('href'))!,
    /^intent:\/\/pay\?/,
  );
  assert.equal(await page.getByRole('button').count(), 0);
  await setPaid(world, order);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  await page.waitForURL(`${shop.origin}/done?**status=paid`);
  await close();
});
