import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { desktop, openBrowser, phone, type TestBrowser } from '../../test/support/browser.ts';
import { callAs } from '../../test/support/dashboard-site.ts';
import { everyPage } from '../../test/support/every-page.ts';
import { openEveryScreen, type Screen } from '../../test/support/every-screen.ts';
import { smallPng } from '../../test/support/small-png.ts';
import { openWidgetStage } from '../../test/support/widget-stage.ts';

type Look = { size: 'phone' | 'desktop'; scheme: 'light' | 'dark'; language?: 'hi' };

const looks: Look[] = [
  { size: 'phone', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
  { size: 'desktop', scheme: 'light' },
  { size: 'desktop', scheme: 'dark' },
];

/** Pixels; enough to see what the screen is about, and not one person's list of old sessions. */
const tallest = { phone: 3400, desktop: 1400 };

/** Every state of the payment page, the widget and the dashboard, to be looked at: NAME-SIZE-SCHEME.png. */
export async function takeScreenshots(folder: string, only: readonly string[] | undefined): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const isWanted = ({ name }: { name: string }) => only?.includes(name) ?? true;
  const save = (name: string, { size, scheme, language }: Look, picture: Buffer) =>
    writeFileSync(
      join(folder, `${name}${language ? '-hindi' : ''}-${size}-${scheme}.png`),
      smallPng(picture),
    );

  const stage = await openWidgetStage();
  for (const state of (await everyPage(stage)).filter(isWanted))
    for (const look of looks) {
      const { page, close } = await openAt(stage.browser, look);
      await page.clock.install();
      await page.goto(state.path.startsWith('/') ? stage.site.origin + state.path : state.path);
      await state.before?.(page);
      save(state.name, look, await page.screenshot({ fullPage: true }));
      await close();
    }
  await stage.stop();

  const dashboard = await openEveryScreen();
  const browser = await openBrowser();
  for (const screen of dashboard.screens.filter(isWanted))
    for (const look of looksAt(screen)) {
      const { page, close } = await openAt(browser, look);
      const { token } = await callAs(dashboard.site, dashboard.world, screen.who);
      if (screen.who)
        await page.context().addCookies([{ name: 'milaan', value: token, url: dashboard.site.origin }]);
      await page.goto(dashboard.site.origin + screen.path);
      await screen.before?.(page);
      await showAll(page, look);
      save(`dashboard-${screen.name}`, look, await page.screenshot());
      await close();
    }
  await browser.stop();
  await dashboard.stop();
}

function looksAt({ small, hindi }: Screen): Look[] {
  return [
    ...looks.filter(({ size, scheme }) => !small || (size === 'phone') === (scheme === 'light')),
    ...(hindi ? [{ size: 'phone', scheme: 'light', language: 'hi' } as const] : []),
  ];
}

function openAt(browser: TestBrowser, { size, scheme, language = undefined }: Look) {
  return browser.open({
    ...(size === 'phone' ? { ...phone, deviceScaleFactor: 1 } : desktop),
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: `${language ?? 'en'}-IN`,
    timezoneId: 'Asia/Kolkata',
  });
}

async function showAll(page: Page, { size }: Look): Promise<void> {
  const wanted = Number(await page.evaluate('document.documentElement.scrollHeight'));
  const height = Math.max(Math.min(wanted, tallest[size]), 640);
  await page.setViewportSize({ width: size === 'phone' ? 360 : 1280, height });
}
