import { paise } from '../../src/base/money.ts';
import type { Role } from '../../src/business/accounts/may-do.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { openBrowser, phone, type TestBrowser } from './browser.ts';
import { addTestOrder } from './checkout-site.ts';
import { storedCredit } from './credit.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from './dashboard-site.ts';
import { needs } from './needs.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

const { after, before } = needs('Chromium');

export let world: TestWorld;
export let site: DashboardSite;
let browser: TestBrowser;

/** Exact payments that wait until somebody has found them in the account, for the file that calls this. */
export function useLookingFor(): void {
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
}

export async function waiting(merchantOrderId = 'basket-1', payable = 500_37) {
  const shop = await addTestMerchant(world);
  const { orderId } = await addTestOrder(world, shop, { payable, merchantOrderId });
  const alertId = await pay(shop, payable);
  return { shop, orderId, alertId };
}

export async function pay(
  shop: TestMerchant,
  payable: number,
  trust: 'trial' | 'confirmed' = 'trial',
): Promise<string> {
  const change = { amount: paise(payable), payer: 'ravi@okbank', trust, recipient: 'alerts@shop.example' };
  const credit = await storedCredit(world, shop.merchantId, change);
  await confirmPayment(world, credit);
  return credit.alertId;
}

export const as = async (shop: TestMerchant, role: Role = 'owner') =>
  await callAs(site, world, await addTestUser(world, shop.merchantId, role));

export async function visit(shop: TestMerchant, language: 'en' | 'hi', options = phone) {
  const { token } = await as(shop);
  const opened = await browser.open({ ...options, locale: language });
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  return { ...opened, go: (path: string) => opened.page.goto(site.origin + path) };
}
