import assert from 'node:assert/strict';
import { accessibilityProblems, openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../../support/dashboard-site.ts';
import { doubtedShop, newKey } from '../../support/doubted-shop.ts';
import { heldPayment } from '../../support/held-payment.ts';
import { needs } from '../../support/needs.ts';

const { after, beforeEach, test } = needs('Chromium');

/** An operator and a line that holds mails, with a real browser on a phone. */

const shop = doubtedShop();
const home = '/dashboard/operator/banks';
let site: DashboardSite;
let browser: TestBrowser;
beforeEach(async () => {
  site ??= await openDashboard(shop.api.world);
  browser ??= await openBrowser();
  for (const table of ['bank_entries', 'held_lines']) await shop.api.world.sql.unsafe(`delete from ${table}`);
  shop.publish('s1', newKey);
});
after(async () => {
  await browser?.stop();
  await site?.stop();
});

async function visit() {
  const { world } = shop.api;
  const { token } = await callAs(site, world, await addTestUser(world, 0, 'operator'));
  const opened = await browser.open(phone);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  return { ...opened, go: (path: string) => opened.page.goto(site.origin + path) };
}

test('the operator reads the whole held mail and answers whose words are below the line before it is listed', async () => {
  const { world } = shop.api;
  const { order, alertId } = await heldPayment(shop, 'A new word from your bank of 12-11-2026');
  const { page, go, troubles, close } = await visit();
  await go(home);
  await page.getByRole('link', { name: 'List this line' }).click();
  const [line, mail] = await page.locator('main pre').allInnerTexts();
  assert.equal(line, 'A new word from your bank of {date}');
  for (const whole of [
    'Account update',
    'Dear Ravi Kumar,',
    'A new word from your bank of 12-11-2026',
    `A payment of Rs.${order.payable_amount.toFixed(2)} by UPI has been credited`,
    'Call 1800 123 456 or see https://test.bank.in/help?id=77. Thank you.',
  ])
    assert.ok(mail!.includes(whole), whole);
  const look = await world.sql`select action from audit_log
    where merchant_id = ${shop.merchant.merchantId} and subject = ${alertId} and action = 'workshop.look'`;
  assert.equal(look.length, 1, 'the business sees that its mail was looked at');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);

  const goOn = page.getByRole('button', { name: 'Continue' });
  await goOn.click();
  await page.getByText('Say first whose words stand below this line.').waitFor();
  const whose = page.getByRole('group', { name: 'Whose words stand below this line?' });
  await whose.getByRole('radio', { name: /^The bank’s own/ }).check();
  await goOn.click();
  await page.getByText('The line is listed. Mails that are judged again: 1.').waitFor();
  await world.banks.reload(world);
  await shop.judge();
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  assert.deepEqual(troubles, []);
  await close();
});

test('a line that announces somebody else’s words is never offered, and a typed one cannot be listed', async () => {
  const { world } = shop.api;
  const { order, alertId } = await heldPayment(shop, 'Message from your payer:', { isShort: true });
  assert.match((await shop.alert(alertId)).reason, /payer/);
  const { page, go, close } = await visit();
  await go(home);
  assert.equal(await page.getByRole('link', { name: 'List this line' }).count(), 0);

  // A previous release may have stored such a line.
  await world.sql`
    insert into held_lines (bank, line, surroundings, first_seen)
    values ('test', 'Message from your payer:', '', ${world.clock.now()})`;
  await go(home);
  await page.getByRole('link', { name: 'List this line' }).click();
  await page.getByRole('radio', { name: /^The bank’s own/ }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(/The line cannot be listed: .*somebody else’s words/).waitFor();
  await world.banks.reload(world);
  await shop.judge();
  assert.equal(await shop.statusOf(order.order_id), 'pending');
  await close();
});
