import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readConfig } from '../../../src/base/settings/config.ts';
import { notifyOfLimits } from '../../../src/business/merchants/notify-of-limits.ts';
import { accessibilityProblems, phone } from '../../support/browser.ts';
import { operator, owner, shop, useBusyBrowser, visit, world } from '../../support/busy-browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');
useBusyBrowser();

async function isSound(page: Page): Promise<void> {
  assert.deepEqual(await accessibilityProblems(page), [], page.url());
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, page.url());
}

test('a platform’s day: a limit is announced, an owner lets the operator look, a customer reports, the operator halts new orders', async () => {
  const { sql } = world;
  const named = readConfig([], { OPERATOR_NAME: 'Asha Pay', OPERATOR_MAIL: 'help@asha.example' });
  assert.ok('config' in named);
  Object.assign(world.config.operator, named.config.operator);
  await sql`insert into plans (plan, monthly_limit_paise, account_limit) values ('gold', 500000, 1)`;
  await sql`update merchants set plan = 'gold' where merchant_id = ${shop.merchantId}`;
  await sql`
    insert into collections (merchant_id, month, collected_paise) values (${shop.merchantId}, '2026-11-01', 500000)
    on conflict (merchant_id, month) do update set collected_paise = 500000`;
  await notifyOfLimits(world);
  const [account] =
    await sql`select account_id from upi_accounts where merchant_id = ${shop.merchantId} and is_default`;
  const order = await addTestOrder(world, {
    merchantId: shop.merchantId,
    accountId: account!['account_id'],
  });

  const own = await visit(owner, phone);
  await own.go('/dashboard/to-do');
  await own.page.getByText('New orders are refused: your plan’s month is full').first().click();
  await own.page.locator('main a[href="/dashboard/plan"]').first().click();
  await own.page.waitForURL(/\/dashboard\/plan$/);
  await own.go('/dashboard/shop/privacy');
  await own.page.getByRole('button', { name: 'Let the operator look' }).click();
  await own.page.getByText('The operator may look at your screens until').waitFor();
  await own.page.getByRole('link', { name: 'help@asha.example' }).waitFor();
  await isSound(own.page);

  const support = await visit(operator, phone);
  await support.go('/dashboard/operator?view=help');
  await support.page.getByRole('heading', { name: 'At their limit' }).waitFor();
  await isSound(support.page);
  await support.page.getByRole('searchbox', { name: 'Find a business' }).fill(order.orderId);
  await support.page.keyboard.press('Enter');
  await support.page.getByText('Order id', { exact: true }).waitFor();
  await isSound(support.page);
  await support.page.locator('main .rows a').first().click();
  await support.page.getByRole('textbox', { name: 'New note' }).fill('They called.');
  await support.page.getByRole('button', { name: 'Add the note' }).click();
  await support.page.getByText('They called.').waitFor();
  await isSound(support.page);
  await support.page.getByRole('button', { name: 'Look at its screens' }).click();
  await support.page.getByText('Nothing can be changed.').waitFor();
  await support.go('/dashboard/shop/privacy');
  assert.equal(await support.page.locator('main form:not([action="/dashboard/look/end"])').count(), 0);
  await isSound(support.page);
  await own.page.getByRole('button', { name: 'End the look' }).click();
  await own.page.getByText('Saved.').waitFor();
  await support.go('/dashboard/orders');
  await support.page.getByText('Your role does not allow this').waitFor();

  const customer = await visit(owner, { ...phone, javaScriptEnabled: false });
  await customer.page.context().clearCookies();
  await customer.go(`${order.path}?lang=hi`);
  await customer.page.getByRole('link', { name: 'इस पेज की शिकायत करें' }).click();
  await customer.page.getByRole('textbox').fill('यह दुकान नहीं है');
  await customer.page.getByRole('button').click();
  await customer.page.getByRole('status').waitFor();

  await support.go('/dashboard/operator/watch');
  await support.page.getByText('यह दुकान नहीं है').waitFor();
  await isSound(support.page);
  await support.page.getByRole('button', { name: 'Done' }).click();
  await support.page.getByText('The report is done with.').waitFor();
  await support.go(`/dashboard/operator/businesses/${shop.merchantId}/disable`);
  await support.page.getByRole('radio', { name: 'New orders alone' }).check();
  await support.page.getByRole('textbox').fill('A customer reported it');
  await isSound(support.page);
  await support.page.getByRole('button', { name: 'Disable' }).click();
  await own.go('/dashboard/orders');
  await own.page.getByText('A customer reported it').waitFor();
  await isSound(own.page);
  for (const { troubles, close } of [own, support, customer]) {
    assert.deepEqual(troubles, []);
    await close();
  }
});
