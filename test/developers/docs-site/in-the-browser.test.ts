import assert from 'node:assert/strict';
import { buildDocs } from '../../../src/developers/docs-site/build-docs.ts';
import { docsRoutes } from '../../../src/developers/docs-site/routes.ts';
import { desktop, openBrowser, phone } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { openWholeService } from '../../support/whole-service.ts';

const { test, use } = needs('Chromium');

const service = use(async () =>
  openWholeService(async (app, world) => docsRoutes(app, world, { files: await buildDocs() })),
);
const browser = use(openBrowser);

test('a newcomer on a phone opens the menu, finds a page, and reaches the guide', async () => {
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(`${service.url}/docs`);
  await page.getByText('Pages', { exact: true }).click();
  await page.locator('.menu').getByRole('link', { name: 'Integration guide' }).click();
  await page.getByRole('heading', { level: 1, name: 'Integration guide' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('the search leads to a word’s place by keyboard alone', async () => {
  const { page, close } = await browser.open(desktop);
  await page.goto(`${service.url}/docs/install`);
  await page.keyboard.press('/');
  await page.keyboard.type('pgbouncer');
  await page.locator('#found a').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${service.url}/docs/configure#pgbouncer`);
  await page.keyboard.press('/');
  await page.keyboard.type('<img src=x onerror=alert(1)>');
  await page.getByText('Nothing found for').waitFor();
  await close();
});

test('a language chosen once is shown everywhere, and on the next visit', async () => {
  const { page, close } = await browser.open(desktop);
  await page.goto(`${service.url}/docs/integration`);
  const shown = () => page.locator('figure.code:visible').allInnerTexts();
  assert.ok((await shown()).some(text => text.includes('curl -sS')));
  await page.getByRole('button', { name: 'Python' }).first().click();
  assert.ok((await shown()).every(text => !text.includes('curl -sS')));
  await page.reload();
  assert.ok((await shown()).some(text => text.includes('import json')));
  assert.ok((await shown()).every(text => !text.includes('curl -sS')));
  await close();
});

test('without script every page is readable: menu, contents and all languages', async () => {
  const { page, close } = await browser.open({ ...phone, javaScriptEnabled: false });
  await page.goto(`${service.url}/docs/integration`);
  const text = await page.locator('main').textContent();
  for (const word of ['curl -sS', 'import json', '<?php', '@milaan/sdk'])
    assert.ok(text?.includes(word), word);
  assert.ok(await page.locator('.menu').getByRole('link', { name: 'Webhooks', exact: true }).isVisible());
  await close();
});
