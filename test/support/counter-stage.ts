import assert from 'node:assert/strict';
import { paise } from '../../src/base/money.ts';
import { counterRoutes } from '../../src/orders/links/routes.ts';
import { buildBrowser } from '../../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../../src/orders/page/routes.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import { openBrowser, phone, type TestBrowser } from './browser.ts';
import { connectedMailbox } from './busy-shop.ts';
import { storedCredit } from './credit.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from './dashboard-site.ts';
import { needs } from './needs.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

const { after, before } = needs('Chromium');

export let world: TestWorld;
export let site: DashboardSite;
export let browser: TestBrowser;
export let shop: TestMerchant;

/** A shop that takes money at its counter, and its people's phones, for the file that calls this. */
export function useCounter(): void {
  before(async () => {
    // Noon in India, so that the counter's today does not end during the test. The phones' own clocks do not matter.
    world = await openTestWorld();
    const files = await buildBrowser();
    site = await openDashboard(world, app =>
      counterRoutes(
        app,
        world,
        checkoutRoutes(app, world, { files, isBlind: async () => false, claim: enterReference }),
      ),
    );
    browser = await openBrowser();
    shop = await addTestMerchant(world, { name: 'Asha Tiffins' });
    await connectedMailbox(world, shop.merchantId);
  });
  after(async () => {
    await browser?.stop();
    await site?.stop();
    await world?.stop();
  });
}

export async function visitAs(role: 'owner' | 'cashier') {
  const { token } = await callAs(site, world, await addTestUser(world, shop.merchantId, role));
  const opened = await browser.open(phone);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  return opened.page;
}

/** The one order that waits is paid to the paisa. */
export async function payOnlyOrder(): Promise<void> {
  const [order] = await world.sql<{ payable_paise: number }[]>`
    select payable_paise from orders where status = 'pending' and expires_at > ${world.clock.now()}`;
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(order!.payable_paise) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
}
