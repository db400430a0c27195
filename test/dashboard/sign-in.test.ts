import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, phone, type TestBrowser } from '../support/browser.ts';
import { addTestUser, type DashboardSite, openDashboard, testPassword } from '../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from '../support/test-world.ts';

let world: TestWorld;
let site: DashboardSite;
let browser: TestBrowser;

before(async () => {
  world = await openTestWorld();
  site = await openDashboard(world);
  browser = await openBrowser();
});
after(async () => {
  await browser.stop();
  await site.stop();
  await world.stop();
});

test('a person signs in, sees the business, and signs out', async () => {
  const { merchantId } = await addTestMerchant(world, { name: 'Chai & Co <b>' });
  const { email } = await addTestUser(world, merchantId, 'owner');
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(`${site.origin}/dashboard`);
  await page.waitForURL('**/dashboard/sign-in');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${site.origin}/dashboard`);
  await page.getByText('Chai & Co <b>').first().waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/dashboard/sign-in');
  assert.deepEqual(troubles, []);
  await close();
});
