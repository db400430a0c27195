import assert from 'node:assert/strict';
import { minute, second } from '../../../src/base/clock.ts';
import { phone } from '../../support/browser.ts';
import { setPaid, setStatus } from '../../support/checkout-site.ts';
import {
  browser,
  newOrder,
  polls,
  shop,
  site,
  useHostedPage,
  world,
} from '../../support/hosted-page-stage.ts';
import { needs } from '../../support/needs.ts';
import { answersRead, installClock } from '../../support/page-clock.ts';
import { until } from '../../support/until.ts';
import { claimed, received } from './claimed.ts';

const { test } = needs('Chromium');

useHostedPage();

test('a waiting page shows what was received, keeps asking, and returns the customer when the shop accepts it', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  await installClock(page);
  await page.goto(site.origin + order.path);
  await received(order, 'manual_review', 1_00_499_00);
  await page.clock.runFor(3 * second);
  await page
    .locator('#review')
    .getByText('The shop has received ₹1,00,499.00 for this order of ₹499.37')
    .waitFor();
  assert.equal(await page.locator('.qr').count(), 0);
  // Long after the late window: a person may need hours.
  world.clock.advance(40 * minute);
  await page.clock.fastForward(40 * minute);
  const asked = polls(order).length;
  await page.clock.runFor(5 * second);
  await until('it still asks', () => polls(order).length > asked);
  await answersRead(page);
  await setPaid(world, order);
  await page.clock.runFor(3 * second);
  await page.locator('#paid').getByText('Chai Point has received ₹1,00,499.00. Thank you.').waitFor();
  await page.clock.runFor(5 * second);
  await page.waitForURL(`${shop.origin}/done?**status=paid`);
  await close();
});

test('after the shop detaches a payment from the order, the page is as before', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  await page.goto(site.origin + order.path);
  await received(order, 'manual_review', 499_00);
  await page.locator('#review').getByText('The shop has received').waitFor();
  await setStatus(world, order, 'pending');
  await page.locator('.qr svg').waitFor();
  await close();
});

test('after the late window the form is open at once, and an entered reference is waited for', async () => {
  const order = await newOrder({ age: 20 * minute });
  const { page, close } = await browser.open(phone);
  await page.goto(site.origin + order.path);
  await page.getByLabel('UPI reference number (UTR)').fill('nothing of use');
  await page.getByRole('button', { name: 'Send the number' }).click();
  await page.getByRole('alert').getByText('No 12-digit number was found.').waitFor();
  const field = page.getByLabel('UPI reference number (UTR)');
  assert.equal(await field.inputValue(), 'nothing of use');
  await field.fill('UPI Ref No ६९१९०००००००२');
  await page.getByRole('button', { name: 'Send the number' }).click();
  await page.getByText('If a payment with this number is found').waitFor();
  assert.deepEqual(await claimed(order), ['691900000002']);
  await received(order, 'manual_review', 499_00);
  await page.getByRole('heading', { name: 'The shop is checking this payment' }).waitFor();
  await close();
});

test('without script the same form works', async () => {
  const order = await newOrder({ age: 2 * minute });
  const { page, close } = await browser.open({ ...phone, javaScriptEnabled: false });
  await page.goto(site.origin + order.path);
  await page.getByRole('link', { name: 'I have paid' }).click();
  await page.getByLabel('UPI reference number (UTR)').fill('UTR: 691900000003');
  await page.getByRole('button', { name: 'Send the number' }).click();
  await page.getByText('If a payment with this number is found').waitFor();
  assert.deepEqual(await claimed(order), ['691900000003']);
  await received(order, 'manual_review', 499_00);
  await page.locator('#review').getByText('The shop has received ₹499.00').waitFor();
  await close();
});
