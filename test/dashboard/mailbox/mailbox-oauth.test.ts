import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { credentialPlace } from '../../../src/alerts/mailboxes/open-login.ts';
import { minute } from '../../../src/base/clock.ts';
import { openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../../support/dashboard-site.ts';
import { type Dovecot, startDovecot } from '../../support/dovecot.ts';
import { needs } from '../../support/needs.ts';
import { openMailWorld, plainMail, storedMails, watch } from '../../support/test-mailbox.ts';
import { addTestMerchant, type TestWorld } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';

const { after, before, test } = needs('Chromium', 'Dovecot');

const address = 'shop@gmail.test.example';

/** An authorisation server with PKCE, as RFC 6749 and RFC 7636 describe it, that always says yes. */
const provider = {
  server: null as Server | null,
  url: '',
  codes: new Map<string, { challenge: string; redirect: string }>(),
  refresh: new Set<string>(),
  access: new Set<string>(),
  asked: 0,
};

async function answer(request: IncomingMessage): Promise<[status: number, body: object, location?: string]> {
  const url = new URL(request.url ?? '/', provider.url);
  let body = '';
  for await (const part of request) body += part;
  const form = new URLSearchParams(body);
  if (url.pathname === '/check')
    return [200, { active: provider.access.has(form.get('token') ?? ''), email: address }];
  if (url.pathname === '/authorize') {
    const asked = url.searchParams;
    assert.equal(asked.get('code_challenge_method'), 'S256');
    assert.equal(asked.get('client_id'), 'our-client');
    const code = randomBytes(8).toString('hex');
    const redirect = asked.get('redirect_uri') ?? '';
    provider.codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirect });
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return [302, {}, back.href];
  }
  provider.asked++;
  if (form.get('client_secret') !== 'our-secret') return [401, { error: 'invalid_client' }];
  if (form.get('grant_type') === 'authorization_code') {
    const known = provider.codes.get(form.get('code') ?? '');
    provider.codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (known?.challenge !== challenge || known.redirect !== form.get('redirect_uri'))
      return [400, { error: 'invalid_grant' }];
    return [200, tokens()];
  }
  return provider.refresh.has(form.get('refresh_token') ?? '')
    ? [200, tokens()]
    : [400, { error: 'invalid_grant' }];
}

function tokens() {
  const [access_token, refresh_token] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
  provider.access.add(access_token);
  provider.refresh.add(refresh_token);
  return { access_token, refresh_token, expires_in: 3600, token_type: 'Bearer' };
}

let world: TestWorld;
let site: DashboardSite;
let dovecot: Dovecot;
let browser: TestBrowser;

before(async () => {
  const server = createServer(async (request, response) => {
    const [status, body, location] = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  provider.server = server;
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [world, dovecot, browser] = await Promise.all([
    openMailWorld({ GOOGLE_CLIENT_ID: 'our-client', GOOGLE_CLIENT_SECRET: 'our-secret' }),
    startDovecot({ tokenCheck: `${provider.url}/check` }),
    openBrowser(),
  ]);
  Object.assign(world.config, { imapCa: dovecot.ca });
  world.dns.addresses.set(dovecot.host, ['127.0.0.1']);
  world.mailServices = {
    gmail: {
      host: dovecot.host,
      port: dovecot.port,
      authorizeUrl: `${provider.url}/authorize`,
      tokenUrl: `${provider.url}/token`,
    },
  };
  site = await openDashboard(world);
});
after(async () => {
  await Promise.all([browser?.stop(), site?.stop()]);
  await Promise.all([world?.stop(), dovecot?.stop()]);
  provider.server?.close();
});

const mailboxes = async (merchantId: number) =>
  await world.sql<{ address: string; provider: string; credential: string }[]>`
    select address, provider, credential from mailboxes where merchant_id = ${merchantId}`;

test('“Sign in with Google” goes to the provider and back, and the mailbox is read over XOAUTH2', async () => {
  const { merchantId } = await addTestMerchant(world);
  const { token } = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const { page, troubles, close } = await browser.open(phone);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(`${site.origin}/dashboard/mailbox`);
  await page.locator('#connect summary', { hasText: 'Google' }).click();
  await page.locator('#address-gmail').fill(address);
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  const back = page.waitForURL(`${site.origin}/dashboard/mailbox`);
  await page.getByRole('link', { name: 'Go on to Google' }).click();
  await back;
  await page.getByText('The mailbox is connected and is being read from now on.').waitFor();
  const [row] = await mailboxes(merchantId);
  assert.deepEqual([row?.address, row?.provider], [address, 'gmail']);
  const kept = JSON.parse(world.secrets.open(row!.credential, credentialPlace(merchantId)));
  // The newest of the provider's refresh tokens: trying the connection had used the first one.
  assert.equal(kept.refreshToken, [...provider.refresh].at(-1));
  // Signing in once more, as after a permission that was taken back, loses no folder.
  await world.sql`update mailboxes set extra_folders = ${['Junk']} where merchant_id = ${merchantId}`;
  await page.locator('#connect summary', { hasText: 'Google' }).click();
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  const again = page.waitForURL(`${site.origin}/dashboard/mailbox`);
  await page.getByRole('link', { name: 'Go on to Google' }).click();
  await again;
  const [folders] = await world.sql`select extra_folders from mailboxes where merchant_id = ${merchantId}`;
  assert.deepEqual(folders!['extra_folders'], ['Junk']);
  assert.deepEqual(troubles, []);
  await close();
  const watching = watch(world, dovecot, { tokenUrls: { gmail: `${provider.url}/token` } });
  try {
    await dovecot.deliver(address, plainMail({ to: address }));
    await until('the mail', async () => (await storedMails(world, merchantId)) === 1);
  } finally {
    await watching.stop();
  }
  const auditEntries = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${merchantId}`;
  assert.deepEqual(
    auditEntries.map(({ action }) => action),
    ['mailbox.connect', 'mailbox.connect'],
  );
});

test('an OAuth answer counts once, for the session and person that began it, and with a fresh sign-in', async () => {
  const { merchantId } = await addTestMerchant(world);
  const user = await addTestUser(world, merchantId, 'owner');
  const owner = await callAs(site, world, user);
  const setOut = async () => {
    const page = (await owner.post('/dashboard/mailbox/sign-in/gmail', { address: 'other@shop.example' }))
      .body;
    const href = new RegExp(`href="(${provider.url}/authorize[^"]+)"`).exec(page)?.[1] ?? '';
    const sent = await fetch(href.replaceAll('&amp;', '&'), { redirect: 'manual' });
    return (sent.headers.get('location') ?? '').slice(site.origin.length);
  };

  const callback = await setOut();
  const asked = provider.asked;
  // Another session of the same person; a colleague; somebody else's business.
  const colleague = await addTestUser(world, merchantId, 'manager');
  const elsewhere = await addTestUser(world, (await addTestMerchant(world)).merchantId, 'owner');
  for (const other of [user, colleague, elsewhere]) {
    const answer = await (await callAs(site, world, other)).get(callback);
    assert.equal(answer.headers.location, '/dashboard/mailbox');
  }
  assert.equal(provider.asked, asked, 'the provider was asked for nobody of them');

  await world.sql`
    update sessions set confirmed_at = ${new Date(Date.now() - 11 * minute)} where user_id = ${user.userId}`;
  const stale = await owner.get(callback);
  assert.equal(stale.headers.location, `/dashboard/confirm?next=${encodeURIComponent(callback)}`);
  assert.equal(provider.asked, asked);
  await world.sql`update sessions set confirmed_at = ${new Date()} where user_id = ${user.userId}`;

  // The token says that it is for another address than the one asked for, so the mail server refuses it.
  await owner.get(callback);
  assert.ok(provider.asked > asked);
  assert.match((await owner.get('/dashboard/mailbox')).body, /refused the login/);
  assert.deepEqual(await mailboxes(merchantId), []);

  const used = provider.asked;
  await owner.get(callback);
  assert.match((await owner.get('/dashboard/mailbox')).body, /did not work/);
  assert.equal(provider.asked, used, 'a state that came back once opens nothing');

  const next = new URL(await setOut(), site.origin);
  next.searchParams.set('code', 'stolen');
  await owner.get(next.pathname + next.search);
  assert.match((await owner.get('/dashboard/mailbox')).body, /permission to read this mailbox has ended/);
});

test('a mailbox and its line in the audit log are written together, or not at all', async () => {
  const { merchantId } = await addTestMerchant(world);
  const owner = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  await world.sql.unsafe(`
    create function no_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit today'; end $$;
    create trigger no_audit before insert on audit_log for each row execute function no_audit()`);
  try {
    const user = 'plain@shop.example';
    await dovecot.setPassword(user, 'app password');
    const { host, port } = dovecot;
    const settings = { provider: 'other', address: user, password: 'app password', host, port: String(port) };
    const connect = () => owner.post('/dashboard/mailbox', settings);
    assert.equal((await connect()).statusCode, 500);
    // A page of release 0.2.0 has a button that only tests.
    assert.equal((await owner.post('/dashboard/mailbox', { ...settings, act: 'test' })).statusCode, 200);
    assert.deepEqual(await mailboxes(merchantId), []);
    const tested = await owner.post('/dashboard/webhooks/test', { url: 'https://shop.example/hook' });
    assert.equal(tested.statusCode, 500);
    assert.equal((await world.sql`select from events where merchant_id = ${merchantId}`).length, 0);
    const proof = await owner.post('/dashboard/first-steps/proof');
    assert.equal(proof.statusCode, 500);
    assert.equal((await world.sql`select from orders where merchant_id = ${merchantId}`).length, 0);
    await world.sql.unsafe('drop trigger no_audit on audit_log');
    assert.equal((await connect()).statusCode, 303);
    assert.equal((await mailboxes(merchantId)).length, 1);
  } finally {
    await world.sql.unsafe('drop trigger if exists no_audit on audit_log; drop function no_audit()');
  }
});

test('a person who loses the right while a slow mail server is tested connects nothing', async () => {
  const ways = {
    removed: (userId: string) => world.sql`delete from users where user_id = ${userId}`,
    'made less': (userId: string) => world.sql`update users set role = 'support' where user_id = ${userId}`,
    'signed out': (userId: string) => world.sql`delete from sessions where user_id = ${userId}`,
    nothing: async () => {},
  };
  const mailbox = 'slow@chai.example';
  await dovecot.setPassword(mailbox, 'app password');
  const lookup = world.dns.lookupAddresses;
  for (const [way, happen] of Object.entries(ways)) {
    const { merchantId } = await addTestMerchant(world);
    const manager = await addTestUser(world, merchantId, 'manager');
    const caller = await callAs(site, world, manager);
    world.dns.lookupAddresses = async name => {
      await happen(manager.userId);
      return await lookup(name);
    };
    const answer = await caller.post('/dashboard/mailbox', {
      provider: 'other',
      address: mailbox,
      password: 'app password',
      host: dovecot.host,
      port: String(dovecot.port),
    });
    world.dns.lookupAddresses = lookup;
    assert.equal(answer.statusCode, way === 'nothing' ? 303 : 403, way);
    assert.equal((await mailboxes(merchantId)).length, way === 'nothing' ? 1 : 0, way);
  }
});
