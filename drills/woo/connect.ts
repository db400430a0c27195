import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { address } from '../screens/saturday.ts';
import { type Picture, signIn } from './customer.ts';
import type { Milaan } from './milaan.ts';
import type { WooShop } from './open-shop.ts';

/** The plugin as the owner gets it: the zip, uploaded on the Plugins screen and switched on there. */
async function uploadPlugin(page: Page, shop: WooShop): Promise<void> {
  const zip = execFileSync('npm', ['run', '-s', 'package', '--', 'woocommerce'], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  }).trim();
  await signIn(page, shop);
  await page.goto(`${shop.url}/wp-admin/plugin-install.php?tab=upload`);
  await page.setInputFiles('#pluginzip', resolve(import.meta.dirname, '../..', zip));
  await page.click('#install-plugin-submit');
  await page.getByRole('link', { name: 'Activate Plugin' }).click();
  await page.waitForURL(/plugins\.php/);
  await page.goto(`${shop.url}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=milaan`);
}

export async function connectByHand(page: Page, shop: WooShop, milaan: Milaan): Promise<void> {
  await uploadPlugin(page, shop);
  await page.fill('#milaan_address', milaan.url);
  await page.getByText('Connect by hand, with a key').click();
  await page.fill('#milaan_key', milaan.file.api_key);
  await page.fill('#milaan_secret', milaan.file.webhook_secret);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await worksNow(page);
}

/** Connects as the owner does: one button in the shop, sign in, one button in Milaan, nothing to copy. */
export async function connectInBrowser(
  page: Page,
  shop: WooShop,
  milaan: Milaan,
  picture: Picture = async () => {},
): Promise<void> {
  await uploadPlugin(page, shop);
  await page.fill('#milaan_address', address);
  await picture('settings', page);
  await page.fill('#milaan_address', milaan.url);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.fill('input[name="email"]', milaan.file.email);
  await page.fill('input[name="password"]', milaan.file.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Connect this shop' }).click();
  await worksNow(page);
  // The picture shows a shop's own address; what answers is here.
  await page.evaluate(`{
    const [line, field] = document.querySelectorAll('#mainform strong, #milaan_address');
    line.textContent = line.textContent.replace(field.value, '${address}');
    field.value = '${address}';
  }`);
  await picture('connected', page);
}

async function worksNow(page: Page): Promise<void> {
  await page.getByText('Connected with the sandbox').waitFor();
  assert.ok(await page.getByText('Milaan answers and takes the key.').isVisible());
  assert.ok(await page.getByText('News of payments can reach this shop.').isVisible());
}
