import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityProblems, desktop, openBrowser, phone, type TestBrowser } from '../support/browser.ts';
import { callAs } from '../support/dashboard-site.ts';
import { openEveryScreen, type Screen } from '../support/every-screen.ts';
import { needs } from '../support/needs.ts';

const { after, before, test } = needs('Chromium');

let dashboard: Awaited<ReturnType<typeof openEveryScreen>>;
let browser: TestBrowser;
before(async () => {
  dashboard = await openEveryScreen();
  browser = await openBrowser();
});
after(async () => {
  await browser?.stop();
  await dashboard?.stop();
});

test('axe finds nothing wrong with any screen, busy and empty, light and dark, phone and desktop', async () => {
  await walk(dashboard.screens, 'en', async (page, name, { small }) => {
    await axeAt(page, phone, name);
    // The elements of a small screen are the same at every width: once is enough for axe.
    await (small ? widthAt(page, desktop.viewport!.width, name) : axeAt(page, desktop, name));
    // A tablet both ways, and a desktop whose reader has doubled the size of everything.
    for (const width of [1024, 768, 640]) await widthAt(page, width, name);
  });
});

test('axe finds nothing wrong in Hindi, and nothing scrolls sideways, on phone and desktop', async () => {
  const screens = dashboard.screens.filter(({ hindi }) => hindi);
  await walk(screens, 'hi', async (page, name) => {
    await axeAt(page, phone, name);
    await widthAt(page, desktop.viewport!.width, name);
  });
});

test('everything can be reached with the keyboard: skip link, menu, then content', async () => {
  const account = dashboard.screens.filter(({ name }) => name === 'account');
  await walk(account, 'en', async page => {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
  });
});

test('axe does not check a passed text again, but checks a fainter one or one on another background', async () => {
  const { page, close } = await browser.open({ ...phone, reducedMotion: 'reduce' });
  const signIn = `${dashboard.site.origin}/dashboard/sign-in`;
  await page.goto(signIn);
  assert.deepEqual(await accessibilityProblems(page), []);
  for (const faint of ['h1 { color: #999 }', 'h1 { opacity: 0.4 }', 'main { background: #333 }']) {
    await page.goto(signIn);
    await page.evaluate(`document.styleSheets[0].insertRule('${faint.replace(' }', ' !important }')}')`);
    const found = await accessibilityProblems(page);
    assert.ok(
      found.some(problem => problem.startsWith('light: color-contrast: <h1')),
      `${faint}: ${found.join('\n')}`,
    );
  }
  await close();
});

/** Each person looks at their screens in one browser context. */
async function walk(
  screens: readonly Screen[],
  language: 'en' | 'hi',
  look: (page: Page, name: string, screen: Screen) => Promise<void>,
): Promise<void> {
  for (const [who, theirs] of Map.groupBy(screens, screen => screen.who)) {
    const opened = await browser.open({ ...phone, locale: `${language}-IN`, reducedMotion: 'reduce' });
    const { page, troubles, close } = opened;
    const { token } = await callAs(dashboard.site, dashboard.world, who);
    if (who) await page.context().addCookies([{ name: 'milaan', value: token, url: dashboard.site.origin }]);
    for (const screen of theirs) {
      await page.setViewportSize(phone.viewport!);
      await page.goto(dashboard.site.origin + screen.path);
      await screen.before?.(page);
      await look(page, `${screen.name} in ${language}`, screen);
    }
    assert.deepEqual(troubles, []);
    await close();
  }
}

async function axeAt(page: Page, { viewport }: typeof phone, name: string): Promise<void> {
  await widthAt(page, viewport!.width, name);
  assert.deepEqual(await accessibilityProblems(page), [], `${name}, ${viewport!.width} px`);
}

async function widthAt(page: Page, width: number, name: string): Promise<void> {
  await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  assert.equal(isWide, false, `${name} scrolls sideways at ${width} px`);
}
