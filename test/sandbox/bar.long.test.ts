import assert from 'node:assert/strict';
import type { SandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { orderBody } from '../support/api.ts';
import { accessibilityProblems, desktop, openBrowser, phone } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { runSandbox } from '../support/running-sandbox.ts';

const { prepare, test, use } = needs('Chromium');

let file: SandboxFile;

const sandbox = use(runSandbox);
const browser = use(openBrowser);
prepare(async () => {
  file = sandbox.file;
});

async function newOrder(): Promise<{ order_id: string; payment_url: string }> {
  const answer = await fetch(`${file.base_url}/api/v1/orders`, {
    method: 'POST',
    headers: { 'x-api-key': file.api_key, 'content-type': 'application/json' },
    body: JSON.stringify(orderBody({ merchant_order_id: crypto.randomUUID() })),
  });
  return (await answer.json()) as { order_id: string; payment_url: string };
}

const refusals: [button: string, verdict: RegExp][] = [
  ['Pay wrong paise', /^Nothing paid\. No order has exactly this amount/],
  ['Send a forged mail', /^Nothing paid: forged\. .* signed this mail, and it was changed on its way/],
  ['Wrong recipient', /^Nothing paid: wrong recipient\. The bank addressed this mail to somebody-else@/],
];

for (const [name, size] of [
  ['phone', phone],
  ['desktop', { ...desktop, colorScheme: 'dark' as const }],
] as const) {
  test(`on a ${name} the bar is visible, says what it is, and explains each verdict`, async () => {
    const order = await newOrder();
    const { page, troubles, close } = await browser.open(size);
    await page.goto(order.payment_url);
    const bar = page.getByRole('complementary', { name: 'Sandbox' });
    const box = await bar.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= size.viewport!.height + 1, JSON.stringify(box));
    assert.equal(await bar.getByRole('button').count(), 16);
    assert.deepEqual(await accessibilityProblems(page), []);
    for (const [button, verdict] of refusals) {
      await bar.getByRole('button', { name: button }).click();
      await bar.getByRole('status').filter({ hasText: verdict }).waitFor();
    }
    assert.deepEqual(await accessibilityProblems(page), []);
    const checkbox = bar.getByRole('checkbox', { name: /^Hold near misses/ });
    assert.equal(await checkbox.isChecked(), false);
    await bar.getByRole('button', { name: 'Pay rounded' }).click();
    await bar
      .getByRole('status')
      .filter({ hasText: /^Nothing paid\. No order/ })
      .waitFor();
    await bar.getByRole('button', { name: 'Pay twice' }).click();
    await bar.getByRole('status').filter({ hasText: 'Paid a second time.' }).waitFor();
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
    assert.deepEqual(troubles, []);
    await close();
  });
}

for (const button of [/^Pay exactly ₹/, /^Pay 12 minutes late/, /^Delayed mail/]) {
  test(`buy in the demo shop, "${button.source.slice(1)}", and the verified webhook pays the shop’s order`, async () => {
    const { page, troubles, close } = await browser.open(phone);
    await page.goto(file.shop_url!);
    await page.getByRole('button', { name: 'Buy now' }).first().click();
    await page.waitForURL(`${file.base_url}/pay/**`);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(`${file.shop_url}/back/**`);
    await page.getByRole('heading', { name: 'Thank you, it is paid' }).waitFor();
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText('told by webhook').first().waitFor();
    assert.deepEqual(troubles, []);
    await close();
  });
}
