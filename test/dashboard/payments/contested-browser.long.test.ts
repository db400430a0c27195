import assert from 'node:assert/strict';
import { later, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { enterReference } from '../../../src/payments/review/enter-reference.ts';
import { desktop, openBrowser, phone } from '../../support/browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { test, use } = needs('Chromium');

const { world, site } = useDashboard();
const browser = use(openBrowser);

test('late money that A’s customer named waits with B, and a person accepts it only after seeing both and the reason', async () => {
  const { clock } = world;
  const shop = await addTestMerchant(world);
  const now = clock.now();
  clock.set(later(now, -90 * minute));
  const a = await addTestOrder(world, shop, { payable: 500_37, merchantOrderId: 'basket-1' });
  clock.set(later(now, -2 * minute));
  const b = await addTestOrder(world, shop, { payable: 500_37, merchantOrderId: 'basket-2' });
  clock.set(now);
  const reference = '600012345678';
  const { merchantId } = shop;
  await enterReference(world, { merchantId, orderId: a.orderId, reference, now });
  const credit = await storedCredit(world, merchantId, {
    amount: paise(500_37),
    payer: 'asha@okaxis',
    reference,
  });
  assert.equal((await confirmPayment(world, credit)).outcome, 'no_order');
  const { token } = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const pictures = process.env['PICTURES'];
  for (const [kind, options] of Object.entries({ phone, desktop }))
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, troubles, close } = await browser.open({ ...options, colorScheme });
      await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
      const paths = {
        credit: `/dashboard/money/${credit.alertId}`,
        decide: `/dashboard/money/${credit.alertId}/orders/${b.orderId}`,
        order: `/dashboard/orders/${b.orderId}`,
        list: '/dashboard/money',
        settings: '/dashboard/shop/rules',
      };
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(site.origin + path);
        const said = (await page.locator('main').textContent()) ?? '';
        if (name === 'credit' || name === 'decide' || name === 'order') {
          assert.match(said, /Who says they paid with this reference/);
          assert.ok(said.includes(a.orderId), name);
        }
        if (name === 'decide' || name === 'order') assert.match(said, /another order gave this reference/);
        if (name === 'settings') assert.match(said, /Late payments/);
        if (pictures && name !== 'list')
          await page.screenshot({
            path: `${pictures}/${name}-${kind}-${colorScheme}.png`,
            fullPage: name !== 'order',
          });
      }
      assert.deepEqual(troubles, []);
      await close();
    }
  const { page, close } = await browser.open({ ...phone, locale: 'hi-IN' });
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(`${site.origin}/dashboard/money/${credit.alertId}/orders/${b.orderId}`);
  if (pictures) await page.screenshot({ path: `${pictures}/decide-hindi.png`, fullPage: true });
  await close();
});
