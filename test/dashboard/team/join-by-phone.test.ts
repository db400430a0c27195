import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { minute, second } from '../../../src/base/clock.ts';
import { StartError } from '../../../src/base/start-error.ts';
import { accountCommands } from '../../../src/operator/commands/account-commands.ts';
import { desktop, openBrowser, phone } from '../../support/browser.ts';
import { addTestUser, type Caller, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';

const { test, use } = needs('Chromium');

const world = use(() => openTestWorld({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@milaan.example' }));
const site = use(() => openDashboard(world));
const browser = use(openBrowser);
const password = 'seven green umbrellas';

async function openShop() {
  const { merchantId } = await addTestMerchant(world, { name: 'Chai Point' });
  const user = await addTestUser(world, merchantId, 'owner');
  return {
    merchantId,
    user,
    owner: await callAs(site, world, user),
    stranger: await callAs(site, world, null),
  };
}

const linkIn = (body: string) => new URL(/<code id="invitation">([^<]+)</.exec(body)![1]!).pathname;

async function invite(owner: Caller, name = 'Kiran'): Promise<string> {
  const { statusCode, body } = await owner.post('/dashboard/team/cashier', { name });
  assert.equal(statusCode, 200, body);
  return linkIn(body);
}

type Row = { user_id: string; email: string; name: string | null; role: string };
const people = (merchantId: number) =>
  world.sql<
    Row[]
  >`select user_id, email, name, role from users where merchant_id = ${merchantId} and role <> 'owner'`;

/** Joins with a password, as a phone without passkeys does, and returns what the phone then sends. */
async function join(stranger: Caller, link: string): Promise<{ cookie: string }> {
  const { statusCode, headers } = await stranger.post(link, { password });
  assert.equal(statusCode, 303);
  assert.equal(headers.location, '/dashboard/counter');
  return { cookie: String(headers['set-cookie']).split(';')[0]! };
}

async function addLock(page: Page): Promise<void> {
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
}

test('a cashier joins by the phone’s screen lock alone, and the owner ends that phone’s access and restores it', async () => {
  const { merchantId, user, owner } = await openShop();
  const shop = await browser.open(desktop);
  await shop.page.context().addCookies([{ name: 'milaan', value: owner.token, url: site.origin }]);
  await shop.page.goto(`${site.origin}/dashboard/team`);
  await shop.page.getByLabel('Name').fill('किरण');
  await shop.page.getByRole('button', { name: 'Show the QR' }).click();
  await shop.page.getByRole('img', { name: 'QR code to join the team' }).waitFor();
  const whatsapp = await shop.page.getByRole('link', { name: 'WhatsApp' }).getAttribute('href');
  const [link] = /http\S+$/.exec(new URL(whatsapp!).searchParams.get('text')!)!;

  const hand = await browser.open(phone);
  await addLock(hand.page);
  await hand.page.goto(link);
  await hand.page.getByText('किरण, you take payments at the counter.').waitFor();
  assert.equal((await people(merchantId)).length, 0, 'opening changes nothing');
  await hand.page.getByRole('button', { name: 'Join with my screen lock' }).click();
  await hand.page.waitForURL('**/dashboard/counter');
  const [cashier] = await people(merchantId);
  assert.equal(cashier!.name, 'किरण');
  assert.equal(cashier!.role, 'cashier');

  await hand.page.context().clearCookies();
  await hand.page.goto(`${site.origin}/dashboard/sign-in`);
  const unlock = () => hand.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await unlock();
  await hand.page.waitForURL('**/dashboard/counter');

  await shop.page.goto(`${site.origin}/dashboard/team`);
  await shop.page.getByRole('link', { name: 'किरण' }).click();
  await shop.page.getByText('Chrome, Android').first().waitFor();
  await shop.page.getByRole('button', { name: 'End' }).first().click();
  await shop.page.getByText('The phone is signed out').waitFor();
  await hand.page.goto(`${site.origin}/dashboard/counter`);
  await hand.page.waitForURL('**/dashboard/sign-in**');
  await unlock();
  await hand.page.getByText('This passkey was not accepted').waitFor();

  await shop.page.getByRole('button', { name: 'Show a new link' }).click();
  await shop.page
    .getByText('Invitation link')
    .or(shop.page.getByText('Let किरण scan this'))
    .first()
    .waitFor();
  const again = linkIn(await shop.page.content());
  await hand.page.goto(site.origin + again);
  await hand.page.getByRole('button', { name: 'Join with my screen lock' }).click();
  await hand.page.waitForURL('**/dashboard/counter');
  assert.deepEqual(await people(merchantId), [cashier], 'the same person');
  const log = await world.sql<{ action: string; actor: string; subject: string }[]>`
    select action, actor, subject from audit_log where merchant_id = ${merchantId} and action ~ '^member' order by seq`;
  assert.deepEqual(
    log.map(({ action, actor, subject }) => [action, actor, subject]),
    [
      ['member.invite', user.email, 'किरण'],
      ['member.join', cashier!.email, 'किरण'],
      ['member.end_device', user.email, 'किरण'],
      ['member.invite', user.email, 'किरण'],
      ['member.join', cashier!.email, 'किरण'],
    ],
  );
  assert.deepEqual([...shop.troubles, ...hand.troubles], []);
  await shop.close();
  await hand.close();
});

test('a phone that still has its passkey joins again by a new link', async () => {
  const { merchantId, owner } = await openShop();
  const hand = await browser.open(phone);
  await addLock(hand.page);
  const joinAt = async (link: string) => {
    await hand.page.goto(site.origin + link);
    await hand.page.getByRole('button', { name: 'Join with my screen lock' }).click();
    await hand.page.waitForURL('**/dashboard/counter');
  };
  await joinAt(await invite(owner));
  const [cashier] = await people(merchantId);
  await joinAt(linkIn((await owner.post(`/dashboard/team/members/${cashier!.user_id}/link`)).body));
  assert.deepEqual(await people(merchantId), [cashier]);
  assert.deepEqual(hand.troubles, []);
  await hand.close();
});

test('previews, views and a failed screen lock do not use up the link; the first press uses it up for everybody', async () => {
  const { merchantId, owner, stranger } = await openShop();
  const link = await invite(owner);
  for (const agent of ['WhatsApp/2.24', 'facebookexternalhit/1.1', 'Slackbot-LinkExpanding 1.0'])
    assert.equal((await stranger.get(link, { 'user-agent': agent })).statusCode, 200);
  const head = await site.app.inject({ method: 'HEAD', url: link });
  assert.equal(head.statusCode, 405);
  assert.equal((await stranger.post(`${link}/options`)).statusCode, 200);
  for (const response of ['', 'null', '{"id":"x","response":{}}'])
    assert.equal((await stranger.post(link, { response })).statusCode, 400);
  assert.equal((await stranger.post(link, { password: 'short' })).statusCode, 400);
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  assert.equal((await stranger.post(link, { password }, foreign)).statusCode, 403);
  assert.equal((await people(merchantId)).length, 0);

  const presses = await Promise.all(Array.from({ length: 6 }, () => stranger.post(link, { password })));
  assert.deepEqual(presses.map(({ statusCode }) => statusCode).sort(), [303, 410, 410, 410, 410, 410]);
  assert.equal((await people(merchantId)).length, 1);
  const [{ sessions }] = (await world.sql`
    select count(*) as sessions from sessions s join users u using (merchant_id, user_id)
    where merchant_id = ${merchantId} and u.role = 'cashier'`) as unknown as [{ sessions: number }];
  assert.equal(sessions, 1);
  assert.equal((await stranger.get(link)).statusCode, 410);
  assert.equal((await stranger.post(link, { password })).statusCode, 410);
  assert.equal((await stranger.post(`${link}/options`)).statusCode, 404);
});

test('the link ends after exactly fifteen minutes, and when it is withdrawn or its creator leaves', async () => {
  const { merchantId, owner, stranger } = await openShop();
  const start = world.clock.now();
  const link = await invite(owner);
  world.clock.set(new Date(start.getTime() + 15 * minute - 1 * second));
  assert.equal((await stranger.get(link)).statusCode, 200);
  world.clock.set(new Date(start.getTime() + 15 * minute));
  assert.equal((await stranger.get(link)).statusCode, 410);
  assert.equal((await stranger.post(link, { password })).statusCode, 410);
  world.clock.set(start);

  const withdrawn = await invite(owner, 'Asha');
  const [row] = await world.sql`
    select link_id from account_links where merchant_id = ${merchantId} and person = 'Asha'`;
  assert.match((await owner.get('/dashboard/team')).body, /<bdi>Asha<\/bdi>/);
  await owner.post(`/dashboard/team/invitations/${row!['link_id']}/withdraw`);
  assert.equal((await stranger.post(withdrawn, { password })).statusCode, 410);

  const other = await addTestUser(world, merchantId, 'owner');
  const left = await invite(await callAs(site, world, other));
  await owner.post(`/dashboard/team/members/${other.userId}/remove`);
  assert.equal((await stranger.post(left, { password })).statusCode, 410);
  assert.equal((await people(merchantId)).length, 0);
});

test('a person without a mail address stays a cashier, whoever asks', async () => {
  const { merchantId, owner, stranger } = await openShop();
  await join(stranger, await invite(owner));
  const [cashier] = await people(merchantId);
  const own = `/dashboard/team/members/${cashier!.user_id}`;
  assert.doesNotMatch((await owner.get(own)).body, /name="role"/);
  for (const role of ['owner', 'manager', 'support', 'developer', 'auditor'])
    assert.equal((await owner.post(`${own}/role`, { role })).statusCode, 409, role);
  assert.equal((await people(merchantId))[0]!.role, 'cashier');
  // The previous release knows nothing of this; the database does.
  await assert.rejects(
    world.sql`update users set role = 'manager' where user_id = ${cashier!.user_id}`,
    /users_without_mail/,
  );
  // Nobody else is given such an address, in any role.
  for (const email of [cashier!.email, 'boss@phone.invalid', 'Boss@PHONE.invalid'])
    assert.equal((await owner.post('/dashboard/team/invite', { email, role: 'owner' })).statusCode, 400);
  const manager = await callAs(site, world, await addTestUser(world, merchantId, 'manager'));
  assert.equal((await manager.post('/dashboard/team/cashier', { name: 'Kiran' })).statusCode, 403);
  assert.equal((await manager.post(`${own}/link`)).statusCode, 403);
  const another = await openShop();
  for (const path of [own, `${own}/remove`]) assert.equal((await another.owner.get(path)).statusCode, 404);
  assert.equal((await another.owner.post(`${own}/link`)).statusCode, 404);
});

test('no mail is sent to a person without an address, and only a new link gives them a password', async () => {
  const { merchantId, owner, stranger } = await openShop();
  const { cookie } = await join(stranger, await invite(owner));
  const [cashier] = await people(merchantId);
  const { email } = cashier!;
  assert.equal((await stranger.post('/dashboard/recover', { email })).statusCode, 400);
  const reset = accountCommands['reset-password'];
  assert.ok(reset?.needs === 'database');
  await assert.rejects(reset.run(world, { email }), StartError);
  const signedIn = await stranger.post('/dashboard/sign-in', { email, password });
  assert.equal(signedIn.headers.location, '/dashboard/counter', 'the password of the phone still opens it');
  await owner.post(`/dashboard/team/members/${cashier!.user_id}/remove`);
  const mails = await world.sql`
    select recipient from mails where merchant_id = ${merchantId} and next_try_at is not null and recipient like '%invalid'`;
  assert.deepEqual([...mails], []);
  assert.match(String((await stranger.get('/dashboard/counter', { cookie })).headers.location), /sign-in/);
  assert.equal((await stranger.post('/dashboard/sign-in', { email, password })).statusCode, 401);
});

test('a cashier’s stolen cookie opens only the counter, and ends with the device', async () => {
  const { merchantId, owner, stranger } = await openShop();
  const { cookie } = await join(stranger, await invite(owner));
  const [cashier] = await people(merchantId);
  const counter = (await stranger.get('/dashboard/counter', { cookie })).body;
  assert.match(counter, /<bdi>Kiran<\/bdi><br><span class="quiet">Cashier</);
  for (const path of [
    'team',
    'shop',
    'shop/bank',
    'shop/customers',
    'integrations',
    'orders',
    'audit',
    'plan',
  ])
    assert.equal((await stranger.get(`/dashboard/${path}`, { cookie })).statusCode, 403, path);
  assert.equal(
    (await stranger.post('/dashboard/team/cashier', { name: 'Me too' }, { cookie })).statusCode,
    403,
  );
  const own = `/dashboard/team/members/${cashier!.user_id}`;
  assert.equal((await stranger.post(`${own}/role`, { role: 'owner' }, { cookie })).statusCode, 403);
  world.clock.advance(11 * minute);
  const afresh = await stranger.get('/dashboard/account/passkeys', { cookie });
  assert.match(String(afresh.headers.location), /dashboard\/confirm/, 'a thief adds no passkey of their own');

  const device = {
    merchant_id: merchantId,
    user_id: cashier!.user_id,
    endpoint: 'https://push.example/1',
    p256dh: '',
    auth: '',
  };
  const [session] = await world.sql<{ session_id: string }[]>`
    select session_id from sessions where merchant_id = ${merchantId} and user_id = ${cashier!.user_id}`;
  await world.sql`insert into push_devices ${world.sql({ ...device, device_id: 'dev_1', session_id: session!.session_id, agent: '', created_at: world.clock.now() })}`;
  const again = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const page = (await again.get(own)).body;
  assert.ok(page.includes(`${own}/sessions/${session!.session_id}/end`));
  assert.equal((await again.post(`${own}/sessions/${session!.session_id}/end`)).statusCode, 303);
  assert.equal((await again.post(`${own}/sessions/${session!.session_id}/end`)).statusCode, 404);
  assert.match(String((await stranger.get('/dashboard/counter', { cookie })).headers.location), /sign-in/);
  assert.equal((await world.sql`select from push_devices where merchant_id = ${merchantId}`).length, 0);
  const { email } = cashier!;
  assert.equal((await stranger.post('/dashboard/sign-in', { email, password })).statusCode, 401);

  // A new link lets the same person in, once, and an older link of theirs is over.
  const first = linkIn((await again.post(`${own}/link`)).body);
  const link = linkIn((await again.post(`${own}/link`)).body);
  assert.equal((await stranger.post(first, { password })).statusCode, 410);
  await join(stranger, link);
  assert.deepEqual(await people(merchantId), [cashier]);
});
