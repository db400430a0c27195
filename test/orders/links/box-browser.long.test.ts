import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import type { Page } from 'playwright-core';
import { openForwarding } from '../../../src/alerts/forwarding/open-forwarding.ts';
import { hour, later, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { accessibilityProblems } from '../../support/browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { shop, site, useCounter, visitAs, world } from '../../support/counter-stage.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const { test } = needs('Chromium');

useCounter();
afterEach(() => poll(0));

/** A device with these voices, on which nothing sounds: what would be said is kept. */
const device = (voices: string[]) => `globalThis.said = [];
globalThis.locks = 0;
globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
speechSynthesis.speak = ({ lang, text }) => said.push(lang + ': ' + text);
speechSynthesis.getVoices = () => ${JSON.stringify(voices)}.map(lang => ({ lang, localService: true }));
Object.defineProperty(navigator, 'wakeLock', {
  configurable: true,
  value: { request: async () => (locks += 1, new EventTarget()) },
});`;

async function openBox(voices: string[] = ['en_IN', 'hi-IN'], language = 'en'): Promise<Page> {
  const page = await visitAs('cashier');
  await world.sql`update users set language = ${language} where merchant_id = ${shop.merchantId}`;
  await page.addInitScript({ content: device(voices) });
  await world.sql`update upi_accounts set takings_asked = true where merchant_id = ${shop.merchantId}`;
  await page.clock.install();
  await page.goto(`${site.origin}/dashboard/counter/box`);
  return page;
}

const said = (page: Page) => page.evaluate<string[]>('said.splice(0)');
const kept = async (page: Page, what: 'said' | 'locks', count: number) => {
  const isThere = ([name, least]: [string, number]) => {
    const found = (globalThis as unknown as Record<string, unknown>)[name] as unknown[] | number;
    return (typeof found === 'number' ? found : found.length) >= least;
  };
  await page.waitForFunction(isThere, [what, count] as [string, number]);
};
const hears = async (page: Page, count: number) => {
  await kept(page, 'said', count);
  return await said(page);
};

async function pay(payable: number): Promise<void> {
  world.clock.advance(second);
  const { orderId } = await addTestOrder(world, shop, { payable, mailbox: false });
  await world.sql`insert into order_purposes ${world.sql({
    merchant_id: shop.merchantId,
    order_id: orderId,
    purpose: '',
    made_by: 'cashier',
    created_at: world.clock.now(),
  })}`;
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(payable) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
}

/** When the mailbox was last read. */
async function poll(ago: number): Promise<void> {
  const at = later(world.clock.now(), -ago);
  await world.sql`update mailbox_states set last_good_poll = ${at} where merchant_id = ${shop.merchantId}`;
}

const started = 'en-IN: The sound box is on. I will say each payment.';
const blind = 'en-IN: Not listening. Look at the screen.';
const seeing = 'en-IN: Listening again.';

test('a cashier’s phone announces each new payment once, none that was there, and none again after a reload', async () => {
  await pay(300_00);
  const counter = await visitAs('cashier');
  await counter.goto(`${site.origin}/dashboard/counter`);
  await counter.click('text=Sound box');
  await counter.waitForURL('**/dashboard/counter/box');
  const page = await openBox();
  assert.deepEqual(await accessibilityProblems(page), []);
  // Silent before the touch, and what came before it is not said after it.
  await pay(301_00);
  await page.waitForSelector('text=₹301.00');
  await page.click('[data-start]');
  assert.deepEqual(await said(page), [started]);
  assert.deepEqual(await accessibilityProblems(page), []);
  await pay(302_50);
  assert.deepEqual(await hears(page, 1), ['en-IN: Received 302 rupees']);
  assert.match((await page.textContent('#counter-live li:first-child.fresh'))!, /₹302\.50/);
  await page.clock.fastForward(61_000);
  await page.waitForSelector('#counter-live li:first-child:not(.fresh)');
  await page.reload();
  await page.click('[data-start]');
  await pay(303_00);
  assert.deepEqual(await hears(page, 2), [started, 'en-IN: Received 303 rupees']);
  // Nothing in the list can be touched, which would hold it or lead away.
  assert.equal(await page.locator('#counter-live a').count(), 0);
});

test('the box says once that the bank’s mails cannot be read, and once that they can be again', async () => {
  const page = await openBox();
  await page.click('[data-start]');
  await said(page);
  await poll(hour);
  assert.deepEqual(await hears(page, 1), [blind]);
  assert.match(
    (await page.textContent('.box-state .band:not([hidden])'))!,
    /Not listening: Bank emails cannot be read/,
  );
  assert.deepEqual(await accessibilityProblems(page), []);
  await poll(0);
  assert.deepEqual(await hears(page, 1), [seeing]);
});

test('the box announces a full month of the plan as such: payments without order are not counted, the mails are read', async () => {
  await pay(45_31);
  await world.sql`update upi_accounts set counts_takings = true where merchant_id = ${shop.merchantId}`;
  const page = await openBox();
  await page.click('[data-start]');
  await said(page);
  const limit = (paise: number | null) =>
    world.sql`update plans set monthly_limit_paise = ${paise} where plan = 'standard'`;
  await limit(1);
  assert.deepEqual(await hears(page, 1), [blind]);
  const shown = (await page.textContent('.box-state .band:not([hidden])'))!;
  assert.match(shown, /Your plan’s monthly limit is used up/);
  assert.doesNotMatch(shown, /cannot be read/);
  await limit(null);
  assert.deepEqual(await hears(page, 1), [seeing]);
});

test('the box announces that the server is unreachable, and later shows the last minutes’ payments', async () => {
  const page = await openBox();
  await page.click('[data-start]');
  await said(page);
  await page.context().setOffline(true);
  await page.clock.fastForward(11_000);
  assert.deepEqual(await hears(page, 1), [blind]);
  assert.match((await page.textContent('.box-state .band:not([hidden])'))!, /Not listening: No internet/);
  await pay(400_00);
  await page.clock.fastForward(60_000);
  await page.context().setOffline(false);
  await page.clock.fastForward(9_000);
  assert.deepEqual(await hears(page, 2), [seeing, 'en-IN: Received 400 rupees']);
  assert.equal(await page.isVisible('text=Listening >> visible=true'), true);
});

test('the box announces that its session ended, and leads to the sign-in and back', async () => {
  const page = await openBox();
  await page.click('[data-start]');
  await said(page);
  await world.sql`delete from sessions where merchant_id = ${shop.merchantId}`;
  assert.deepEqual(await hears(page, 1), [blind]);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.click('text=Sign in again');
  await page.waitForURL('**/dashboard/sign-in?next=%2Fdashboard%2Fcounter%2Fbox');
});

test('the box speaks Hindi if the device has the voice, and otherwise shows that it speaks English', async () => {
  const hindi = await openBox(['en-US', 'hi-IN'], 'hi');
  await hindi.click('[data-start]');
  await pay(500_00);
  assert.deepEqual(await hears(hindi, 2), [
    'hi-IN: साउंड बॉक्स चालू है। मैं हर भुगतान बोलूँगा।',
    'hi-IN: 500 रुपये मिले',
  ]);
  assert.deepEqual(await accessibilityProblems(hindi), []);
  const english = await openBox(['en-US', 'ta-IN'], 'hi');
  assert.match((await english.textContent('[data-lack="noVoice"]:not([hidden])'))!, /अंग्रेज़ी/);
  await english.click('[data-start]');
  await pay(501_00);
  assert.deepEqual(await hears(english, 2), [started, 'en-IN: Received 501 rupees']);
  const mute = await openBox(['ta-IN']);
  assert.equal(await mute.isVisible('[data-lack="noSpeech"]'), true);
});

test('the screen stays awake, asks again when it is visible again, and says if it cannot', async () => {
  const page = await openBox();
  await kept(page, 'locks', 1);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await kept(page, 'locks', 2);
  assert.equal(await page.isVisible('[data-lack="asleep"]'), false);
  await page.evaluate(`navigator.wakeLock.request = () => Promise.reject(new Error('battery'));
    document.dispatchEvent(new Event('visibilitychange'))`);
  await page.waitForSelector('[data-lack="asleep"]:not([hidden])');
});

test('at the counter a forwarding shop counts as unreachable until its first mail, and a shop without any way always', async () => {
  const other = await addTestMerchant(world, { name: 'Ravi Stores' });
  const cashier = await callAs(site, world, await addTestUser(world, other.merchantId, 'cashier'));
  const isBlind = async () => (await cashier.get('/dashboard/counter')).body.includes('data-blind="blind"');
  assert.equal(await isBlind(), true);
  const opening = { merchantId: other.merchantId, mailDomain: 'mail.example', now: world.clock.now() };
  await world.sql.begin(tx => openForwarding(tx, opening));
  assert.equal(await isBlind(), true);
  await world.sql`update forward_addresses set works_since = ${world.clock.now()} where merchant_id = ${other.merchantId}`;
  assert.equal(await isBlind(), false);
});
