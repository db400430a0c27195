import assert from 'node:assert/strict';
import { minute, second } from '../../../src/base/clock.ts';
import { iphone, openBrowser, phone, setLetters } from '../../support/browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { browser, newOrder, site, useHostedPage, world } from '../../support/hosted-page-stage.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const { test } = needs('Chromium');

useHostedPage();

test('a Hindi browser gets Hindi, and can switch', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open({ ...phone, locale: 'hi-IN' });
  await page.goto(site.origin + order.path);
  await page.getByText('ठीक ₹499.37 चुकाएँ').waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'hi');
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByText('Pay exactly ₹499.37').waitFor();
  await close();
});

test('a screen reader announces two minutes and one minute left, and not the seconds', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  await page.evaluate(`globalThis.heard = [];
    for (const region of document.querySelectorAll('[role=status], [aria-live]'))
      new MutationObserver(() => heard.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true })`);
  await page.clock.runFor(4 * minute + 10 * second);
  assert.deepEqual(await page.evaluate('heard'), ['Two minutes left to pay.', 'One minute left to pay.']);
  // The browser's own clock runs on.
  assert.match((await page.locator('#left').textContent())!, /^0:(50|[0-4]\d)$/);
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

for (const fonts of ['usual', 'wide'] as const) {
  test(`on a small phone all steps to a personal UPI ID are on the first screen, and the largest amount is one line, in the ${fonts} font`, async () => {
    const personal = await addTestMerchant(world, { account: { vpa: 'sharma.general@okhdfcbank' } });
    const order = await addTestOrder(world, personal, { payable: 10_00_002_99 });
    const lettered = fonts === 'usual' ? browser : await openBrowser({ fonts });
    for (const { device = iphone, width = 360, height = 640, letters = 100, locale = 'en-IN' } of [
      {},
      { device: phone, width: 320, locale: 'hi-IN' },
      // With the browser's bars, with larger letters, and with both.
      { height: 560 },
      { height: 560, locale: 'hi-IN' },
      { letters: 130, height: 560 },
      { letters: 130, height: 560, locale: 'hi-IN' },
      { letters: 130, width: 320 },
    ]) {
      const { page, close } = await lettered.open({ ...device, viewport: { width, height }, locale });
      await setLetters(page, letters);
      await page.goto(site.origin + order.path);
      const where = `${width} × ${height}, ${letters} %, ${locale}`;
      const steps = ['.steps button >> nth=0', '.steps button >> nth=1', '.steps > li:last-child'];
      for (const part of letters === 100 && height === 640 ? [...steps, '.more'] : steps) {
        const box = await page.locator(part).boundingBox();
        const end = box!.y + box!.height;
        assert.ok(box!.y > 0 && end <= height, `${part} ends at ${end} (${where})`);
      }
      const amount = await page.evaluate(`(() => {
        const shown = document.querySelector('.amount');
        return { lines: shown.firstElementChild.getClientRects().length, fits: shown.scrollWidth <= shown.clientWidth,
          page: document.documentElement.scrollWidth <= ${width}, letters: getComputedStyle(document.documentElement).fontSize };
      })()`);
      const expected = { lines: 1, fits: true, page: true, letters: letters === 100 ? '16px' : '21px' };
      assert.deepEqual(amount, expected, where);
      await close();
    }
    if (lettered !== browser) await lettered.stop();
  });
}
