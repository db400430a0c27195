import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildBrowser } from '../../src/checkout/build-browser.ts';
import { checkoutRoutes } from '../../src/checkout/routes.ts';
import { minute, systemClock } from '../../src/clock.ts';
import { confirmPayment } from '../../src/matching/confirm-payment.ts';
import { paise } from '../../src/money.ts';
import { tillRoutes } from '../../src/till/routes.ts';
import { accessibilityProblems, openBrowser, phone, type TestBrowser } from '../support/browser.ts';
import { connectedMailbox } from '../support/busy-shop.ts';
import { storedCredit } from '../support/credit.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from '../support/test-world.ts';

let world: TestWorld;
let site: DashboardSite;
let browser: TestBrowser;
let shop: TestMerchant;

before(async () => {
  world = await openTestWorld();
  world.clock.set(systemClock.now());
  const files = await buildBrowser();
  site = await openDashboard(world, app =>
    tillRoutes(app, world, checkoutRoutes(app, world, { files, isBlind: async () => false })),
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

async function visitAs(role: 'owner' | 'cashier') {
  const { token } = await callAs(site, world, await addTestUser(world, shop.merchantId, role));
  const opened = await browser.open(phone);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  return opened.page;
}

async function payOnlyOrder(): Promise<void> {
  const [order] = await world.sql<{ payable_paise: number }[]>`
    select payable_paise from orders where status = 'pending' and expires_at > ${world.clock.now()}`;
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(order!.payable_paise) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
}

test('an owner with nothing but a phone takes a payment, and the screen turns green by itself', async () => {
  const page = await visitAs('owner');
  await page.goto(`${site.origin}/dashboard/pay`);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.fill('#amount', '499');
  await page.fill('#purpose', 'Two thalis');
  await page.click('text=Show QR and link');
  await page.waitForSelector('.proof-qr svg');
  assert.deepEqual(await accessibilityProblems(page), []);
  const share = await page.getAttribute('a[href^="https://wa.me/"]', 'href');
  const link = await page.textContent('#till-link');
  assert.ok(decodeURIComponent(share!).endsWith(link!));
  const customer = await browser.open(phone);
  await customer.page.goto(link!);
  assert.match((await customer.page.textContent('#pending'))!, /Asha Tiffins\s+Two thalis/);
  await payOnlyOrder();
  await page.waitForSelector('.receipt');
  assert.match((await page.textContent('main'))!, /₹499\.\d\d received/);
  assert.deepEqual(await accessibilityProblems(page), []);
  await customer.page.waitForSelector('#paid:not([hidden])');
});

test('a cashier rings up on the counter’s keypad, hears of each payment once, and sees nothing else', async () => {
  const page = await visitAs('cashier');
  await page.addInitScript({
    content:
      'globalThis.said = []; speechSynthesis.speak = ({ lang, text }) => said.push(lang + ": " + text);',
  });
  await page.goto(`${site.origin}/dashboard/counter`);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.click('text=Turn sound on');
  for (const key of ['1', '2', '3', '⌫', '0']) await page.click(`[data-key="${key}"]`);
  assert.equal(await page.inputValue('#amount'), '120');
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
  assert.match((await page.textContent('.counter-sum'))!, /^₹120\.\d\d$/);
  await payOnlyOrder();
  // Paid: the counter is ready for the next customer, the payment stands in the list, and was announced once.
  await page.waitForSelector('[data-keypad]:not([hidden])');
  await page.waitForSelector('.counter-payments .fresh');
  const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
  assert.match(said.at(-1)!, /^en-IN: Received 120 rupees and \d{1,2} paise$/);
  await page.reload();
  assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { said: string[] }).said), []);
  assert.match((await page.textContent('#counter-live'))!, /screenshot proves nothing/);
  for (const path of ['/dashboard', '/dashboard/orders', '/dashboard/links', '/dashboard/team'])
    assert.equal((await page.goto(site.origin + path))?.status(), 403, path);
});

test('a blind mailbox is said loudly at the counter', async () => {
  await world.sql`update mailbox_states set last_good_poll = now() - interval '1 hour' where merchant_id = ${shop.merchantId}`;
  const page = await visitAs('cashier');
  await page.goto(`${site.origin}/dashboard/counter`);
  assert.match((await page.textContent('.note.bad'))!, /cannot be seen right now/);
});

test('a payment whose time is over is not shown to be scanned or sent; a receipt has its whole date', async () => {
  const page = await visitAs('owner');
  const takes = async () => {
    await page.goto(`${site.origin}/dashboard/pay`);
    await page.fill('#amount', '120');
    await page.click('text=Show QR and link');
    await page.waitForSelector('.proof-qr svg');
  };
  await takes();
  world.clock.advance(6 * minute);
  await page.waitForSelector('.till-closed');
  assert.equal(await page.locator('.proof-qr').isVisible(), false);
  assert.equal(await page.locator('a[href^="https://wa.me/"]').isVisible(), false);
  await takes();
  await payOnlyOrder();
  await page.waitForSelector('.receipt');
  assert.match((await page.textContent('.receipt'))!, /\d{1,2} [A-Z][a-z]+ 20\d\d, \d/);
});
