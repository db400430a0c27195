import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { minute, systemClock } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { tillRoutes } from '../../../src/orders/links/routes.ts';
import { buildBrowser } from '../../../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../../../src/orders/page/routes.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { claimReference } from '../../../src/payments/review/claim-reference.ts';
import { accessibilityProblems, openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import {
  addTestMerchant,
  openTestWorld,
  type TestMerchant,
  type TestWorld,
} from '../../support/test-world.ts';

const { after, before, test } = needs('Chromium');

let world: TestWorld;
let site: DashboardSite;
let browser: TestBrowser;
let shop: TestMerchant;

before(async () => {
  world = await openTestWorld();
  world.clock.set(systemClock.now());
  const files = await buildBrowser();
  site = await openDashboard(world, app =>
    tillRoutes(
      app,
      world,
      checkoutRoutes(app, world, { files, isBlind: async () => false, claim: claimReference }),
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

type Sounds = { tones: number; said: string[] };

const countSounds = `globalThis.sounds = { tones: 0, said: [] };
speechSynthesis.speak = ({ lang, text }) => sounds.said.push(lang + ': ' + text);
AudioContext.prototype.resume = async () => {};
Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'running' });
const { createOscillator } = AudioContext.prototype;
AudioContext.prototype.createOscillator = function () {
  sounds.tones += 1;
  return createOscillator.call(this);
};`;

async function ringUp(page: Page, amount: string): Promise<void> {
  await page.fill('#amount', amount);
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
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
  assert.equal(await page.locator('.paid-panel').count(), 1);
  assert.deepEqual(await accessibilityProblems(page), []);
  await customer.page.waitForSelector('#paid:not([hidden])');
});

test('a cashier rings up on the counter’s keypad, hears of each payment once, and sees nothing else', async () => {
  const page = await visitAs('cashier');
  await page.addInitScript({ content: countSounds });
  const sounds = () => page.evaluate(() => (globalThis as unknown as { sounds: Sounds }).sounds);
  await page.goto(`${site.origin}/dashboard/counter`);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.click('[data-sound][aria-pressed="false"]');
  await page.waitForFunction('sounds.tones === 2');
  for (const key of ['1', '2', '3', '⌫', '0', '.', '.', '5', '0', '7'])
    await page.click(`[data-key="${key}"]`);
  assert.equal(await page.inputValue('#amount'), '120.50');
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
  assert.match((await page.textContent('.counter-sum'))!, /^₹12\d\.\d\d$/);
  await payOnlyOrder();
  // Paid: said in green in place of the QR code, and heard on the page that may make a sound, once.
  await page.waitForSelector('.paid-panel');
  assert.match((await page.textContent('[role=status]'))!, /₹12\d\.\d\d received/);
  assert.equal(await page.isVisible('#amount'), false);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.waitForSelector('.counter-payments .fresh');
  const { tones, said } = await sounds();
  assert.deepEqual([tones, said.length], [4, 2]);
  assert.match(said[1]!, /^en-IN: Received 12\d rupees( and \d{1,2} paise)?$/);
  // Where the page is loaded anew the server says it too, and nothing is told twice.
  await page.reload();
  assert.match((await page.textContent('.paid-panel'))!, /received/);
  assert.deepEqual(await sounds(), { tones: 0, said: [] });
  // The first key of the next amount ends the moment, and counts.
  await page.keyboard.press('7');
  assert.equal(await page.isVisible('.paid-panel'), false);
  assert.equal(await page.inputValue('#amount'), '7');
  assert.equal(new URL(page.url()).search, '');
  await page.click('[data-sound][aria-pressed="true"]');
  await page.reload();
  assert.equal(await page.getAttribute('[data-sound]', 'aria-pressed'), 'false');
  assert.match((await page.textContent('#counter-live'))!, /screenshot proves nothing/);
  for (const path of ['/dashboard', '/dashboard/orders', '/dashboard/links', '/dashboard/team'])
    assert.equal((await page.goto(site.origin + path))?.status(), 403, path);
});

test('the green leaves by itself; an order that ran out is never green', async () => {
  const page = await visitAs('cashier');
  await page.goto(`${site.origin}/dashboard/counter`);
  await ringUp(page, '80');
  await payOnlyOrder();
  await page.waitForSelector('.paid-panel');
  await page.waitForSelector('#amount:visible', { timeout: 12_000 });
  assert.equal(await page.$('.paid-panel'), null);
  await ringUp(page, '90');
  await world.sql`update orders set expires_at = ${new Date(world.clock.now().getTime() - 1000)} where status = 'pending'`;
  await page.waitForSelector('.over-panel');
  assert.match((await page.textContent('[role=status]'))!, /Time over, nothing came/);
  assert.equal(await page.$('.paid-panel'), null);
  await page.click('.over-panel');
  assert.equal(await page.isVisible('#amount'), true);
});

test('without a script the paid counter says so, with the keypad below, for some minutes', async () => {
  const cashier = await callAs(site, world, await addTestUser(world, shop.merchantId, 'cashier'));
  const [order] = await world.sql<{ order_id: string; paid_at: Date }[]>`
    select order_id, paid_at from orders where status = 'paid' order by paid_at desc limit 1`;
  const show = async () => (await cashier.get(`/dashboard/counter?order=${order!.order_id}`)).body;
  assert.match(await show(), /role="status" data-outcome="paid".*paid-panel.*received.*id="amount"/s);
  world.clock.set(new Date(order!.paid_at.getTime() + 6 * 60_000));
  assert.doesNotMatch(await show(), /paid-panel/);
  world.clock.set(systemClock.now());
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
