import assert from 'node:assert/strict';
import { minute, second } from '../../../src/base/clock.ts';
import { openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import {
  addTestOrder,
  openSite,
  type Site,
  setPaid,
  setStatus,
  type TestOrder,
} from '../../support/checkout-site.ts';
import { needs } from '../../support/needs.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import {
  addTestMerchant,
  openTestWorld,
  type TestMerchant,
  type TestWorld,
} from '../../support/test-world.ts';
import { until } from '../../support/until.ts';

const { after, before, test } = needs('Chromium');

let world: TestWorld;
let site: Site;
let shop: Shop;
let browser: TestBrowser;
let merchant: TestMerchant;

before(async () => {
  world = await openTestWorld();
  site = await openSite(world);
  shop = await openShop(site.origin);
  browser = await openBrowser();
  merchant = await addTestMerchant(world, { account: { kind: 'merchant', merchantCode: '5812' } });
});
after(async () => {
  await browser.stop();
  await shop.stop();
  await site.stop();
  await world.stop();
});

const newOrder = (change: Parameters<typeof addTestOrder>[2] = {}) =>
  addTestOrder(world, merchant, { shop: shop.origin, ...change });
const polls = ({ token }: TestOrder) => site.polls.filter(poll => poll.token === token);

async function received(order: TestOrder, status: string, paise: number): Promise<void> {
  await world.sql`update orders set received_paise = ${paise} where order_id = ${order.orderId}`;
  await setStatus(world, order, status);
}

async function claimed(order: TestOrder): Promise<string[]> {
  const rows =
    await world.sql`select bank_reference from claimed_references where order_id = ${order.orderId}`;
  return rows.map(row => row['bank_reference']);
}

test('from the second minute on the customer says that she has paid, and what she types survives the expiry', async () => {
  const order = await newOrder();
  const { page, troubles, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  const offer = page.getByRole('link', { name: 'I have paid' });
  await page.clock.runFor(40 * second);
  assert.ok(await offer.isHidden());
  await page.clock.runFor(21 * second);
  await offer.click();
  const field = page.getByLabel('UPI reference number (UTR)');
  await field.pressSequentially('6919 0000');
  world.clock.advance(5 * minute);
  await page.clock.runFor(4 * minute);
  await page.getByRole('heading', { name: 'Still looking for your payment' }).waitFor();
  assert.equal(await page.locator('.qr').count(), 0);
  await field.pressSequentially(' 0001');
  await page.clock.runFor(20 * second);
  assert.equal(await field.inputValue(), '6919 0000 0001', 'nobody was sent to the shop meanwhile');
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

test('a waiting page tells what was received, goes on asking, and returns the customer when the shop accepts it', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  await page.clock.install();
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
  await setPaid(world, order);
  await page.clock.runFor(3 * second);
  await page.locator('#paid').getByText('Chai Point has received ₹1,00,499.00. Thank you.').waitFor();
  await page.clock.runFor(5 * second);
  await page.waitForURL(`${shop.origin}/done?**status=paid`);
  await close();
});

test('a payment that the shop declined says so, and whom to ask for the money', async () => {
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

test('a payment that the shop takes away from the order again leaves the page as it was before', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  await page.goto(site.origin + order.path);
  await received(order, 'manual_review', 499_00);
  await page.locator('#review').getByText('The shop has received').waitFor();
  await setStatus(world, order, 'pending');
  await page.locator('.qr svg').waitFor();
  await close();
});

test('after the late window the form is open at once, and a reference that was given is waited for', async () => {
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

test('with script off the same form does the same', async () => {
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
