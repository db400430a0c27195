import type { BrowserContextOptions } from 'playwright-core';
import { buildBrowser } from '../../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../../src/orders/page/routes.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import { desktop, openBrowser, type TestBrowser } from './browser.ts';
import { addBusyShop, type BusyShop } from './busy-shop.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard, type TestUser } from './dashboard-site.ts';
import { needs } from './needs.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from './test-world.ts';
import { addWatchedBanks } from './watched-banks.ts';

const { after, before } = needs('Chromium');

export let world: TestWorld;
export let site: DashboardSite;
let browser: TestBrowser;
export let shop: BusyShop;
export let owner: TestUser;
export let newcomer: TestUser;
export let operator: TestUser;

/** A browser before the dashboard and the payment page of a shop that has something of everything. */
export function useBusyBrowser(): void {
  before(async () => {
    world = await openTestWorld({ PUSH_KEY: '07'.repeat(32) });
    const files = await buildBrowser();
    site = await openDashboard(world, app =>
      checkoutRoutes(app, world, { files, isBlind: async () => false, claim: enterReference }),
    );
    browser = await openBrowser();
    shop = await addBusyShop(world);
    owner = await addTestUser(world, shop.merchantId, 'owner');
    newcomer = await addTestUser(world, (await addTestMerchant(world, { name: 'New' })).merchantId, 'owner');
    operator = await addTestUser(world, 0, 'operator');
    await addWatchedBanks(world);
  });
  after(async () => {
    await browser?.stop();
    await site?.stop();
    await world?.stop();
  });
}

/** Somebody who is signed in. */
export async function visit(user: TestUser, options: BrowserContextOptions = desktop) {
  const { token } = await callAs(site, world, user);
  const opened = await browser.open(options);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  const go = (path: string) => opened.page.goto(site.origin + path);
  return { ...opened, go };
}
