import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { openBankBook } from '../../../src/alerts/judging/bank-book.ts';
import { openJudging } from '../../../src/alerts/judging/open-judging.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { minute } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { claimReference } from '../../../src/payments/review/claim-reference.ts';
import { testBank } from '../../support/alert-banks.ts';
import { accessibilityProblems, openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import {
  addTestUser,
  callAs,
  type DashboardSite,
  openDashboard,
  testPassword,
} from '../../support/dashboard-site.ts';
import { doubtedShop, newKey, wrongKey } from '../../support/doubted-shop.ts';
import { needs } from '../../support/needs.ts';
import { readRaw } from '../../support/read-raw.ts';

const { after, beforeEach, test } = needs('Chromium');

/** What an owner does about a mail that no program can read for certain, with a real browser on a phone. */

const shop = doubtedShop();
let site: DashboardSite;
let browser: TestBrowser;
beforeEach(async () => {
  const { world } = shop.api;
  site ??= await openDashboard(world);
  browser ??= await openBrowser();
  world.banks = openBankBook(() => [sbi()]);
  await shop.judging.close();
  shop.judging = openJudging(world);
  shop.publish('s1', newKey);
});
after(async () => {
  await browser?.stop();
  await site?.stop();
});

/** State Bank's wordings, which print the reference before a payer's words, under the key of the tests' bank. */
function sbi(): Bank {
  const { senders, signingDomains } = testBank();
  const bank = loadBanks(null).find(({ id }) => id === 'sbi')!;
  return { ...bank, id: 'test', part: 'text', senders, signingDomains };
}

/** The remark has the bank's own last words in it: where it ends, only a person can say. */
const doubtfulBody = (rupees: number, reference: string) =>
  `Dear Customer,\r\nYour AC XXXXXXX4321 Credited INR ${rupees.toFixed(2)} on 15/11/26 -UPI/CR/${reference}/RAVI KUMAR/OKBANK/advance of INR 9999.00.-SBI Thanks.-SBI\r\n`;

async function heldMail({ reference = '615300112233', key = newKey } = {}) {
  const order = await shop.order();
  const body = doubtfulBody(order.payable_amount, reference);
  const alertId = await shop.mail(1, { key, body, change: { Subject: 'CBSSBI ALERT' } });
  await shop.judge();
  return { order, alertId, path: `/dashboard/money/held/${alertId}` };
}

async function visit() {
  const { world } = shop.api;
  const owner = await addTestUser(world, shop.business.merchantId, 'owner');
  const { token } = await callAs(site, world, owner);
  const opened = await browser.open(phone);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  return { ...opened, go: (path: string) => opened.page.goto(site.origin + path) };
}

const radios = (page: Page, group: RegExp) => page.getByRole('group', { name: group }).getByRole('radio');
const choose = (page: Page, group: RegExp, name: string | RegExp) =>
  page.getByRole('group', { name: group }).getByRole('radio', { name }).check();
const [sum, number, which] = [/^The sum that/, /^The reference that/, /^The order that/];
const accept = (page: Page) => page.getByRole('button', { name: 'Accept: the order is paid' });

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

test('an owner reads the held mail, signs in afresh, chooses by keyboard and accepts: the order is paid once', async () => {
  const { world } = shop.api;
  const { page, go, troubles, close } = await visit();
  world.clock.advance(20 * minute);
  const { order, alertId, path } = await heldMail();
  const { merchantId } = shop.business;
  const claim = { merchantId, orderId: order.order_id, reference: '615300112233', now: world.clock.now() };
  await world.sql.begin(tx => claimReference(tx, world, claim));
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
  await page.getByText(`${order.order_id} is paid. Your shop is told now.`).waitFor();
  assert.equal(new URL(page.url()).pathname, `/dashboard/orders/${order.order_id}`);
  assert.equal(await shop.statusOf(order.order_id), 'paid');

  assert.doesNotMatch((await page.locator('.timeline').textContent()) ?? '', /not the exact amount/);
  const events = await world.sql`
    select from events where merchant_id = ${shop.business.merchantId} and type = 'payment.paid'`;
  assert.equal(events.length, 1);
  const log = await world.sql`select action, actor from audit_log where subject = ${alertId} order by action`;
  assert.deepEqual(
    log.map(row => [row['action'], String(row['actor']).split('-')[0]]),
    [
      ['credit.accept', 'owner'],
      ['mail.read', 'owner'],
    ],
  );
  await go('/dashboard/audit');
  await page.getByText(/Read a mail that was held/).waitFor();
  assert.deepEqual(troubles, []);
  assert.deepEqual(await findBreaches(world), []);
  await close();
});

test('a second mail of the same signature, and one of the same reference, are refused and say so', async () => {
  const { world } = shop.api;
  const reference = '615300445566';
  const first = await heldMail({ reference });
  const raw = (await readRaw(world.sql, shop.business.merchantId, first.alertId))!;
  const copy = await world.sql.begin(tx =>
    storeMail(tx, {
      merchantId: shop.business.merchantId,
      raw: Buffer.concat([Buffer.from('X-Copy: 1\r\n'), raw]),
      arrivedAt: world.clock.now(),
      foundIn: 'INBOX/1/9',
    }),
  );
  const retold = await heldMail({ reference });
  const { page, go, close } = await visit();
  const take = async (alertId: string, orderId: string) => {
    await go(`/dashboard/money/held/${alertId}`);
    await choose(page, sum, /₹/);
    await choose(page, number, reference);
    await choose(page, which, new RegExp(orderId));
    await accept(page).click();
  };
  await take(first.alertId, first.order.order_id);
  await page.getByText('is paid. Your shop is told now.').waitFor();
  for (const alertId of [copy.alertId, retold.alertId]) {
    await take(alertId, retold.order.order_id);
    await page.getByText('Its signature or reference has counted before').waitFor();
    assert.equal(await shop.statusOf(retold.order.order_id), 'pending');
  }
  assert.deepEqual(await findBreaches(world), []);
  await close();
});

test('a mail whose origin is in doubt has no such link and no such screen', async () => {
  const { alertId, path } = await heldMail({ key: wrongKey });
  const { page, go, close } = await visit();
  await go('/dashboard/money/refused');
  await page.locator(`#${alertId}`).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Read it yourself …' }).count(), 0);
  assert.equal((await go(path))?.status(), 404);
  assert.equal(await accept(page).count(), 0);
  await close();
});
