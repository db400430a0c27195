import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { createProofOrder } from '../src/dashboard/create-proof-order.ts';
import { desktop, openBrowser, phone } from './support/browser.ts';
import { addBusyShop, connectedMailbox } from './support/busy-shop.ts';
import { addTestUser, callAs, openDashboard, type TestUser } from './support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from './support/test-world.ts';

/** Writes the pictures of the dashboard that the documents show: `node test/dashboard-screenshots.ts [FOLDER]`. */
const target = process.argv[2] ?? join(import.meta.dirname, '../docs/screenshots');
mkdirSync(target, { recursive: true });

const world = await openTestWorld();
const site = await openDashboard(world);
const browser = await openBrowser();
const shop = await addBusyShop(world);
const owner = await addTestUser(world, shop.merchantId, 'owner');
const operator = await addTestUser(world, 0, 'operator');
const beginner = await addTestMerchant(world, { name: 'Chai Corner' });
await connectedMailbox(world, beginner.merchantId, 'Chai Corner');
world.dns.addresses.set('localhost', ['127.0.0.1']);
await createProofOrder(world, beginner.merchantId, '');
const newOwner = await addTestUser(world, beginner.merchantId, 'owner');

type Look = { size: 'phone' | 'desktop'; scheme: 'light' | 'dark' };

const pictures: [name: string, path: string, user: TestUser, look: Look][] = [
  ['home', '/dashboard', owner, { size: 'desktop', scheme: 'light' }],
  ['home', '/dashboard', owner, { size: 'phone', scheme: 'dark' }],
  ['orders', '/dashboard/orders', owner, { size: 'desktop', scheme: 'dark' }],
  ['orders', '/dashboard/orders', owner, { size: 'phone', scheme: 'light' }],
  ['order', `/dashboard/orders/${shop.paid.orderId}`, owner, { size: 'desktop', scheme: 'light' }],
  ['money', '/dashboard/alerts', owner, { size: 'phone', scheme: 'light' }],
  ['first-steps', '/dashboard/first-steps?bank=hdfc', newOwner, { size: 'phone', scheme: 'light' }],
  ['integrations', '/dashboard/integrations', owner, { size: 'desktop', scheme: 'light' }],
  ['upi-accounts', '/dashboard/upi-accounts', owner, { size: 'phone', scheme: 'dark' }],
  ['mailbox', '/dashboard/mailbox', owner, { size: 'desktop', scheme: 'dark' }],
  ['webhooks', '/dashboard/webhooks', owner, { size: 'desktop', scheme: 'light' }],
  ['plan', '/dashboard/plan', owner, { size: 'phone', scheme: 'light' }],
  ['operator-health', '/dashboard/operator/health', operator, { size: 'desktop', scheme: 'light' }],
];

/** Pixels; enough to see what the page is about. */
const tallest: Record<string, number> = { 'first-steps': 2900, order: 1400, money: 1400 };

for (const [name, path, user, { size, scheme }] of pictures) {
  const options: BrowserContextOptions = {
    ...(size === 'phone' ? { ...phone, deviceScaleFactor: 1 } : desktop),
    colorScheme: scheme,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
  };
  const { token } = await callAs(site, world, user);
  const { page, close } = await browser.open(options);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(site.origin + path);
  const height = Math.min(
    Number(await page.evaluate('document.documentElement.scrollHeight')),
    tallest[name] ?? 1000,
  );
  await page.setViewportSize({ width: size === 'phone' ? 360 : 1280, height: Math.max(height, 640) });
  await page.screenshot({ path: join(target, `dashboard-${name}-${size}-${scheme}.png`) });
  await close();
}
await browser.stop();
await site.stop();
await world.stop();
