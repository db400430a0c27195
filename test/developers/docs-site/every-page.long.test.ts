import assert from 'node:assert/strict';
import { buildDocs } from '../../../src/developers/docs-site/build-docs.ts';
import { docsRoutes } from '../../../src/developers/docs-site/routes.ts';
import { accessibilityProblems, desktop, openBrowser, phone } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { openWholeService } from '../../support/whole-service.ts';

const { test, use } = needs('Chromium');

const service = use(async () =>
  openWholeService(async (app, world) => docsRoutes(app, world, { files: await buildDocs() })),
);
const browser = use(openBrowser);

test('every page fits a phone and a desktop, without a violation and without an outside request', async () => {
  const { page, troubles, close } = await browser.open(phone);
  const outside: string[] = [];
  page.on('request', request => {
    if (!request.url().startsWith(service.url)) outside.push(request.url());
  });
  const paths = new Set<string>();
  for (const shelf of ['/docs', '/docs/install']) {
    await page.goto(service.url + shelf);
    const links: string[] = await page.evaluate(
      `[...document.querySelectorAll('.menu a')].map(link => link.getAttribute('href'))`,
    );
    for (const link of links) paths.add(link);
  }
  assert.ok(paths.size > 30);
  for (const path of paths) {
    await page.setViewportSize(phone.viewport!);
    await page.goto(service.url + path);
    for (const { viewport } of [phone, desktop]) {
      await page.setViewportSize(viewport!);
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(wider) <= 0, `${path} is ${wider} px wider than ${viewport!.width}`);
    }
  }
  assert.deepEqual(troubles, []);
  assert.deepEqual(outside, []);
  await close();
});

test('axe finds nothing on the main pages, in light and in dark', async () => {
  const { page, close } = await browser.open(phone);
  for (const path of ['/docs', '/docs/for-owners-hi', '/docs/integration', '/docs/api', '/docs/going-live']) {
    await page.goto(service.url + path);
    assert.deepEqual(await accessibilityProblems(page), [], path);
  }
  await close();
});
