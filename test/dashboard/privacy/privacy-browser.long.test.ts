import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minute } from '../../../src/base/clock.ts';
import { randomBase62 } from '../../../src/base/random.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { eraseDue } from '../../../src/privacy/start-erasing.ts';
import { accessibilityProblems, openBrowser, phone } from '../../support/browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';

const { after, test, use } = needs('Chromium');

const world = use(() =>
  openTestWorld({ ERASURES_FILE: join(tmpdir(), `milaan-list-${randomBase62(8)}.json`) }),
);
const site = use(() => openDashboard(world));
const browser = use(openBrowser);
after(async () => {
  rmSync(world?.config.erasuresFile ?? '', { force: true });
});

test('an owner finds a customer, downloads what is stored, erases them, and sees that nothing is left', async () => {
  const shop = await addTestMerchant(world);
  const { orderId } = await addTestOrder(world, shop, { payable: 500_37 });
  await world.sql`
    update orders set customer = '{"name": "Rahul Sharma", "email": "rahul@example.in"}', webhook_url = ''
    where order_id = ${orderId}`;
  const credit = await storedCredit(world, shop.merchantId, {
    amount: 500_37 as never,
    payer: '9876543210@okbank',
  });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  world.clock.advance(20 * minute);
  const { token } = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  const { page, troubles, close } = await browser.open(phone);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(`${site.origin}/dashboard/shop/privacy`);
  await page.locator('main').getByRole('link', { name: 'Find a customer' }).click();
  await page.getByLabel('UPI ID, phone').fill('Rahul');
  await page.getByRole('button', { name: 'Show everything' }).click();
  await page.getByText('Give UPI IDs, Indian mobile').waitFor();
  await page.getByLabel('UPI ID, phone').fill('+91 98765 43210, rahul@example.in');
  await page.getByRole('button', { name: 'Show everything' }).click();
  await page.getByText('Rahul Sharma').first().waitFor();
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= page.viewportSize()!.width, 'nothing runs out of the page');
  assert.deepEqual(await accessibilityProblems(page), []);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as JSON' }).click(),
  ]);
  const file = join(tmpdir(), `milaan-person-${randomBase62(8)}.json`);
  await download.saveAs(file);
  const shown = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  assert.equal(shown.rows.orders[0].order_id, orderId);
  assert.equal(Buffer.from(shown.rows.raw_mails[0].raw, 'base64').toString(), 'raw');
  await page.getByLabel('I have read what is below').check();
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('It is being erased').waitFor();
  await eraseDue(world, 'test');
  await page.goto(`${site.origin}/dashboard/settings/privacy`);
  await page.locator('.badge.good', { hasText: 'Erased' }).waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.goto(`${site.origin}/dashboard/orders/${orderId}`);
  await page.getByText(orderId).first().waitFor({ state: 'attached' });
  assert.doesNotMatch(await page.content(), /Rahul|9876543210/);
  const actions = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${shop.merchantId} and action like 'person.%' order by seq`;
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['person.look', 'person.export', 'person.erase'],
  );
  assert.deepEqual(troubles, []);
  await close();
});
