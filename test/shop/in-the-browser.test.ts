import assert from 'node:assert/strict';
import { startShop } from '../../examples/shop/start-shop.ts';
import { accessibilityProblems, openBrowser, phone } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { openWholeService } from '../support/whole-service.ts';

const { test, use } = needs('Chromium');

const service = use(openWholeService);
const shop = use(() =>
  startShop({
    port: 0,
    baseUrl: service.url,
    apiKey: service.merchant.apiKey,
    webhookSecret: service.webhookSecret,
    clock: service.world.clock,
  }),
);
const browser = use(openBrowser);

/** The amount that the customer's page asks for. */
async function newestPayable(): Promise<number> {
  const [row] = await service.world
    .sql`select payable_paise from orders order by created_at desc, order_id limit 1`;
  return row?.['payable_paise'] / 100;
}

test('on a phone: buy, pay on the hosted page, come back to the shop, and see the order paid by its webhook', async () => {
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(shop.url);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('button', { name: 'Buy now' }).first().click();
  await page.waitForURL(`${service.url}/pay/**`);
  await service.pay(await newestPayable());
  await page.waitForURL(`${shop.url}/back/**`);
  await page.getByRole('heading', { name: 'Thank you, it is paid' }).waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByText('told by webhook').waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(troubles, []);
  await close();
});

test('on a phone: pay in the widget without leaving the shop, at the shop’s price', async () => {
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(`${shop.url}/widget/kulhad`);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('button', { name: 'Pay ₹540 by UPI' }).click();
  await page
    .locator('#pay')
    .getByText(/₹54[0-2]\.\d\d/)
    .first()
    .waitFor();
  const [row] = await service.world.sql`select payable_paise from orders where amount_paise = 54000`;
  await service.pay(row?.['payable_paise'] / 100);
  await page.waitForURL(`${shop.url}/back/**`);
  await page.getByRole('heading', { name: 'Thank you, it is paid' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});
