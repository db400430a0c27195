import assert from 'node:assert/strict';
import { accessibilityProblems, openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../../support/dashboard-site.ts';
import { addMoneyShop } from '../../support/money-shop.ts';
import { needs } from '../../support/needs.ts';
import { openTestWorld, type TestWorld } from '../../support/test-world.ts';

const { after, before, test } = needs('Chromium');

let world: TestWorld;
let site: DashboardSite;
let browser: TestBrowser;

before(async () => {
  world = await openTestWorld();
  site = await openDashboard(world);
  browser = await openBrowser();
});
after(async () => {
  await browser?.stop();
  await site?.stop();
  await world?.stop();
});

test('axe finds nothing wrong where money is decided, on a phone in Hindi, light and dark', async () => {
  const shop = await addMoneyShop(world);
  const money = '/dashboard/money';
  const paths = [
    money,
    `${money}/handled`,
    `${money}/refused`,
    `${money}/${shop.slipped.alertId}`,
    `${money}/${shop.slipped.alertId}?q=nobody`,
    `${money}/${shop.slipped.alertId}/orders/${shop.slipped.orderId}`,
    `/dashboard/orders/${shop.waiting.orderId}`,
    '/dashboard/settings',
    '/dashboard/webhooks',
  ];
  const { token } = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  const { page, troubles, close } = await browser.open({ ...phone, locale: 'hi-IN' });
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  for (const path of paths) {
    await page.goto(site.origin + path);
    assert.deepEqual(await accessibilityProblems(page), [], path);
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    assert.equal(wide, false, `${path} scrolls sideways`);
  }
  assert.deepEqual(troubles, []);
  await close();
});
