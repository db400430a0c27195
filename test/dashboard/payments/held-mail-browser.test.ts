import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { minute } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { enterReference } from '../../../src/payments/review/enter-reference.ts';
import { accessibilityProblems } from '../../support/browser.ts';
import { addTestUser, callAs, openDashboard, testPassword } from '../../support/dashboard-site.ts';
import {
  accept,
  heldMail,
  number,
  shop,
  sum,
  useHeldMails,
  visit,
  which,
} from '../../support/held-mail-stage.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

/** An owner reads a mail that no program can read for certain, in a real browser on a phone. */

useHeldMails();

const radios = (page: Page, group: RegExp) => page.getByRole('group', { name: group }).getByRole('radio');

/** Steps on with the key until the focus is where the person wants it. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(wanted)}) ?? false`)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the key never reaches ${wanted}`);
}

async function assertFits(page: Page): Promise<void> {
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, 'too wide');
}

test('an operator in support view is not shown a held mail’s text', async () => {
  const { world } = shop.api;
  const { merchantId } = shop.merchant;
  const { path } = await heldMail();
  const site = await openDashboard(world);
  const owner = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const operator = await callAs(site, world, await addTestUser(world, 0, 'operator'));
  await owner.post('/dashboard/settings/look');
  await operator.post(`/dashboard/operator/businesses/${merchantId}/look`);
  const { statusCode, body } = await operator.get(path);
  assert.equal(statusCode, 200);
  assert.match(body, /the owner alone sees it/);
  assert.doesNotMatch(body, /RAVI KUMAR|<pre/);
  assert.deepEqual([...(await world.sql`select actor from audit_log where action = 'mail.look'`)], []);
  assert.match((await owner.get(path)).body, /RAVI KUMAR/);
  await site.stop();
});

test('an owner reads the held mail, signs in again, chooses by keyboard and accepts: the order is paid once', async () => {
  const { world } = shop.api;
  const { page, go, troubles, close } = await visit();
  world.clock.advance(20 * minute);
  const { order, alertId, path } = await heldMail();
  const { merchantId } = shop.merchant;
  const claim = { merchantId, orderId: order.order_id, reference: '615300112233', now: world.clock.now() };
  await enterReference(world, claim);
  assert.equal((await shop.alert(alertId)).verdict, 'unreadable');
  await go('/dashboard/money/refused');
  await page.getByRole('link', { name: 'Read it yourself …' }).click();
  assert.equal(new URL(page.url()).pathname, path);
  const mail = page.locator('main pre');
  assert.match((await mail.textContent()) ?? '', /Credited INR .* -UPI\/CR\/615300112233\/RAVI KUMAR/);
  assert.equal(
    await mail.locator('mark').textContent(),
    'RAVI KUMAR/OKBANK/advance of INR 9999.00.-SBI Thanks.-SBI',
  );
  assert.equal(await accept(page).count(), 0, 'nothing is taken without a fresh sign-in');
  await assertFits(page);

  await page.getByRole('link', { name: 'Confirm that it is you' }).click();
  await page.getByLabel('Password').fill(testPassword);
  await page.keyboard.press('Enter');
  await accept(page).waitFor();
  await assertFits(page);
  const offered = async (group: RegExp) =>
    await radios(page, group).evaluateAll(all => all.map(one => (one as unknown as { value: string }).value));
  assert.deepEqual(await offered(sum), [String(Math.round(order.payable_amount * 100))]);
  assert.deepEqual(await offered(number), ['615300112233']);
  assert.equal(await page.locator('main form :checked').count(), 0, 'nothing is chosen for them');
  await page.getByText('its customer gave the reference 615300112233').waitFor();

  await page.evaluate('document.querySelector("main pre").focus()');
  for (const name of ['amount', 'reference', 'order']) {
    await tabTo(page, `[name=${name}]`);
    await page.keyboard.press('Space');
  }
  await tabTo(page, 'form[action$="/accept"] button');
  await page.keyboard.press('Enter');
  await page.getByText('The order is paid.').waitFor();
  assert.equal(new URL(page.url()).pathname, `/dashboard/orders/${order.order_id}`);
  assert.equal(await shop.statusOf(order.order_id), 'paid');

  assert.doesNotMatch((await page.locator('.steps').textContent()) ?? '', /not the exact amount/);
  const events = await world.sql`
    select from events where merchant_id = ${shop.merchant.merchantId} and type = 'payment.paid'`;
  assert.equal(events.length, 1);
  const log = await world.sql`select action, actor from audit_log where subject = ${alertId} order by action`;
  assert.deepEqual(
    log.map(row => [row['action'], String(row['actor']).split('-')[0]]),
    [
      ['credit.accept', 'owner'],
      // Before and after the fresh sign-in.
      ['mail.look', 'owner'],
      ['mail.look', 'owner'],
      ['mail.read', 'owner'],
    ],
  );
  await go('/dashboard/audit');
  await page.getByText(/Read a mail that was held/).waitFor();
  assert.deepEqual(troubles, []);
  assert.deepEqual(await findBreaches(world), []);
  await close();
});

test('an owner sees the payment that a second mail may repeat, and accepts it only by ticking that they are two', async () => {
  const { world } = shop.api;
  const { page, go, close } = await visit();
  // Two numbers, so none can be chosen and none counts.
  const mail = { reference: '615300778899', remark: 'bill 699900112233 INR 5' };
  const [first, twin] = [await heldMail(mail), await heldMail(mail)];
  const take = async ({ path, order }: typeof first, { ticks = false } = {}) => {
    await go(path);
    await radios(page, sum).check();
    await radios(page, which)
      .and(page.locator(`[value="${order.order_id}"]`))
      .check();
    if (ticks) await page.getByRole('checkbox', { name: /another payment/ }).check();
    await accept(page).click();
  };
  await take(first);
  await page.getByText('The order is paid.').waitFor();
  await take(twin);
  await page.getByText('It may be a payment that has counted already.').waitFor();
  await page.getByRole('link', { name: first.order.order_id }).waitFor();
  await assertFits(page);
  assert.equal(await shop.statusOf(twin.order.order_id), 'pending');
  await take(twin, { ticks: true });
  await page.getByText('The order is paid.').waitFor();
  assert.deepEqual(await findBreaches(world), []);
  await close();
});
