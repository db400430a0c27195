import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { minute } from '../../../src/base/clock.ts';
import { sayTime } from '../../../src/texts/say-time.ts';
import { desktop, openBrowser, phone } from '../../support/browser.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { addTestUser, openDashboard, testPassword } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';

const { test, use } = needs('Chromium');

const origins: (string | undefined)[] = [];

const world = use(openTestWorld);
const site = use(() =>
  openDashboard(world, app => {
    app.addHook('onRequest', async request => {
      if (request.method === 'POST') origins.push(request.headers.origin);
    });
  }),
);
const browser = use(openBrowser);

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${site.origin}/dashboard/sign-in`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a person signs in, sees the business, and signs out', async () => {
  const { merchantId } = await addTestMerchant(world, { name: 'Chai & Co <b>' });
  const { email } = await addTestUser(world, merchantId, 'owner');
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(`${site.origin}/dashboard/search`);
  await page.waitForURL('**/dashboard/sign-in?next=%2Fdashboard%2Fsearch');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('do not go together').waitFor();
  assert.equal(await page.getByLabel('Email address').inputValue(), email);
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${site.origin}/dashboard/search`);
  await page.getByText('Chai & Co <b>').first().waitFor();
  await page.locator('.account-menu > summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/dashboard/sign-in');
  await page.goBack();
  await page.waitForURL('**/dashboard/sign-in**');
  assert.deepEqual(troubles, []);
  await close();
});

test('forms work in browsers without Sec-Fetch-Site, by the origin of the form', () => {
  assert.ok(origins.length > 0);
  assert.deepEqual([...new Set(origins)], [site.origin]);
});

test('two-step sign-in is set up with the app and asked for from then on', async () => {
  const { users } = await fillMerchant(world);
  const { page, troubles, close } = await browser.open(phone);
  await signIn(page, users.owner.email);
  await page.waitForURL(`${site.origin}/dashboard`);
  await page.goto(`${site.origin}/dashboard/account`);
  await page.getByRole('link', { name: 'Set it up' }).click();
  await page.getByRole('button', { name: 'Set it up' }).click();
  const secret = (await page.locator('#totp-secret').textContent())!;
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: world.clock.now().getTime() });
  await page.getByLabel('Code from your authenticator app').fill(code());
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await page.getByText('Two-step sign-in is on.').waitFor();
  assert.equal(await page.locator('.codes li').count(), 10);
  await page.context().clearCookies();
  world.clock.advance(1 * minute);
  await signIn(page, users.owner.email);
  await page.getByRole('heading', { name: 'The second step' }).waitFor();
  await page.getByLabel('Code from your authenticator app').fill(code());
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL(`${site.origin}/dashboard`);
  assert.deepEqual(troubles, []);
  await close();
});

test('a passkey is added, signs in without a password, gives a fresh sign-in, and does nothing once removed', async () => {
  const { users } = await fillMerchant(world);
  await world.sql`delete from passkeys where user_id = ${users.owner.userId}`;
  const { page, troubles, close } = await browser.open(desktop);
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, users.owner.email);
  await page.waitForURL(`${site.origin}/dashboard`);
  await page.goto(`${site.origin}/dashboard/account`);
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of this device').fill('Counter PC');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey is added.').waitFor();
  await page.getByText('Counter PC').waitFor();

  await page.context().clearCookies();
  await page.goto(`${site.origin}/dashboard/sign-in?next=/dashboard/team`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(`${site.origin}/dashboard/team`);

  world.clock.advance(11 * minute);
  await page.goto(`${site.origin}/dashboard/account/password`);
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(`${site.origin}/dashboard/account/password`);

  await page.goto(`${site.origin}/dashboard/account`);
  await page.getByRole('link', { name: 'Counter PC' }).click();
  await page.locator('li', { hasText: 'Counter PC' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByText('The passkey is removed').waitFor();
  await page.context().clearCookies();
  await page.goto(`${site.origin}/dashboard/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey was not accepted').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('unsigned facts that a browser reports about a new passkey are stored only if valid', async () => {
  const { users } = await fillMerchant(world);
  const { page, close } = await browser.open(desktop);
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.route('**/dashboard/account/passkeys', async route => {
    if (route.request().method() !== 'POST') return await route.continue();
    const form = new URLSearchParams(route.request().postData() ?? '');
    const answer = JSON.parse(form.get('response') ?? '{}');
    answer.response.transports = ['internal', '\u0000', 'x'.repeat(5000)];
    form.set('response', JSON.stringify(answer));
    await route.continue({ postData: form.toString() });
  });
  await signIn(page, users.support.email);
  await page.waitForURL(`${site.origin}/dashboard`);
  await page.goto(`${site.origin}/dashboard/account/passkeys`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey is added.').waitFor();
  const [row] = await world.sql<{ transports: string[] }[]>`
    select transports from passkeys where user_id = ${users.support.userId}`;
  assert.deepEqual(row!.transports, ['internal']);
  await close();
});

test('a passkey’s answer counts once, and never for another purpose or person', async () => {
  const [{ users }, other] = [await fillMerchant(world), await fillMerchant(world)];
  const answers: string[] = [];
  const { page, close } = await browser.open(desktop);
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, users.owner.email);
  await page.waitForURL(`${site.origin}/dashboard`);
  await page.goto(`${site.origin}/dashboard/account/passkeys`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey is added.').waitFor();
  await page.context().clearCookies();
  page.on('request', request => {
    const response = new URLSearchParams(request.postData() ?? '').get('response');
    if (response) answers.push(response);
  });
  await page.goto(`${site.origin}/dashboard/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(`${site.origin}/dashboard`);
  await close();
  const send = (path: string, fields: Record<string, string>, cookie = '') =>
    site.app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        cookie,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  const [answer = ''] = answers;
  assert.match(answer, /clientDataJSON/);
  assert.equal((await send('/dashboard/sign-in/passkey', { response: answer })).statusCode, 401);
  for (const junk of ['', 'null', '{}', '{"id":"x","response":{}}', '[]', answer.slice(0, -40)])
    assert.equal((await send('/dashboard/sign-in/passkey', { response: junk })).statusCode, 401, junk);
  assert.notEqual(users.owner.userId, other.users.owner.userId);
});

test('a session that is ended on one device has ended on the other', async () => {
  const { users } = await fillMerchant(world);
  await world.sql`delete from sessions where user_id = ${users.owner.userId}`;
  const mine = await browser.open(desktop);
  const lost = await browser.open(phone);
  for (const { page } of [mine, lost]) {
    await signIn(page, users.owner.email);
    await page.waitForURL(`${site.origin}/dashboard`);
  }
  await mine.page.goto(`${site.origin}/dashboard/account`);
  await mine.page.getByText('Chrome, Android').waitFor();
  await mine.page.locator('li', { hasText: 'Chrome, Android' }).getByRole('button', { name: 'End' }).click();
  await mine.page.getByText('The device is signed out.').waitFor();
  await lost.page.goto(`${site.origin}/dashboard/team`);
  await lost.page.waitForURL('**/dashboard/sign-in?**');
  await mine.close();
  await lost.close();
});

test('times are India’s wherever the viewer is, with UTC on hover', async () => {
  const { users } = await fillMerchant(world);
  const { page, close } = await browser.open({ ...desktop, timezoneId: 'America/New_York' });
  await signIn(page, users.owner.email);
  await page.clock.setFixedTime(world.clock.now());
  await page.goto(`${site.origin}/dashboard/team`);
  const time = page.locator('time').first();
  const iso = (await time.getAttribute('datetime'))!;
  assert.equal(await time.textContent(), sayTime('en', new Date(iso), 'full', world.clock.now()));
  assert.equal(await time.getAttribute('title'), iso);
  await close();
});

test('a person who chose Hindi reads Hindi everywhere', async () => {
  const { users } = await fillMerchant(world);
  const { page, close } = await browser.open(phone);
  await signIn(page, users.owner.email);
  await page.goto(`${site.origin}/dashboard/account`);
  await page.getByLabel('Language').selectOption('hi');
  await page
    .locator('form', { has: page.getByLabel('Language') })
    .getByRole('button')
    .click();
  await page.getByText('सहेजा गया।').waitFor();
  await page.goto(`${site.origin}/dashboard/team`);
  await page.getByRole('heading', { name: 'टीम' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'hi');
  await close();
});
