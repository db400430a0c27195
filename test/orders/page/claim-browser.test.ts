import assert from 'node:assert/strict';
import { minute, second } from '../../../src/base/clock.ts';
import { phone } from '../../support/browser.ts';
import { setStatus } from '../../support/checkout-site.ts';
import { browser, newOrder, site, useHostedPage, world } from '../../support/hosted-page-stage.ts';
import { needs } from '../../support/needs.ts';
import { claimed, received } from './claimed.ts';

const { test } = needs('Chromium');

useHostedPage();

test('after half a minute the customer can report a payment, in a reserved place under the app buttons, and their text survives the expiry', async () => {
  const order = await newOrder();
  const { page, troubles, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  const offer = page.getByRole('link', { name: 'I have paid Also if you paid another amount.' });
  // The browser's own clock runs on.
  await page.clock.runFor(5 * second);
  assert.ok(await offer.isHidden());
  // Counted from the app buttons, and all at one moment: a slow answer may show a note above them.
  const places = async () => {
    const [apps, own, qr]: { y: number; bottom: number }[] = await page.evaluate(
      `['.apps', '#claim', '.qr'].map(part => document.querySelector(part).getBoundingClientRect().toJSON())`,
    );
    return { under: own!.y - apps!.bottom, qr: qr!.y - apps!.y };
  };
  const reserved = await places();
  assert.ok(reserved.under > 0 && reserved.qr > reserved.under);
  await page.clock.runFor(26 * second);
  assert.ok(await offer.isVisible());
  assert.deepEqual(await places(), reserved, 'nothing moved');
  assert.ok((await offer.boundingBox())!.height >= 44);
  await page.clock.runFor(30 * second);
  await offer.click();
  await page.getByText('Also if you paid another amount. Your UPI app').waitFor();
  assert.equal((await places()).under, reserved.under, 'it opens in place');
  const field = page.getByLabel('UPI reference number (UTR)');
  await field.pressSequentially('6919 0000');
  world.clock.advance(5 * minute);
  await page.clock.runFor(4 * minute);
  await page.getByRole('heading', { name: 'Still looking for your payment' }).waitFor();
  assert.equal(await page.locator('.qr').count(), 0);
  assert.equal(await page.locator('textarea:focus').count(), 1, 'the keyboard stays open');
  await field.pressSequentially(' 0001');
  await page.clock.runFor(20 * second);
  assert.equal(await field.inputValue(), '6919 0000 0001', 'nobody was sent to the shop in between');
  await page.getByRole('button', { name: 'Send the number' }).click();
  await page.getByText('If a payment with this number is found, this page shows it.').waitFor();
  assert.equal(new URL(page.url()).search, '?lang=en&claim=sent');
  assert.deepEqual(await claimed(order), ['691900000001']);
  await received(order, 'manual_review', 499_00);
  await page.clock.runFor(3 * second);
  await page
    .locator('#review')
    .getByText('The shop has received ₹499.00 for this order of ₹499.37')
    .waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a payment that the shop declined is shown, with the contact for the money', async () => {
  const order = await newOrder();
  await received(order, 'manual_review', 499_00);
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  await setStatus(world, order, 'failed');
  await page.clock.runFor(3 * second);
  await page
    .locator('#failed')
    .getByText('The shop has received ₹499.00 and did not take it for this order.')
    .waitFor();
  await close();
});
