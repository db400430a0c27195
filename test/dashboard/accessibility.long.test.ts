import assert from 'node:assert/strict';
import { makeLink } from '../../src/business/accounts/links.ts';
import { beginTotp } from '../../src/business/accounts/set-up-totp.ts';
import { accessibilityProblems, desktop, openBrowser, phone, type TestBrowser } from '../support/browser.ts';
import { type FilledBusiness, fillBusiness } from '../support/dashboard-business.ts';
import { callAs, type DashboardSite, openDashboard } from '../support/dashboard-site.ts';
import { needs } from '../support/needs.ts';
import { openTestWorld, type TestWorld } from '../support/test-world.ts';

const { after, before, test } = needs('Chromium');

let world: TestWorld;
let site: DashboardSite;
let browser: TestBrowser;
let business: FilledBusiness;

before(async () => {
  world = await openTestWorld();
  site = await openDashboard(world);
  browser = await openBrowser();
  business = await fillBusiness(world);
  await beginTotp(world, business.users.owner);
});
after(async () => {
  await browser.stop();
  await site.stop();
  await world.stop();
});

const open = [
  '/dashboard/sign-in',
  '/dashboard/sign-in/code',
  '/dashboard/sign-up',
  '/dashboard/recover',
  '/dashboard/join/nope',
];
const own = [
  '/dashboard/account',
  '/dashboard/account/password',
  '/dashboard/account/two-step',
  '/dashboard/account/two-step/off',
  '/dashboard/account/passkeys',
  '/dashboard/confirm',
  '/dashboard/team',
  '/dashboard/team/invite',
  '/dashboard/settings',
  '/dashboard/statement',
  '/dashboard/settings/delete',
  '/dashboard/audit',
  '/dashboard/nothing-here',
];

for (const [name, size] of [
  ['phone', phone],
  ['desktop', desktop],
] as const) {
  test(`on a ${name} nothing is wider than the screen; on a phone axe finds nothing wrong, light and dark`, async () => {
    const { page, troubles, close } = await browser.open({ ...size, reducedMotion: 'reduce' });
    const paths = [...open];
    const link = await world.sql.begin(tx =>
      makeLink(tx, world, {
        merchant_id: business.merchantId,
        purpose: 'join',
        email: `${name}@x.example`,
        role: 'support',
        made_by: '',
      }),
    );
    paths.push(new URL(link).pathname, `/dashboard/team/members/${business.users.support.userId}`);
    const { token } = await callAs(site, world, business.users.owner);
    for (const path of [...paths, ...own]) {
      if (path === own[0] || path.includes('/members/'))
        await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
      await page.goto(site.origin + path);
      // The marks are the same at every width, and the widest is looked at in screens-browser: once is enough for axe.
      if (size === phone) assert.deepEqual(await accessibilityProblems(page), [], path);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(overflow) <= 0, `${path} is ${overflow} px too wide`);
    }
    assert.deepEqual(troubles, []);
    await close();
  });
}

test('everything can be reached with the keyboard: skip link first, then menu, then content', async () => {
  const { page, close } = await browser.open(desktop);
  const { token } = await callAs(site, world, business.users.owner);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(`${site.origin}/dashboard/account`);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');
  await close();
});

test('axe asks of a text it has passed no more, and of one that is fainter, or on another ground, again', async () => {
  const { page, close } = await browser.open({ ...phone, reducedMotion: 'reduce' });
  await page.goto(`${site.origin}/dashboard/sign-in`);
  assert.deepEqual(await accessibilityProblems(page), []);
  for (const faint of ['h1 { color: #999 }', 'h1 { opacity: 0.4 }', 'main { background: #333 }']) {
    await page.goto(`${site.origin}/dashboard/sign-in`);
    await page.evaluate(`document.styleSheets[0].insertRule('${faint.replace(' }', ' !important }')}')`);
    const found = await accessibilityProblems(page);
    assert.ok(
      found.some(problem => problem.startsWith('light: color-contrast: <h1')),
      `${faint}: ${found.join('\n')}`,
    );
  }
  await close();
});
