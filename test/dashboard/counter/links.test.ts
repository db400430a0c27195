import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { day, hour, minute } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/base/settings/config.ts';
import { sendMails } from '../../../src/outbox/mails/send-mails.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { callAs, openDashboard, testPassword } from '../../support/dashboard-site.ts';
import { startMailReceiver } from '../../support/mail-receiver.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const receiver = use(startMailReceiver);
const world = use(() => openTestWorld({ SMTP_URL: receiver.url, MAIL_FROM: 'Milaan <pay@example.in>' }));
const site = use(() => openDashboard(world));

/** Sends what is due and returns the link in the last mail to this address, or null when there is none. */
async function linkMailedTo(email: string): Promise<string | null> {
  const transport = createTransport({ url: receiver.url });
  while ((await sendMails(world, transport, 'Milaan <pay@example.in>')).sent > 0);
  transport.close();
  const mail = receiver.mails.findLast(({ to }) => to.includes(email));
  const text = mail?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return text ? (/http:\/\/localhost:\d+(\/dashboard\/\S+)/.exec(text)?.[1] ?? null) : null;
}

function withSettings(env: Record<string, string>): () => void {
  const before = world.config;
  const read = readConfig([], { RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ...env });
  if ('problems' in read) throw new Error(read.problems.join());
  world.config = read.config;
  return () => {
    world.config = before;
  };
}

test('recovery: a mailed link opens once, ends every session, and the second factor stays', async () => {
  const { users, merchantId } = await fillMerchant(world);
  const { email } = users.support;
  const elsewhere = await callAs(site, world, users.support);
  const stranger = await callAs(site, world, null);
  const asked = await stranger.post('/dashboard/recover', { email: email.toUpperCase() });
  const link = (await linkMailedTo(email))!;
  assert.match(link, /^\/dashboard\/recover\/\w{52}$/);
  const unknown = await stranger.post('/dashboard/recover', { email: 'nobody@shop.example' });
  assert.equal(asked.body.replaceAll(email, ''), unknown.body.replaceAll('nobody@shop.example', ''));
  assert.equal(await linkMailedTo('nobody@shop.example'), null);
  assert.equal((await stranger.get(link)).statusCode, 200);
  assert.equal((await stranger.post(link, { password: 'short' })).statusCode, 400);
  const done = await stranger.post(link, { password: 'a wholly new password' });
  assert.equal(done.headers.location, '/dashboard/sign-in?said=chosen');
  assert.equal((await elsewhere.get('/dashboard/account')).statusCode, 303);
  assert.equal((await stranger.get(link)).statusCode, 410);
  assert.equal((await stranger.post(link, { password: 'yet another password' })).statusCode, 410);
  const entered = await stranger.post('/dashboard/sign-in', { email, password: 'a wholly new password' });
  assert.equal(entered.headers.location, '/dashboard');
  const rows =
    await world.sql`select from notices where merchant_id = ${merchantId} and facts -> 'deed' ->> 'code' = 'password_recovered'`;
  assert.equal(rows.length, 1);
});

test('a recovery link ends after an hour, and with every change of the password', async () => {
  const { users } = await fillMerchant(world);
  const stranger = await callAs(site, world, null);
  await stranger.post('/dashboard/recover', { email: users.owner.email });
  const old = (await linkMailedTo(users.owner.email))!;
  world.clock.advance(1 * hour);
  assert.equal((await stranger.get(old)).statusCode, 410);
  await stranger.post('/dashboard/recover', { email: users.owner.email });
  const stolen = (await linkMailedTo(users.owner.email))!;
  const owner = await callAs(site, world, users.owner);
  await owner.post('/dashboard/account/password', { password: 'another good password' });
  assert.equal((await stranger.get(stolen)).statusCode, 410);
});

test('the database holds neither the link nor the mail that carries it', async () => {
  const { users } = await fillMerchant(world);
  const stranger = await callAs(site, world, null);
  await stranger.post('/dashboard/recover', { email: users.owner.email });
  const waiting = await world.sql`select m::text as text from mails m where recipient = ${users.owner.email}`;
  const link = (await linkMailedTo(users.owner.email))!;
  const token = link.split('/').at(-1)!;
  assert.ok(!waiting.some(row => row['text'].includes(token)));
  const links = await world.sql`select l::text as text from account_links l`;
  assert.ok(!links.some(row => row['text'].includes(token)));
  const sent = await world.sql`select sealed_text from mails where recipient = ${users.owner.email}`;
  assert.equal(sent[0]!['sealed_text'], null);
});

test('recovery mails are limited per person', async () => {
  const { users } = await fillMerchant(world);
  const stranger = await callAs(site, world, null);
  const statuses = [];
  for (let at = 0; at < 7; at++)
    statuses.push((await stranger.post('/dashboard/recover', { email: users.owner.email })).statusCode);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
});

test('a failing mail server is tried again', async () => {
  const { users } = await fillMerchant(world);
  await (await callAs(site, world, null)).post('/dashboard/recover', { email: users.owner.email });
  const nobody = createTransport({ url: 'smtp://127.0.0.1:1', connectionTimeout: 1000 });
  assert.equal((await sendMails(world, nobody, 'Milaan <pay@example.in>')).sent, 0);
  nobody.close();
  assert.equal(await linkMailedTo(users.owner.email), null);
  world.clock.advance(1 * minute);
  assert.match((await linkMailedTo(users.owner.email))!, /recover/);
});

test('a team grows by invitation: the link gives exactly its role, once', async () => {
  const merchant = await fillMerchant(world);
  const owner = await callAs(site, world, merchant.users.owner);
  const email = `new-${merchant.merchantId}@shop.example`;
  const made = await owner.post('/dashboard/team/invite', { email, role: 'developer' });
  const link = /id="invitation">http:\/\/localhost:\d+([^<]+)</.exec(made.body)![1]!;
  assert.equal(await linkMailedTo(email), link);
  const guest = await callAs(site, world, null);
  assert.match((await guest.get(link)).body, new RegExp(`Join ${merchant.name}`));
  const joined = await guest.post(link, { password: 'the password of a guest', role: 'owner' });
  assert.equal(joined.headers.location, '/dashboard');
  const [row] = await world.sql`select role, merchant_id from users where email = ${email}`;
  assert.deepEqual({ ...row }, { role: 'developer', merchant_id: merchant.merchantId });
  assert.equal((await guest.post(link, { password: 'the password of a guest' })).statusCode, 410);
});

test('an invitation that was withdrawn or is a week old opens nothing, and an address is invited once', async () => {
  const merchant = await fillMerchant(world);
  const owner = await callAs(site, world, merchant.users.owner);
  const guest = await callAs(site, world, null);
  const invite = async (email: string) => {
    const made = await owner.post('/dashboard/team/invite', { email, role: 'support' });
    return /id="invitation">http:\/\/localhost:\d+([^<]+)</.exec(made.body)?.[1] ?? '';
  };
  const first = await invite('twice@shop.example');
  const second = await invite('twice@shop.example');
  assert.equal((await guest.get(first)).statusCode, 410);
  assert.equal((await guest.get(second)).statusCode, 200);
  const id = merchant.examples['linkid']!;
  assert.equal((await owner.post(`/dashboard/team/invitations/${id}/withdraw`)).statusCode, 303);
  assert.doesNotMatch((await owner.get('/dashboard/team')).body, new RegExp(id));
  world.clock.advance(7 * day);
  assert.equal((await guest.get(second)).statusCode, 410);
  const again = await callAs(site, world, merchant.users.owner);
  const taken = await again.post('/dashboard/team/invite', {
    email: merchant.users.manager.email,
    role: 'owner',
  });
  assert.equal(taken.statusCode, 409);
});

test('an invitation does not tell whether the address has an account with another business', async () => {
  const merchant = await fillMerchant(world);
  const elsewhere = await fillMerchant(world);
  const owner = await callAs(site, world, merchant.users.owner);
  const { email } = elsewhere.users.support;
  const made = await owner.post('/dashboard/team/invite', { email, role: 'support' });
  assert.equal(made.statusCode, 200);
  const link = /id="invitation">http:\/\/localhost:\d+([^<]+)</.exec(made.body)![1]!;
  const guest = await callAs(site, world, null);
  const joined = await guest.post(link, { password: testPassword });
  assert.equal(joined.statusCode, 409);
});

test('the last owner can be neither removed nor given a lower role, also when two try at once', async () => {
  const merchant = await fillMerchant(world);
  const { owner, manager } = merchant.users;
  const caller = await callAs(site, world, owner);
  const member = (user: { userId: string }, what: string) => `/dashboard/team/members/${user.userId}/${what}`;
  assert.equal((await caller.post(member(owner, 'role'), { role: 'auditor' })).statusCode, 409);
  assert.equal((await caller.post(member(owner, 'remove'))).statusCode, 409);
  assert.equal((await caller.post(member(manager, 'role'), { role: 'owner' })).statusCode, 303);
  const other = await callAs(site, world, manager);
  await Promise.all([caller.post(member(manager, 'remove')), other.post(member(owner, 'remove'))]);
  const owners =
    await world.sql`select from users where merchant_id = ${merchant.merchantId} and role = 'owner'`;
  assert.equal(owners.length, 1);
});

test('a removed member has no access at the next click', async () => {
  const merchant = await fillMerchant(world);
  const owner = await callAs(site, world, merchant.users.owner);
  const support = await callAs(site, world, merchant.users.support);
  assert.equal((await support.get('/dashboard/account')).statusCode, 200);
  assert.equal(
    (await owner.post(`/dashboard/team/members/${merchant.users.support.userId}/remove`)).statusCode,
    303,
  );
  assert.equal((await support.get('/dashboard/account')).statusCode, 303);
});

test('sign-up with mail: the link opens the business, and only a mail says that the address already has an account', async () => {
  const { users } = await fillMerchant(world);
  const stranger = await callAs(site, world, null);
  const asked = await stranger.post('/dashboard/sign-up', { name: 'Naya Dukaan', email: 'new@naya.example' });
  const known = await stranger.post('/dashboard/sign-up', { name: 'Naya Dukaan', email: users.owner.email });
  assert.equal(asked.body.replaceAll('new@naya.example', ''), known.body.replaceAll(users.owner.email, ''));
  assert.equal(await linkMailedTo(users.owner.email), '/dashboard/sign-in');
  const link = (await linkMailedTo('new@naya.example'))!;
  assert.match((await stranger.get(link)).body, /value="Naya Dukaan"/);
  const opened = await stranger.post(link, { name: 'Naya Dukaan', password: 'a password for the shop' });
  assert.equal(opened.headers.location, '/dashboard');
  const [row] = await world.sql`
    select u.role, m.name from users u join merchants m using (merchant_id) where u.email = 'new@naya.example'`;
  assert.deepEqual({ ...row }, { role: 'owner', name: 'Naya Dukaan' });
  assert.equal(
    (await stranger.post(link, { name: 'Zwei', password: 'a password for the shop' })).statusCode,
    410,
  );
});

test('a new owner goes back to the shop that sent them to connect, and nowhere else', async () => {
  const restore = withSettings({});
  const stranger = await callAs(site, world, null);
  const next = '/dashboard/connect?state=abc';
  const asked = (await stranger.get(`/dashboard/sign-in?next=${encodeURIComponent(next)}`)).body;
  const way = /href="(\/dashboard\/sign-up\?next=[^"]+)"/.exec(asked)?.[1] ?? '';
  assert.match((await stranger.get(way)).body, /name="next" value="\/dashboard\/connect\?state=abc"/);
  const fields = { name: 'Dukaan', password: 'a password for the shop' };
  for (const [number, [given, to]] of [
    [next, next],
    ['https://evil.example/dashboard', '/dashboard'],
  ].entries()) {
    const sent = { ...fields, email: `next-${number}@naya.example`, next: given! };
    assert.equal((await stranger.post('/dashboard/sign-up', sent)).headers.location, to);
  }
  restore();
});

test('sign-up without mail opens at once, and refuses an address that has an account', async () => {
  const restore = withSettings({});
  const { users } = await fillMerchant(world);
  const stranger = await callAs(site, world, null);
  const fields = { name: 'Dukaan', email: 'at-once@naya.example', password: 'a password for the shop' };
  assert.equal((await stranger.post('/dashboard/sign-up', fields)).headers.location, '/dashboard');
  assert.equal(
    (await stranger.post('/dashboard/sign-up', { ...fields, email: users.owner.email })).statusCode,
    409,
  );
  for (const bad of [
    { name: '' },
    { name: 'x'.repeat(121) },
    { name: 'a\u0007b' },
    { email: 'nope' },
    { password: 'short' },
  ])
    assert.equal(
      (await stranger.post('/dashboard/sign-up', { ...fields, email: 'b@naya.example', ...bad })).statusCode,
      400,
    );
  assert.match((await stranger.get('/dashboard/recover')).body, /sends no mails/);
  restore();
});

test('a live installation is closed unless SIGNUPS says otherwise; with invite only links open a business', async () => {
  const live = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: 'postgres://x/',
    SECRET_KEY: '00'.repeat(32),
  };
  const stranger = await callAs(site, world, null);
  const fields = { name: 'Dukaan', email: 'closed@naya.example', password: 'a password for the shop' };
  for (const env of [live, { ...live, SIGNUPS: 'invite' }, { SIGNUPS: 'closed' }]) {
    const restore = withSettings(env);
    assert.equal((await stranger.post('/dashboard/sign-up', fields)).statusCode, 403);
    assert.doesNotMatch((await stranger.get('/dashboard/sign-in')).body, /sign-up/);
    restore();
  }
  assert.equal((await world.sql`select from users where email = 'closed@naya.example'`).length, 0);
  const wrong = readConfig([], { SIGNUPS: 'maybe' });
  assert.ok(
    'problems' in wrong && /SIGNUPS must be one of open, approve, invite, closed/.test(wrong.problems.join()),
  );
});

test('the audit log has all of these steps, and no secret', async () => {
  type Row = { text: string; action: string };
  const rows = await world.sql<Row[]>`select a::text as text, action from audit_log a`;
  const text = rows.map(row => row.text).join('\n');
  const audited = new Set(rows.map(row => row.action));
  for (const done of ['invite', 'join', 'remove', 'role']) assert.ok(audited.has(`member.${done}`), done);
  assert.ok(audited.has('password.recovered') && audited.has('business.open'));
  const passwords = [testPassword, 'a wholly new password', 'a password for the shop'];
  for (const secret of [...passwords, '/recover/', '/join/']) assert.ok(!text.includes(secret), secret);
});
