import assert from 'node:assert/strict';
import { accessibilityProblems, desktop, phone } from '../support/browser.ts';
import { newcomer, operator, owner, shop, useBusyBrowser, visit } from '../support/busy-browser.ts';
import type { TestUser } from '../support/dashboard-site.ts';
import { needs } from '../support/needs.ts';

const { test } = needs('Chromium');

useBusyBrowser();

const merchantScreens = () => [
  '/dashboard?skip=1',
  '/dashboard/first-steps?bank=hdfc',
  '/dashboard/orders',
  '/dashboard/orders?status=paid&q=499.37',
  '/dashboard/orders/register?period=2026',
  `/dashboard/orders/${shop.paid.orderId}`,
  '/dashboard/money',
  '/dashboard/money/handled',
  '/dashboard/money/refused',
  '/dashboard/upi-accounts',
  `/dashboard/upi-accounts/${shop.accountId}/remove`,
  '/dashboard/mailbox',
  '/dashboard/integrations',
  '/dashboard/webhooks',
  '/dashboard/notices',
  '/dashboard/notices/choices',
  '/dashboard/notices/chats',
  '/dashboard/plan',
  '/dashboard/settings/kept',
];
const operatorScreens = () => [
  '/dashboard/operator',
  '/dashboard/operator/health',
  '/dashboard/operator/audit',
  '/dashboard/operator/banks',
  '/dashboard/operator/banks/hdfc',
  '/dashboard/operator/banks/idfc-first',
  `/dashboard/operator/businesses/${shop.merchantId}`,
];

test('axe finds nothing wrong with any screen, busy and empty, light and dark, phone and desktop', async () => {
  const people: [TestUser, string[]][] = [
    [owner, merchantScreens()],
    [newcomer, merchantScreens().filter(path => !/ML-|acc_/.test(path))],
    [operator, operatorScreens()],
  ];
  for (const [user, paths] of people) {
    const { page, go, troubles, close } = await visit(user, phone);
    for (const path of paths) {
      await page.setViewportSize(phone.viewport!);
      await go(path);
      for (const { viewport } of [phone, desktop]) {
        await page.setViewportSize(viewport!);
        const name = `${viewport!.width} px, ${user.role}, ${path}`;
        // An empty shop's screens are the same marks with fewer of them: once is enough for axe.
        if (user !== newcomer || viewport === phone.viewport)
          assert.deepEqual(await accessibilityProblems(page), [], name);
        const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        assert.equal(wide, false, `${name} scrolls sideways`);
        if (viewport !== desktop.viewport) continue;
        // A tablet both ways, and a desktop whose reader has doubled the size of everything.
        for (const width of [1024, 768, 640]) {
          await page.setViewportSize({ width, height: 900 });
          const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
          assert.equal(isWide, false, `${name} scrolls sideways at ${width}`);
        }
      }
    }
    assert.deepEqual(troubles, []);
    await close();
  }
});
