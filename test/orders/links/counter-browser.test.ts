import assert from 'node:assert/strict';
import { accessibilityProblems, phone } from '../../support/browser.ts';
import { browser, payOnlyOrder, site, useCounter, visitAs } from '../../support/counter-stage.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useCounter();

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

/** The green leaves by itself after eight seconds: here it stays, however busy the machine is. */
const greenStays = `const begin = setTimeout;
globalThis.setTimeout = (work, wait) => begin(work, wait === 8_000 ? 86_400_000 : wait);`;

test('an owner with only a phone takes a payment, and the screen turns green without a touch', async () => {
  const page = await visitAs('owner');
  await page.addInitScript({ content: greenStays });
  await page.goto(`${site.origin}/dashboard/pay`);
  await page.waitForURL('**/dashboard/counter');
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.fill('#amount', '499');
  await page.click('text=What for, customer');
  await page.fill('#purpose', 'Two thalis');
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
  assert.match((await page.textContent('[data-pay]'))!, /[45]:\d\d left · any UPI app/);
  assert.doesNotMatch((await page.textContent('main'))!, /till-|Payable until/);
  await page.click('text=Send it instead');
  assert.deepEqual(await accessibilityProblems(page), []);
  const share = await page.getAttribute('a[href^="https://wa.me/"]', 'href');
  const link = await page.textContent('#payment-link');
  assert.ok(decodeURIComponent(share!).endsWith(link!));
  const customer = await browser.open(phone);
  await customer.page.goto(link!);
  assert.match((await customer.page.textContent('#pending'))!, /Asha Tiffins\s+Two thalis/);
  await payOnlyOrder();
  await page.waitForSelector('.paid-panel');
  assert.match((await page.textContent('.paid-panel'))!, /₹499\.\d\d received.*Two thalis/s);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.click('text=Receipt >> visible=true >> nth=-1');
  await page.waitForSelector('.receipt');
  assert.match((await page.textContent('.receipt'))!, /Asha Tiffins.*Two thalis/s);
  assert.deepEqual(await accessibilityProblems(page), []);
  await customer.page.waitForSelector('#paid:not([hidden])');
});

test('a cashier enters sums on the counter’s keypad, hears each payment once, and sees nothing else', async () => {
  const page = await visitAs('cashier');
  await page.addInitScript({ content: countSounds + greenStays });
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
  assert.match((await page.textContent('[data-pay] .amount'))!, /^₹12\d\.\d\d$/);
  await payOnlyOrder();
  // Paid: said in green in place of the QR code, and heard on the page that may make a sound, once.
  await page.waitForSelector('.paid-panel');
  assert.match((await page.textContent('[role=status]'))!, /₹12\d\.\d\d received/);
  assert.equal(await page.isVisible('#amount'), false);
  await page.waitForSelector('#counter-live .fresh');
  // While the new row fades in, its letters are fainter. So only a fault that lasts counts.
  const faults = await accessibilityProblems(page);
  if (faults.length > 0) await page.waitForTimeout(2_000);
  assert.deepEqual(faults.length > 0 ? await accessibilityProblems(page) : [], []);
  const { tones, said } = await sounds();
  assert.deepEqual([tones, said.length], [4, 2]);
  assert.match(said[1]!, /^en-IN: Received 12\d rupees$/);
  // After a reload the server shows it too, and nothing is announced twice.
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
  assert.match((await page.textContent('#counter-live'))!, /No payment yet|Paid/);
  await page.goto(site.origin + '/dashboard');
  assert.equal(new URL(page.url()).pathname, '/dashboard/counter', 'a cashier begins here');
  for (const path of ['/dashboard/orders', '/dashboard/links', '/dashboard/poster', '/dashboard/team'])
    assert.equal((await page.goto(site.origin + path))?.status(), 403, path);
});

test('a new payment is listed even while one before it has the keyboard focus', async () => {
  const page = await visitAs('owner');
  await page.goto(`${site.origin}/dashboard/counter`);
  const links = page.locator('#counter-live a');
  const before = await links.count();
  const where = await links.first().getAttribute('href');
  await page.fill('#amount', '64');
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
  await links.first().focus();
  await payOnlyOrder();
  await links.nth(before).waitFor();
  assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), where);
});
