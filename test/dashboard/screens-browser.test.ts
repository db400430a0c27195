import assert from 'node:assert/strict';
import { desktop, phone } from '../support/browser.ts';
import { newcomer, operator, owner, shop, useBusyBrowser, visit, world } from '../support/busy-browser.ts';
import { addTestUser } from '../support/dashboard-site.ts';
import { needs } from '../support/needs.ts';
import { addTestMerchant } from '../support/test-world.ts';

const { test } = needs('Chromium');

useBusyBrowser();

test('in each list the time is below on a phone and at the right on a desktop, whatever words are next to it', async () => {
  const { page, go, close } = await visit(owner, phone);
  // For each row: does the second thing begin below the first, or next to it?
  const places = async (rows: string, first: string, second: string) =>
    new Set(
      await page.locator(rows).evaluateAll(
        (all, [one, other]) =>
          all.map(row => {
            const a = row.querySelector(one!)!.getBoundingClientRect();
            const b = row.querySelector(other!)!.getBoundingClientRect();
            return b.top >= a.bottom - 1 ? 'below' : b.left >= a.right - 1 ? 'right' : 'across';
          }),
        [first, second],
      ),
    );
  await go(`/dashboard/orders/${shop.paid.orderId}`);
  const steps = () => places('.steps li', 'span', 'time');
  assert.ok(!(await steps()).has('across'));
  await page.setViewportSize(desktop.viewport!);
  assert.deepEqual(await steps(), new Set(['right']));
  await page.setViewportSize(phone.viewport!);
  await close();
});

test('the app caches only its design: after sign-out no cache has the business’s data, and offline it says so', async () => {
  const { page, go, troubles, close } = await visit(owner);
  await go('/dashboard');
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await go(`/dashboard/orders/${shop.paid.orderId}`);
  await go('/dashboard/shop/notifications');
  assert.equal(await page.evaluate('navigator.serviceWorker.controller !== null'), true);
  const live = await page.evaluate(`fetch('/dashboard/payments').then(answer => answer.text())`);
  assert.match(live as string, new RegExp(shop.paid.orderId));
  await page.locator('.account-menu > summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
  const kept = (await page.evaluate(`(async () => {
    const kept = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        kept.push([new URL(request.url).pathname, await (await cache.match(request)).text()]);
      }
    }
    return kept;
  })()`)) as [string, string][];
  assert.deepEqual(kept.map(([path]) => path.replace(/-\w{12}\./, '.')).sort(), [
    '/dashboard-files/dashboard.css',
    '/dashboard-files/dashboard.js',
    '/dashboard-files/dashboard.svg',
    '/dashboard-files/icon-192.png',
    '/dashboard-files/offline.html',
  ]);
  for (const [path, text] of kept)
    assert.doesNotMatch(text, new RegExp(`Chai Point|${shop.paid.orderId}|${owner.email}`), path);
  await page.context().setOffline(true);
  await go('/dashboard/orders');
  await page.getByRole('heading', { name: 'No connection' }).waitFor();
  await page.getByRole('heading', { name: 'इंटरनेट नहीं है' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('times are India’s wherever the viewer is, in everyday form, with the exact form on hover', async () => {
  const { page, go, close } = await visit(owner, { ...desktop, timezoneId: 'America/New_York' });
  await go(`/dashboard/orders/${shop.paid.orderId}`);
  const time = page.locator('.steps time').first();
  assert.match((await time.getAttribute('title')) ?? '', /^2026-11-15T04:30:\d\d\.000Z$/);
  assert.equal(await time.textContent(), '10:00 am', 'the page’s head has the day');
  const head = page.locator('[data-part="sum"] time');
  assert.equal(await head.textContent(), 'today, 10:00 am', 'the day is the server’s, not the device’s');
  await close();
});

test('a key is created, copied by a button, and revoked after a warning, by keyboard alone', async () => {
  const { page, go, close } = await visit(newcomer);
  await go('/dashboard/integrations');
  await page.getByLabel('Name of the key').focus();
  await page.keyboard.type('web shop');
  await page.keyboard.press('Enter');
  assert.match((await page.locator('#new-key').textContent()) ?? '', /^ml_test_/);
  await page.getByRole('button', { name: /^Copy/ }).waitFor();
  await page.getByRole('link', { name: 'I have copied it' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('li', { hasText: 'web shop' }).getByRole('link', { name: 'Revoke' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('It cannot be undone').waitFor();
  await page.getByRole('button', { name: 'Revoke' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The key “web shop” was revoked.').waitFor();
  await close();
});

test('a large export is complete', async () => {
  const big = await addTestMerchant(world, { name: 'Big' });
  await world.sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
    select ${big.merchantId}, 'BIG-' || lpad(n::text, 10, '0'), 'c' || n, 10000, 10037, 'pending',
      ${world.clock.now()}::timestamptz - n * interval '1 second', ${world.clock.now()}::timestamptz, 'big' || n,
      ${big.accountId}, 'https://s', 'https://f', 'https://w'
    from generate_series(1, 2500) as n`;
  const { page, go, close } = await visit(await addTestUser(world, big.merchantId, 'owner'));
  await go('/dashboard/payments?view=orders');
  await page.getByLabel('Export').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Table (CSV)' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  assert.equal(Buffer.concat(chunks).toString().trimEnd().split('\r\n').length, 2501);
  await close();
});

test('an operator disables a business from its page, and the shop’s people read it', async () => {
  const victim = await addTestMerchant(world, { name: 'Closing Shop' });
  const { page, go, close } = await visit(operator);
  await go('/dashboard/operator?search=closing');
  await page.getByRole('link', { name: 'Closing Shop' }).click();
  await page.getByRole('link', { name: 'Disable' }).click();
  await page.getByText('403 merchant_disabled').first().waitFor();
  await page.getByLabel('Reason').fill('Asked for by its owner');
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Closing Shop is disabled.').waitFor();
  const shopkeeper = await visit(await addTestUser(world, victim.merchantId, 'owner'));
  await shopkeeper.go('/dashboard');
  await shopkeeper.page.getByText('This business is disabled').waitFor();
  await shopkeeper.close();
  await close();
});
