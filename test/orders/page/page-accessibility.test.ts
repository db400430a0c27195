import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { iphone, openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import { addTestOrder, openSite, type Site } from '../../support/checkout-site.ts';
import {
  addTestMerchant,
  openTestWorld,
  type TestMerchant,
  type TestWorld,
} from '../../support/test-world.ts';

let world: TestWorld;
let site: Site;
let browser: TestBrowser;
let merchant: TestMerchant;

before(async () => {
  world = await openTestWorld();
  site = await openSite(world);
  browser = await openBrowser();
  merchant = await addTestMerchant(world, { account: { kind: 'merchant', merchantCode: '5812' } });
});
after(async () => {
  await browser.stop();
  await site.stop();
  await world.stop();
});

const newOrder = (change: Parameters<typeof addTestOrder>[2] = {}) => addTestOrder(world, merchant, change);

test('a Hindi browser reads Hindi, and can switch', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open({ ...phone, locale: 'hi-IN' });
  await page.goto(site.origin + order.path);
  await page.getByText('ठीक ₹499.37 चुकाएँ').waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'hi');
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByText('Pay exactly ₹499.37').waitFor();
  await close();
});

test('a screen reader hears two minutes and one minute left, and not the seconds', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  await page.evaluate(`globalThis.heard = [];
    for (const region of document.querySelectorAll('[role=status], [aria-live]'))
      new MutationObserver(() => heard.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true })`);
  await page.clock.runFor(4 * minute + 10 * second);
  assert.deepEqual(await page.evaluate('heard'), ['2 minutes left to pay.', 'One minute left to pay.']);
  // The browser's own time goes on meanwhile.
  assert.match((await page.locator('#left').textContent())!, /^0:(50|4\d)$/);
  assert.equal(await page.locator('main.soon').count(), 1);
  await close();
});

test('the QR is black on white in the dark too', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open({ ...phone, colorScheme: 'dark' });
  await page.goto(site.origin + order.path);
  const fills = await page.evaluate(
    `[...document.querySelectorAll('.qr path')].map(path => getComputedStyle(path).fill)`,
  );
  assert.deepEqual(fills, ['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
  await close();
});

test('on a small phone all steps to a personal UPI ID are on the first screen, and the largest amount is one line', async () => {
  const personal = await addTestMerchant(world, { account: { vpa: 'sharma.general@okhdfcbank' } });
  const order = await addTestOrder(world, personal, { payable: 10_00_002_99 });
  for (const [options, height] of [
    [{ ...iphone, viewport: { width: 360, height: 640 } }, 640],
    [{ ...phone, viewport: { width: 320, height: 640 }, locale: 'hi-IN' }, 640],
  ] as const) {
    const { page, close } = await browser.open(options);
    await page.goto(site.origin + order.path);
    for (const part of [
      '.steps button >> nth=0',
      '.steps button >> nth=1',
      '.steps > li:last-child',
      '.more',
    ]) {
      const box = await page.locator(part).boundingBox();
      assert.ok(box!.y > 0 && box!.y + box!.height <= height, `${part} ends at ${box!.y + box!.height}`);
    }
    const amount = await page.evaluate(`(() => {
      const shown = document.querySelector('.amount');
      return { lines: shown.firstElementChild.getClientRects().length, fits: shown.scrollWidth <= shown.clientWidth,
        page: document.documentElement.scrollWidth <= innerWidth };
    })()`);
    assert.deepEqual(amount, { lines: 1, fits: true, page: true });
    await close();
  }
});
