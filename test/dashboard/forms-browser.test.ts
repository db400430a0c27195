import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { minute } from '../../src/base/clock.ts';
import { desktop, openBrowser, phone } from '../support/browser.ts';
import { addTestUser, callAs, type TestUser, testPassword } from '../support/dashboard-site.ts';
import { needs } from '../support/needs.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { useDashboard } from '../support/use-dashboard.ts';

const { test, use } = needs('Chromium');

const { world, site } = useDashboard();
const browser = use(openBrowser);
const owner = use(async () => addTestUser(world, (await addTestMerchant(world)).merchantId, 'owner'));

async function visit(user: TestUser, options = desktop) {
  const { token } = await callAs(site, world, user);
  const opened = await browser.open(options);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  return { ...opened, go: (path: string) => opened.page.goto(site.origin + path) };
}

/** Half a form for a second UPI account, as somebody leaves it who is called away. */
async function type(page: Page): Promise<void> {
  await page.getByLabel('UPI ID', { exact: true }).fill('second@okaxis');
  await page.getByLabel('Name shown in the UPI app').fill('Second stall');
  await page.getByLabel('Merchant', { exact: true }).check();
}

async function assertTyped(page: Page): Promise<void> {
  assert.equal(await page.getByLabel('UPI ID', { exact: true }).inputValue(), 'second@okaxis');
  assert.equal(await page.getByLabel('Name shown in the UPI app').inputValue(), 'Second stall');
  assert.ok(await page.getByLabel('Merchant', { exact: true }).isChecked());
}

async function signIn(page: Page, { email }: TestUser): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(testPassword);
  await page.keyboard.press('Enter');
}

test('a second click on a slow connection creates no second key', async () => {
  const { page, go, close } = await visit(owner);
  await go('/dashboard/integrations');
  await page.getByLabel('Name of the key').fill('clicked twice');
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 600,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  const button = page.getByRole('button', { name: 'Create a key' });
  await button.scrollIntoViewIfNeeded();
  const { x, y } = (await button.boundingBox())!;
  const sent = page.waitForRequest(request => request.method() === 'POST');
  await page.mouse.click(x + 5, y + 5);
  await sent;
  await page.mouse.click(x + 5, y + 5);
  await page.getByRole('heading', { name: 'Your new key' }).waitFor();
  const keys = await world.sql`select from api_keys where name = 'clicked twice'`;
  assert.equal(keys.length, 1);
  await close();
});

test('a typed form survives a session that ended in between, and comes back once', async () => {
  const { page, go, troubles, close } = await visit(owner);
  await go('/dashboard/upi-accounts/add');
  await type(page);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Add the account' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(page, owner);
  await page.waitForURL('**/dashboard/upi-accounts/add');
  await assertTyped(page);
  const added = await world.sql`select from upi_accounts where vpa = 'second@okaxis'`;
  assert.equal(added.length, 0);
  await page.reload();
  assert.equal(await page.getByLabel('UPI ID', { exact: true }).inputValue(), '');
  assert.deepEqual(troubles, []);
  await close();
});

test('a typed form is shown to nobody else who signs in on the same device', async () => {
  const { page, go, close } = await visit(owner);
  await go('/dashboard/upi-accounts/add');
  await type(page);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Add the account' }).click();
  await signIn(page, await addTestUser(world, (await addTestMerchant(world)).merchantId, 'owner'));
  await page.waitForURL('**/dashboard/upi-accounts/add');
  assert.equal(await page.getByLabel('UPI ID', { exact: true }).inputValue(), '');
  await close();
});

test('a typed form survives the fresh sign-in before a dangerous change; a password does not', async () => {
  const { page, go, close } = await visit(owner);
  await go('/dashboard/upi-accounts/add');
  await type(page);
  world.clock.advance(11 * minute);
  await page.getByRole('button', { name: 'Add the account' }).click();
  await page.getByLabel('Password').fill(testPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/upi-accounts/add');
  await assertTyped(page);

  await go('/dashboard/mailbox');
  await page.getByLabel('Provider').selectOption('other');
  await page.getByLabel('Address', { exact: true }).fill('alerts@chai.example');
  await page.getByLabel('Password').fill('a secret of the mailbox');
  world.clock.advance(11 * minute);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  assert.ok(!String(await page.evaluate('JSON.stringify(sessionStorage)')).includes('a secret'));
  await page.getByLabel('Password').fill(testPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/mailbox');
  assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), 'alerts@chai.example');
  assert.equal(await page.getByLabel('Password').inputValue(), '');
  await close();
});

test('an export after the session ended leads to sign-in, and saves no page as a list of orders', async () => {
  const { merchantId, accountId } = await addTestMerchant(world);
  const add = (from: number, to: number) => world.sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
    select ${merchantId}, 'EXP-' || lpad(n::text, 10, '0'), 'e' || n, 10000, 10037, 'pending',
      ${world.clock.now()}::timestamptz - n * interval '1 second', ${world.clock.now()}::timestamptz, 'exp' || n,
      ${accountId}, 'https://s', 'https://f', 'https://w'
    from generate_series(${from}::int, ${to}::int) as n`;
  const user = await addTestUser(world, merchantId, 'owner');
  for (const [from, to] of [
    [1, 1],
    [2, 2100],
  ] as const) {
    await add(from, to);
    const { page, go, close } = await visit(user);
    let saved = 0;
    page.on('download', () => saved++);
    await go('/dashboard/orders');
    await page.context().clearCookies();
    await page.getByLabel('Export').click();
    await page.getByRole('link', { name: 'Table (CSV)' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(saved, 0);
    await close();
  }
});

test('the first wrong field has the focus, so that a screen reader reads its error', async () => {
  const { page, go, close } = await visit(owner, phone);
  const focused = () => page.evaluate('document.activeElement.name');
  await go('/dashboard/upi-accounts/add');
  await page.getByLabel('Name shown in the UPI app').fill('Stall');
  await page.getByLabel('UPI ID', { exact: true }).fill('nonsense');
  await page.keyboard.press('Enter');
  await page.locator('.error').first().waitFor();
  assert.equal(await focused(), 'vpa');
  await go('/dashboard/shop/customers');
  await page.locator('#name').fill('   ');
  await page.keyboard.press('Enter');
  await page.locator('.error').waitFor();
  assert.equal(await focused(), 'name');
  // The address of a form that was refused is a page too.
  await go('/dashboard/settings/name');
  assert.equal(new URL(page.url()).pathname, '/dashboard/shop');
  await close();
});

test('an id of 120 emoji is found by the search box exactly as it was sent', async () => {
  const id = '😀'.repeat(120);
  const { merchantId, accountId } = await addTestMerchant(world);
  await world.sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
    values (${merchantId}, 'EMO-0000000001', ${id}, 10000, 10037, 'pending', ${world.clock.now()},
      ${world.clock.now()}, 'emoji', ${accountId}, 'https://s', 'https://f', 'https://w')`;
  const { page, go, close } = await visit(await addTestUser(world, merchantId, 'owner'));
  await go('/dashboard/orders');
  await page.locator('main input[name="q"]').click();
  await page.keyboard.insertText(id);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/payments?**');
  await page.locator('a[href$="/EMO-0000000001"]').waitFor();
  await close();
});

test('the longest names and addresses widen no page', async () => {
  const { merchantId } = await addTestMerchant(world, { name: 'W'.repeat(120) });
  const user = await addTestUser(world, merchantId, 'owner');
  const caller = await callAs(site, world, user);
  const email = `${'l'.repeat(64)}@${'m'.repeat(60)}.${'n'.repeat(60)}.example`;
  await caller.post('/dashboard/team/invite', { email, role: 'support' });
  for (const size of [phone, desktop]) {
    const { page, go, close } = await visit(user, size);
    for (const path of ['/dashboard', '/dashboard/team', '/dashboard/audit', '/dashboard/to-do']) {
      await go(path);
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await page.evaluate(over), 0, path);
      assert.ok((await page.locator('header:visible').first().boundingBox())!.height < 80, path);
    }
    await close();
  }
});

test('changing the language keeps the page after sign-in, also after a wrong password', async () => {
  const { page } = await browser.open(desktop);
  await page.goto(`${site.origin}/dashboard/sign-in?next=/dashboard/orders?status=paid`);
  await page.getByLabel('Email address').fill(owner.email);
  await page.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await page.locator('.error').waitFor();
  await page.locator('.languages a').click();
  await page.locator('#email').fill(owner.email);
  await page.locator('#password').fill(testPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/payments?view=orders&status=paid');
  await page.context().close();
});
