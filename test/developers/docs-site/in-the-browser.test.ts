import assert from 'node:assert/strict';
import { buildDocs } from '../../../src/developers/docs-site/build-docs.ts';
import { docsRoutes } from '../../../src/developers/docs-site/routes.ts';
import {
  accessibilityProblems,
  desktop,
  openBrowser,
  phone,
  type TestBrowser,
} from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { openWholeService, type WholeService } from '../../support/whole-service.ts';

const { after, before, test } = needs('Chromium');

let service: WholeService;
let browser: TestBrowser;
before(async () => {
  service = await openWholeService(async (app, world) =>
    docsRoutes(app, world, { files: await buildDocs() }),
  );
  browser = await openBrowser();
});
after(async () => {
  await browser.stop();
  await service.stop();
});

for (const [name, size] of [
  ['phone', phone],
  ['desktop', desktop],
] as const) {
  test(`on a ${name} every page fits its width, without a violation and without an outside request`, async () => {
    const { page, troubles, close } = await browser.open(size);
    const outside: string[] = [];
    page.on('request', request => {
      if (!request.url().startsWith(service.url)) outside.push(request.url());
    });
    await page.goto(`${service.url}/docs`);
    const paths: string[] = await page.evaluate(
      `[...document.querySelectorAll('.menu a')].map(link => link.getAttribute('href'))`,
    );
    assert.ok(paths.length > 10);
    for (const path of paths) {
      await page.goto(service.url + path);
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(wider) <= 0, `${path} is ${wider} px wider than the screen`);
    }
    assert.deepEqual(troubles, []);
    assert.deepEqual(outside, []);
    await close();
  });
}

test('everybody can use it: axe finds nothing on the main pages, in light and in dark', async () => {
  const { page, close } = await browser.open(phone);
  for (const path of ['/docs', '/docs/integration', '/docs/api', '/docs/going-live']) {
    await page.goto(service.url + path);
    assert.deepEqual(await accessibilityProblems(page), [], path);
  }
  await close();
});

test('a newcomer on a phone opens the menu, finds a page, and comes to the guide', async () => {
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(`${service.url}/docs`);
  await page.getByText('Pages', { exact: true }).click();
  await page.locator('.menu').getByRole('link', { name: 'Integration guide' }).click();
  await page.getByRole('heading', { level: 1, name: 'Integration guide' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('the search leads from a word to its place by keyboard alone', async () => {
  const { page, close } = await browser.open(desktop);
  await page.goto(`${service.url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('pgbouncer');
  await page.locator('#found a').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${service.url}/docs/operating#pgbouncer`);
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

test('without script every page can be read: menu, contents and all languages', async () => {
  const { page, close } = await browser.open({ ...phone, javaScriptEnabled: false });
  await page.goto(`${service.url}/docs/integration`);
  const text = await page.locator('main').textContent();
  for (const word of ['curl -sS', 'import json', '<?php', '@milaan/sdk'])
    assert.ok(text?.includes(word), word);
  assert.ok(await page.locator('.menu').getByRole('link', { name: 'Webhooks' }).isVisible());
  await close();
});
