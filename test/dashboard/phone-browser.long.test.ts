import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Role } from '../../src/business/accounts/may-do.ts';
import { accessibilityProblems, desktop, phone } from '../support/browser.ts';
import { newcomer, operator, owner, shop, useBusyBrowser, visit, world } from '../support/busy-browser.ts';
import { addTestUser } from '../support/dashboard-site.ts';
import { needs } from '../support/needs.ts';

const { test } = needs('Chromium');

useBusyBrowser();

const small = { ...phone, viewport: { width: 360, height: 640 } };
const namesIn = (page: Page) =>
  page.locator('.places a:not(.brand) > span:not(.pill, .count)').allTextContents();
/** The element that a finger touches at the middle of this one. */
const touches = (page: Page, selector: string) =>
  page.evaluate(`(() => {
    const thing = document.querySelector(${JSON.stringify(selector)});
    const { x, y, width, height } = thing.getBoundingClientRect();
    return thing.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  })()`);

test('the bar has the screens that a role may open, and marks the current one', async () => {
  const shown: Record<string, string[]> = {};
  for (const role of ['owner', 'support', 'cashier', 'developer', 'auditor'] satisfies Role[]) {
    const user = await addTestUser(world, shop.merchantId, role);
    const { page, go, close } = await visit(user, small);
    await go(role === 'cashier' ? '/dashboard/counter' : '/dashboard/money');
    shown[role] = await namesIn(page);
    const current = page.locator('.places a[aria-current]');
    assert.match((await current.textContent()) ?? '', role === 'cashier' ? /^Counter/ : /^Payments/);
    for (const item of await page.locator('.places a:not(.brand)').all()) {
      const box = (await item.boundingBox())!;
      assert.ok(box.width >= 44 && box.height >= 44 && box.y + box.height <= 640, JSON.stringify(box));
    }
    await close();
  }
  const all = ['Home', 'Collect', 'Payments', 'Reports', 'Shop'];
  assert.deepEqual(shown['owner'], all);
  assert.deepEqual(shown['support'], all);
  assert.equal(shown['cashier']![0], 'Counter');
  assert.ok(shown['cashier']!.length <= 2);
  assert.deepEqual(shown['auditor'], all, 'for the poster');
  assert.deepEqual(
    shown['developer'],
    all.filter(name => name !== 'Reports' || shown['developer']!.includes(name)),
  );
  const { page, go, close } = await visit(operator, small);
  await go('/dashboard/operator/health');
  assert.deepEqual(await namesIn(page), ['Businesses', 'Health', 'Banks', 'Plans', 'Log']);
  await close();
});

test('the one badge counts the payments to decide', async () => {
  const { page, go, close } = await visit(owner, small);
  await go('/dashboard/notices');
  await page.getByRole('link', { name: 'Payments 2 waiting' }).waitFor();
  assert.equal(await page.locator('.places .count').count(), 1);
  await close();
});

test('the account menu opens without script and by keyboard, and Escape closes it and returns the focus', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, go, close } = await visit(owner, { ...small, javaScriptEnabled });
    await go('/dashboard');
    const menu = page.locator('.account-menu > summary');
    await menu.focus();
    await page.keyboard.press('Enter');
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await signOut.waitFor();
    if (javaScriptEnabled) {
      await page.keyboard.press('Escape');
      await signOut.waitFor({ state: 'hidden' });
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/account');
    await close();
  }
});

test('single keys search and begin a payment, except in a field and when switched off; Ctrl+K always works', async () => {
  const { page, go, close } = await visit(owner, desktop);
  await go('/dashboard/notices');
  const isFocused = () => page.evaluate(`document.activeElement.matches('.top-search input')`);
  await page.keyboard.press('/');
  assert.equal(await isFocused(), true);
  await page.keyboard.type('n?/');
  assert.equal(await page.locator('.top-search input').inputValue(), 'n?/');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/search?q=n%3F%2F');
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Keys' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('n');
  await page.waitForURL('**/dashboard/counter');
  await go('/dashboard/account');
  await page.getByRole('switch').uncheck();
  await go('/dashboard/notices');
  await page.keyboard.press('n');
  await page.keyboard.press('/');
  assert.equal(await isFocused(), false);
  await page.keyboard.press('Control+k');
  assert.equal(await isFocused(), true);
  await page.setViewportSize(small.viewport);
  await go('/dashboard/notices');
  await page.keyboard.press('Control+k');
  await page.waitForURL('**/dashboard/search');
  await close();
});

test('the bar covers nothing: the last part of a page, the focused element, a field with the keyboard open', async () => {
  const { page, go, close } = await visit(owner, small);
  for (const path of [
    '/dashboard/pay',
    '/dashboard/shop/customers',
    '/dashboard/money',
    '/dashboard/orders',
  ]) {
    await go(path);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const last = (await page.locator('main').boundingBox())!;
    assert.ok(Math.floor(last.y + last.height) <= (await page.locator('.places').boundingBox())!.y, path);
  }
  await go('/dashboard/shop/customers');
  for (const field of await page
    .locator('main :is(input:not([type="hidden"], [type="file"]), textarea)')
    .all()) {
    const id = (await field.getAttribute('id'))!;
    await page.evaluate('scrollTo(0, 0)');
    await field.focus();
    assert.ok(await touches(page, `#${id}`), id);
  }
  // A browser that shrinks the page for its keyboard leaves so much.
  await page.setViewportSize({ width: 360, height: 300 });
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('.places')).position`), 'static');
  await close();
});

test('the bar leaves space for the edge of a phone without buttons', async () => {
  const { page, go, close } = await visit(owner, small);
  const session = await page.context().newCDPSession(page);
  await session.send(
    'Emulation.setSafeAreaInsetsOverride' as never,
    { insets: { bottom: 34, bottomMax: 34 } } as never,
  );
  await go('/dashboard');
  const link = (await page.locator('.places a:not(.brand)').first().boundingBox())!;
  assert.equal(Math.round(link.y + link.height), 640 - 34);
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  const last = (await page.locator('main').boundingBox())!;
  assert.ok(last.y + last.height <= link.y);
  await close();
});

test('the bar is a column on a desktop, and absent on paper, over a full-screen counter and before sign-in', async () => {
  const { page, go, close } = await visit(owner, small);
  const places = page.locator('.places');
  await go('/dashboard/counter');
  assert.ok(await places.isVisible());
  await page.emulateMedia({ media: 'print' });
  assert.equal(await places.isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize(desktop.viewport!);
  const column = (await places.boundingBox())!;
  assert.ok(column.x === 0 && column.width < 300 && column.height === desktop.viewport!.height);
  await page.setViewportSize(small.viewport);
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.locator(':fullscreen').waitFor();
  const button = page.getByRole('button', { name: 'Show QR' });
  await button.scrollIntoViewIfNeeded();
  assert.ok(await touches(page, '.counter [data-ring]'));
  await page.evaluate('document.exitFullscreen()');
  await page.context().clearCookies();
  await go('/dashboard/sign-in');
  assert.equal(await places.count(), 0);
  await close();
});

test('on the smallest phone the whole keypad and its button are above the bar', async () => {
  for (const height of [640, 560]) {
    const { page, go, close } = await visit(owner, { ...small, viewport: { width: 360, height } });
    await go('/dashboard/counter');
    const button = (await page.getByRole('button', { name: 'Show QR' }).boundingBox())!;
    assert.ok(button.y + button.height <= (await page.locator('.places').boundingBox())!.y, String(height));
    await close();
  }
});

test('the first payments are on the first screen, below one line of filters', async () => {
  for (const viewport of [small.viewport, { width: 360, height: 560 }, { width: 320, height: 640 }]) {
    const { page, go, close } = await visit(owner, { ...small, viewport });
    const rows = page.locator('#payments-list .row');
    const fits = async (at: number) => {
      const bar = (await page.locator('nav.places').boundingBox())!.y;
      const row = (await rows.nth(at).boundingBox())!;
      assert.ok(row.y + row.height <= bar, `${row.y + row.height} of ${bar}`);
    };
    await go('/dashboard/payments');
    await fits(2);
    await page.locator('main').getByRole('searchbox', { name: 'Search payments' }).waitFor();
    await page.locator('.list-tools summary').first().click();
    await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Today' });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.locator('.chosen').getByText('Today').waitFor();
    await page.getByRole('link', { name: 'Show all' }).waitFor();
    await fits(0);
    await go('/dashboard/payments?view=orders&status=paid&from=2026-11-02&to=2026-11-15');
    await page.locator('.chosen').getByText('2 Nov 2026 – 15 Nov 2026 · Paid').waitFor();
    await fits(0);
    assert.deepEqual(await accessibilityProblems(page), []);
    await close();
  }
});

test('a payment on the bank’s statement is a row of two lines', async () => {
  const rows = [
    '15/11/2026,UPI-RAVI KUMAR SHARMA-ravi.kumar@okhdfcbank-HDFC0000001-691922222222-Payment for groceries,700.00',
    '15/11/2026,UPI/691922222223/Meera,1299.50',
  ];
  for (const width of [360, 320]) {
    const { page, go, close } = await visit(owner, { ...small, viewport: { width, height: 640 } });
    await go('/dashboard/statement');
    const buffer = Buffer.from(`Date,Narration,Deposit Amt.\n${rows.join('\n')}\n`);
    await page.locator('#statement').setInputFiles({ name: 's.csv', mimeType: 'text/csv', buffer });
    await page.locator('form:has(#statement) .button').click();
    await page.locator('summary', { hasText: 'without' }).first().click();
    const unreported = page.locator('li', { hasText: 'RAVI KUMAR SHARMA' });
    await unreported.getByText('700').first().waitFor();
    assert.ok((await unreported.boundingBox())!.height < 120, 'two lines');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
    assert.deepEqual(await accessibilityProblems(page), []);
    await close();
  }
});

test('the shop’s name is shown to its last letter', async () => {
  const name = 'Shree Venkateshwara Provision, Dry Fruits, Sweets & General Stores (Hubballi and Dharwad)';
  await world.sql`update merchants set name = ${name} where merchant_id = ${newcomer.merchantId}`;
  for (const viewport of [
    small.viewport,
    { width: 320, height: 640 },
    { width: 640, height: 360 },
    desktop.viewport!,
  ]) {
    const { page, go, close } = await visit(newcomer, { ...small, viewport });
    await go('/dashboard');
    const cut = await page.evaluate(`(() => {
      const name = document.querySelector('.shop bdi');
      return name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight;
    })()`);
    assert.equal(cut, false, `${viewport.width}`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
    await close();
  }
});

test('a link asks for a title and an amount; the rest is folded, and open if it is filled in or wrong', async () => {
  const { page, go, close } = await visit(owner, { ...small, viewport: { width: 320, height: 640 } });
  await go('/dashboard/links/new');
  const stock = page.getByLabel('How many');
  const submit = () => page.getByRole('button', { name: 'Make the link' }).click();
  assert.equal(await stock.isVisible(), false);
  await page.getByText('Limits, last day, how many').click();
  await stock.fill('0');
  await page.getByLabel('Title').fill('Diya set');
  await page.getByLabel('Amount in rupees').fill('250');
  await submit();
  await page.locator('#stock-error').waitFor();
  assert.ok(await stock.isVisible());
  assert.equal(await page.evaluate('document.activeElement.id'), 'stock');
  await stock.fill('3');
  await page.getByLabel('Title').fill('');
  await page.evaluate(`document.querySelector('#title').required = false`);
  await submit();
  await page.locator('#title-error').waitFor();
  assert.equal(await stock.inputValue(), '3');
  assert.ok(await stock.isVisible());
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByLabel('Title').fill('Diya set');
  await submit();
  await page.getByText('The link is ready.').waitFor();
  await page.getByText('3 of 3 left').waitFor();
  await close();
});
