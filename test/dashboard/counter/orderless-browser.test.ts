import assert from 'node:assert/strict';
import { later, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { accessibilityProblems } from '../../support/browser.ts';
import { shop, site, useCounter, visitAs, world } from '../../support/counter-stage.ts';
import { storedCredit } from '../../support/credit.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useCounter();

const countSounds = `globalThis.said = [];
speechSynthesis.speak = ({ text }) => said.push(text);`;

async function came(rupees: number, age: number): Promise<void> {
  const alertTime = later(world.clock.now(), -age);
  const facts = { recipient: 'shop@example.in', payer: 'Ravi Kumar' };
  const credit = await storedCredit(world, shop.merchantId, {
    amount: paise(rupees * 100),
    alertTime,
    ...facts,
  });
  await confirmPayment(world, credit);
}

test('a payment by the wall QR is announced at the counter once; payments delayed by an outage are not spoken', async () => {
  const owner = await visitAs('owner');
  await owner.goto(`${site.origin}/dashboard/upi-accounts/${shop.accountId}/takings`);
  await owner.getByRole('button', { name: 'Count payments without order' }).click();
  await owner.waitForURL(url => !url.pathname.endsWith('/takings'));
  assert.deepEqual(await accessibilityProblems(owner), []);

  const page = await visitAs('cashier');
  await page.addInitScript({ content: countSounds });
  await page.goto(`${site.origin}/dashboard/counter`);
  await page.click('[data-sound][aria-pressed="false"]');
  await came(101, 10 * minute);
  await came(102, 5 * minute);
  await came(103, 0);
  await page.getByText('₹103.00').first().waitFor();
  assert.deepEqual(await page.evaluate('said'), ['Sound is on', 'Received 103 rupees']);
  assert.equal(await page.locator('[data-payment]').count(), 3);
  assert.equal(await page.getByText('Earlier').count(), 2);
  assert.equal(await page.locator('#counter-live li.fresh').count(), 1);
  assert.deepEqual(await accessibilityProblems(page), []);

  await owner.goto(`${site.origin}/dashboard/money/takings`);
  assert.deepEqual(await accessibilityProblems(owner), []);
});
