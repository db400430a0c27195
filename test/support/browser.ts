import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type Fonts, fontsFile } from './fonts.ts';
import { install } from './install.ts';
import { chromiumPath, programs } from './needs.ts';
import { patience, waitFor } from './wait-for.ts';

/** Driven as a customer would. */
export type TestBrowser = {
  open(options?: BrowserContextOptions): Promise<TestPage>;
  stop(): Promise<void>;
};

type TestPage = {
  page: Page;
  /** Events that should never happen: CSP violations, uncaught errors, dialogs. */
  troubles: string[];
  close(): Promise<void>;
};

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 13; SM-A135F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
};
export const iphone: BrowserContextOptions = {
  ...phone,
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
};
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Runs in the page before anything else. Written as text: the types of the DOM stay out of the server's code. */
const reportViolations = `addEventListener('securitypolicyviolation', event => {
  console.error('violates ' + event.violatedDirective + ': ' + event.blockedURI);
})`;

type SharedBrowser = { url: string; stop(): Promise<void> };

/** Chromium's environment: a home of its own, and the fonts that the tests bring. */
export function browserEnvironment(home: string, fonts: Fonts = 'usual'): Record<string, string> {
  return { ...process.env, HOME: home, FONTCONFIG_FILE: fontsFile(fonts) } as Record<string, string>;
}

/** One Chromium for all test files; `MILAAN_TEST_BROWSER` has its address. Contexts keep their cookies and storage apart. */
export async function shareBrowser(fonts?: Fonts): Promise<SharedBrowser> {
  install('pages need', programs.Chromium);
  const folder = mkdtempSync(join(tmpdir(), 'milaan-chromium-'));
  const server = await chromium.launchServer({
    executablePath: chromiumPath,
    host: '127.0.0.1',
    timeout: patience,
    args: browserArguments,
    env: browserEnvironment(folder, fonts),
  });
  return {
    url: server.wsEndpoint(),
    async stop() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type OpenOptions = {
  /** Milliseconds before every step, for a drill at a person's pace. */
  slowMo?: number;
  /** Others than the shared browser has. */
  fonts?: Fonts;
};

export async function openBrowser({ slowMo = 0, fonts }: OpenOptions = {}): Promise<TestBrowser> {
  const given = fonts ? undefined : process.env['MILAAN_TEST_BROWSER'];
  const shared = given ? { url: given, stop: async () => {} } : await shareBrowser(fonts);
  const browser = await chromium.connect(shared.url, { slowMo });
  return {
    async open(options = desktop) {
      const context = await browser.newContext({ locale: 'en-IN', ...options });
      context.setDefaultTimeout(patience);
      await context.addInitScript({ content: reportViolations });
      const page = await context.newPage();
      const troubles: string[] = [];
      page.on('pageerror', error => troubles.push(`uncaught: ${error.message}`));
      page.on('dialog', dialog => {
        troubles.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('console', message => {
        if (/content security policy|violates/i.test(message.text())) troubles.push(message.text());
      });
      return { page, troubles, close: () => context.close() };
    },
    async stop() {
      await browser.close();
      await shared.stop();
    },
  };
}

/** Half the size of the package's `source`, and each page loads it again. */
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const withAxe = new WeakMap<BrowserContext, number>();

/** The driver loads axe, so that the page's own policy stays as it is. Further pages of the context have it already. */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate<boolean>(`'axe' in globalThis`)) return;
  await page.evaluate(axe);
  const context = page.context();
  const times = (withAxe.get(context) ?? 0) + 1;
  withAxe.set(context, times);
  if (times === 2) await context.addInitScript({ content: `if (top === globalThis) {${axe}}` });
}

/** Texts whose contrast axe has passed in this process, as `textsOf` describes them. */
const passedTexts = new Set<string>();

/**
 * Runs in the page: every text in sight with all that its contrast follows from, which are its colour, size and
 * weight and the backgrounds behind it. A layer over the page has the background of its own class.
 */
const textsOf = `(() => {
  const grounds = new Map();
  const ground = element => {
    if (!element) return '';
    if (!grounds.has(element)) {
      const s = getComputedStyle(element);
      const own = [s.backgroundColor, s.backgroundImage, s.opacity, s.filter, s.mixBlendMode].join(' ')
        + (/static|relative/.test(s.position) ? '' : s.position + element.className);
      const below = ground(element.assignedSlot ?? element.parentElement ?? element.getRootNode().host);
      grounds.set(element, own === 'rgba(0, 0, 0, 0) none 1 none normal' ? below : own + '<' + below);
    }
    return grounds.get(element);
  };
  const all = root => [...root.querySelectorAll('*')]
    .flatMap(element => element.shadowRoot ? [element, ...all(element.shadowRoot)] : [element]);
  const texts = [];
  for (const element of all(document.body)) {
    const isText = /^(INPUT|TEXTAREA|SELECT|BUTTON)$/.test(element.tagName)
      || [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '');
    if (!isText || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const s = getComputedStyle(element);
    const look = [s.color, s.webkitTextFillColor, s.fontSize, s.fontWeight, s.textShadow, ground(element)].join(' | ');
    texts.push([element, look]);
  }
  return texts;
})()`;

/**
 * The problems that axe finds in the current page, in words: all in light mode, and only the contrast in dark mode.
 * Contrast is most of the work: a text that looks as one that axe has passed before, on any page, is not asked again.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // A text can be waited for before the page's styles are there.
  await page.waitForLoadState('load');
  await loadAxe(page);
  const problems: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = [...(await contrastProblems(page))];
    if (colorScheme === 'light')
      found.push(
        ...(await page.evaluate<string[]>(
          `axe.run({ resultTypes: ['violations'], preload: false, rules: { 'color-contrast': { enabled: false } } }).then(({ violations }) => ${inWords})`,
        )),
      );
    problems.push(...found.map(problem => `${colorScheme}: ${problem}`));
  }
  return problems;
}

const inWords = `violations.flatMap(({ id, nodes }) =>
  nodes.map(node => id + ': ' + node.html + ' ' + node.failureSummary))`;

async function contrastProblems(page: Page): Promise<string[]> {
  const looks = await page.evaluate<string[]>(
    `(globalThis.milaanTexts = ${textsOf}).map(([, look]) => look)`,
  );
  const fresh = [...looks.keys()].filter(at => !passedTexts.has(looks[at]!));
  if (fresh.length === 0) return [];
  const { found, passed } = await page.evaluate<{ found: string[]; passed: string[] }>(`(() => {
    const texts = globalThis.milaanTexts;
    const looks = new Map(texts);
    const among = { include: ${JSON.stringify(fresh)}.map(at => texts[at][0]) };
    return axe.run(among, {
      resultTypes: ['violations', 'passes'], preload: false, elementRef: true, runOnly: ['color-contrast'],
    }).then(({ violations, passes }) => ({
      found: ${inWords},
      passed: passes.flatMap(({ nodes }) => nodes.flatMap(node => looks.get(node.element) ?? [])),
    }));
  })()`);
  if (found.length === 0) for (const look of passed) passedTexts.add(look);
  return found;
}

/** The questions that the page has begun, by its own clock: how late we hear of them says nothing. */
export async function assertUnhurried(page: Page, path: string): Promise<void> {
  const times = await page.evaluate<number[]>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.includes('${path}')).map(one => one.startTime)`,
  );
  const mean = (times.at(-1)! - times[0]!) / (times.length - 1);
  assert.ok(times.length >= 3 && mean > 1_500, String(times));
}

/** All pages of a browser have one clipboard, those of other test files too: whoever lost theirs presses again. */
export async function untilCopied(page: Page, press: () => Promise<void>, text: string): Promise<void> {
  await waitFor(`“${text}” to be copied`, async () => {
    await press();
    return (await page.evaluate('navigator.clipboard.readText()')) === text;
  });
}

/** Simulates that the page's tab was hidden or shown, which a headless browser cannot do by itself. */
export async function turnTab(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'))`);
}

/** Larger letters, as a person sets them in the browser: `rem` follows, in rules and in media queries, for as long as the page is open. */
export async function setLetters(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: Math.round((16 * percent) / 100) } });
}
