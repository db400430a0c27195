import assert from 'node:assert/strict';
import { phone, setLetters } from '../support/browser.ts';
import { owner, useBusyBrowser, visit } from '../support/busy-browser.ts';
import { needs } from '../support/needs.ts';

const { test } = needs('Chromium');

useBusyBrowser();

const small = { ...phone, viewport: { width: 360, height: 640 } };

test('with letters of 200 % nothing runs out of the page, of Home’s card or of the bar, and the shop’s name is read', async () => {
  const { page, go, close } = await visit(owner, small);
  await setLetters(page, 200);
  for (const path of ['', '/counter', '/payments', '/reports', '/shop']) {
    await go(`/dashboard${path}`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, path);
    const outside =
      await page.evaluate(`[...document.querySelectorAll('.hero :not(.plot *, .unseen), .places a:not(.brand) > span:not(.count)')]
      .filter(one => one.getBoundingClientRect().right > one.closest('.hero, .places a').getBoundingClientRect().right + 1
        && one.closest('.segments') === null).map(one => one.textContent)`);
    assert.deepEqual(outside, [], path);
    const { width } = (await page.locator('.shop bdi').boundingBox())!;
    assert.ok(width > 100, `${width}`);
  }
  await close();
});
