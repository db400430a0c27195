import assert from 'node:assert/strict';
import { proofPrefix } from '../../../src/payments/matching/queries/trials.ts';
import { accessibilityProblems, desktop, phone } from '../../support/browser.ts';
import { useLookingFor, visit, waiting } from '../../support/look-for-stage.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useLookingFor();

for (const [name, options, language] of [
  ['on a phone, in English', phone, 'en'],
  ['on a desktop, in Hindi', desktop, 'hi'],
] as const)
  test(`the question, the proof and the ceiling are accessible ${name}, in light and dark`, async () => {
    const { shop, orderId, alertId } = await waiting(`${proofPrefix}${language}`, 1_37);
    const { page, go, troubles, close } = await visit(shop, language, options);
    const pages = [
      `/dashboard/orders/${orderId}`,
      `/dashboard/money/${alertId}/orders/${orderId}`,
      '/dashboard/first-steps',
      '/dashboard/upi-accounts',
      `/dashboard/upi-accounts/${shop.accountId}/ceiling`,
    ];
    for (const path of pages) {
      await go(path);
      assert.deepEqual(await accessibilityProblems(page), [], path);
    }
    assert.deepEqual(troubles, []);
    await close();
  });
