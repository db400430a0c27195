import assert from 'node:assert/strict';
import { accessibilityProblems } from '../../support/browser.ts';
import { payOnlyOrder, shop, site, useCounter, visitAs, world } from '../../support/counter-stage.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useCounter();

test('the counter speaks a customer language, plays a sample, and keeps the choice on the device', async () => {
  await world.sql`update merchants set languages = '{ta,kn}' where merchant_id = ${shop.merchantId}`;
  const page = await visitAs('cashier');
  await page.addInitScript({
    content: `globalThis.said = [];
      speechSynthesis.speak = ({ lang, text }) => said.push(lang + ': ' + text);`,
  });
  const said = () => page.evaluate('said');
  await page.goto(`${site.origin}/dashboard/counter/box`);
  assert.deepEqual(await page.locator('[data-voice] option').allTextContents(), [
    'English',
    'हिन्दी',
    'தமிழ்',
    'ಕನ್ನಡ',
  ]);
  await page.selectOption('[data-voice]', 'ta');
  await page.check('[data-paise]');
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.goto(`${site.origin}/dashboard/counter`);
  await page.click('[data-sound]');
  assert.deepEqual(await said(), ['ta-IN: ஒலி இயக்கத்தில் உள்ளது']);
  await page.fill('#amount', '45');
  await page.click('text=Show QR');
  await page.waitForSelector('.counter-qr svg');
  await payOnlyOrder();
  await page.waitForSelector('#counter-live .fresh');
  assert.match(((await said()) as string[])[1]!, /^ta-IN: \d+ ரூபாய் \d+ பைசா வந்தது$/);
  await page.reload();
  assert.equal(await page.getAttribute('[data-counter]', 'data-language'), 'ta-IN');
  await page.goto(`${site.origin}/dashboard/counter/box`);
  assert.equal(await page.inputValue('[data-voice]'), 'ta');
  assert.equal(await page.isChecked('[data-paise]'), true);
});
