import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { hour, minute } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { migrate } from '../../src/base/database/migrate.ts';
import { readPlans, storePlans } from '../../src/business/merchants/plans.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { fillMerchant } from '../support/dashboard-merchant.ts';
import { callAs, openDashboard, testPassword } from '../support/dashboard-site.ts';
import { startMailReceiver } from '../support/mail-receiver.ts';
import { openTestWorld } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const mails = use(startMailReceiver);
const world = use(() =>
  openTestWorld({
    TRUST_PROXY: 'yes',
    SIGNUPS: 'open',
    SMTP_URL: mails.url,
    MAIL_FROM: 'pay@milaan.example',
  }),
);
const site = use(() => openDashboard(world));

const from = (address: string) => ({ 'x-forwarded-for': address });

async function tryPassword(email: string, password: string, address: string): Promise<number> {
  const stranger = await callAs(site, world, null);
  return (await stranger.post('/dashboard/sign-in', { email, password }, from(address))).statusCode;
}

async function mailsQueuedFor(recipient: string): Promise<string[]> {
  const rows = await world.sql<{ subject: string }[]>`
    select subject from mails where recipient = ${recipient} and next_try_at is not null order by mail_id`;
  return rows.map(row => row.subject);
}

test('an address with a NUL is unknown like any other', async () => {
  const { users } = await fillMerchant(world);
  const owner = await callAs(site, world, users.owner);
  for (const path of ['/dashboard/orders/%00', '/dashboard/team/members/x%00y'])
    assert.equal((await owner.get(path)).statusCode, 404, path);
  for (const path of ['/dashboard/webhooks/%00/resend', '/dashboard/account/sessions/%00/end'])
    assert.equal((await owner.post(path)).statusCode, 404, path);
});

test('the address after sign-in may have any letter, and leads to the same page in a spelling that headers allow', async () => {
  const { users } = await fillMerchant(world);
  const owner = await callAs(site, world, users.owner);
  const ways = {
    '/dashboard/orders?id=₹5': '/dashboard/orders?id=%E2%82%B95',
    '/dashboard/\u0001x': '/dashboard/%01x',
    '/dashboard/../elsewhere': '/dashboard/account',
    '/dashboard/..//evil.example': '/dashboard/account',
  };
  for (const [next, to] of Object.entries(ways)) {
    const answer = await owner.post('/dashboard/account/language', { language: 'en', next });
    assert.equal(answer.statusCode, 303, next);
    assert.equal(answer.headers.location, to);
  }
});

test('a passkey answer that no table can store is a wrong answer', async () => {
  const { users } = await fillMerchant(world);
  const owner = await callAs(site, world, users.owner);
  for (const path of ['/dashboard/sign-in/passkey', '/dashboard/confirm/passkey']) {
    const response = JSON.stringify({ id: 'a\u0000', response: {} });
    assert.equal((await owner.post(path, { response })).statusCode, 401, path);
  }
});

test('people behind one dual-stack proxy have separate limits: a stranger uses up only his own guesses', async () => {
  const { users } = await fillMerchant(world);
  for (let guess = 0; guess < 61; guess++)
    await tryPassword(`nobody-${guess}@shop.example`, 'not the password', '::ffff:198.51.100.1');
  assert.equal(
    await tryPassword('nobody@shop.example', 'not the password', '::ffff:198.51.100.1'),
    429,
    'the stranger himself is stopped',
  );
  assert.equal(await tryPassword('nobody@shop.example', 'not the password', '198.51.100.1'), 429);
  assert.equal(await tryPassword(users.owner.email, testPassword, '::ffff:198.51.100.2'), 303);
});

test('one machine cannot lock an owner out: refused guesses count for nobody else', async () => {
  const { users } = await fillMerchant(world);
  for (let guess = 0; guess < 130; guess++)
    await tryPassword(users.owner.email, 'not the password', '198.51.100.9');
  assert.equal(await tryPassword(users.owner.email, testPassword, '198.51.100.9'), 429);
  assert.equal(await tryPassword(users.owner.email, testPassword, '198.51.100.10'), 303);
});

test('another spelling of the same address in the database gets no new guesses', async () => {
  // Most live databases fold İ to i; the one of the tests knows ASCII alone.
  const name = `unicode_${process.pid}`;
  const [server] = await world.sql<{ version: number }[]>`
    select current_setting('server_version_num')::int as version`;
  // The provider that is the same on every system exists from PostgreSQL 17.
  const provider =
    server!.version >= 170_000
      ? `locale_provider builtin builtin_locale 'C.UTF-8'`
      : `locale_provider libc locale 'C.UTF-8'`;
  await world.sql.unsafe(`create database ${name} template template0 ${provider}`);
  const url = new URL(world.databaseUrl);
  url.pathname = `/${name}`;
  const sql = connect(String(url), { most: 4 });
  const before = world.sql;
  try {
    await migrate(sql);
    await storePlans(sql, readPlans(null));
    world.sql = sql;
    const { users } = await fillMerchant(world);
    const email = users.operator.email.replace('shop.example', 'biz.in');
    await sql`update users set email = ${email} where user_id = ${users.operator.userId}`;
    const other = email.replace('biz.in', 'bİz.in');
    const [same] = await sql<{ same: boolean }[]>`select lower(${email}) = lower(${other}) as same`;
    assert.ok(same?.same, 'this database takes the two for one');
    assert.equal(await tryPassword(other, testPassword, '198.51.100.20'), 401);
    assert.equal(await tryPassword(email.toUpperCase(), testPassword, '198.51.100.20'), 303);
  } finally {
    world.sql = before;
    await sql.end();
    await world.sql.unsafe(`drop database if exists ${name} with (force)`);
  }
});

test('asking for accounts in somebody’s name does not prevent their password recovery', async () => {
  const { users } = await fillMerchant(world);
  const { email } = users.owner;
  const enemy = await callAs(site, world, null);
  for (let at = 0; at < 6; at++)
    await enemy.post('/dashboard/sign-up', { name: 'Shop', email }, from('198.51.100.30'));
  const asked = await enemy.post('/dashboard/recover', { email }, from('198.51.100.31'));
  assert.equal(asked.statusCode, 200);
  assert.equal((await mailsQueuedFor(email)).at(-1), 'A new password for Milaan');
});

test('invitations are limited per recipient, and no business can use us to mail the world', async () => {
  const { users } = await fillMerchant(world);
  const owner = await callAs(site, world, users.owner);
  const invite = async (email: string) =>
    (await owner.post('/dashboard/team/invite', { email, role: 'support' })).statusCode;
  const buried = [];
  for (let at = 0; at < 7; at++) buried.push(await invite('victim@elsewhere.example'));
  assert.deepEqual(buried, [200, 200, 200, 200, 200, 429, 429]);
  assert.equal((await mailsQueuedFor('victim@elsewhere.example')).length, 5);
  const all = [];
  for (let at = 0; at < 40; at++) all.push(await invite(`victim-${at}@elsewhere.example`));
  assert.ok(all.filter(status => status === 200).length <= 30);
});

test('the invitations of an owner who is removed or loses the role end too', async () => {
  for (const way of ['remove', 'role']) {
    const { users, merchantId } = await fillMerchant(world);
    const second = { ...users.manager, role: 'owner' as const };
    await world.sql`update users set role = 'owner' where merchant_id = ${merchantId} and user_id = ${second.userId}`;
    const enemy = await callAs(site, world, second);
    const email = `back-door-${merchantId}-${way}@elsewhere.example`;
    const invited = await enemy.post('/dashboard/team/invite', { email, role: 'owner' });
    const link = /(\/dashboard\/join\/\w{52})/.exec(invited.body)?.[1] ?? '';
    assert.notEqual(link, '');
    const owner = await callAs(site, world, users.owner);
    const path = `/dashboard/team/members/${second.userId}/${way}`;
    assert.equal((await owner.post(path, { role: 'support' })).statusCode, 303);
    const stranger = await callAs(site, world, null);
    assert.equal((await stranger.get(link)).statusCode, 410, way);
    assert.equal((await stranger.post(link, { password: 'a wholly new password' })).statusCode, 410, way);
  }
});

test('a person who loses a role or leaves the team is notified too; later notices go to those who remain', async () => {
  for (const way of ['remove', 'role']) {
    const { users, merchantId, name } = await fillMerchant(world);
    const thief = { ...users.manager, role: 'owner' as const };
    await world.sql`update users set role = 'owner' where merchant_id = ${merchantId} and user_id = ${thief.userId}`;
    const caller = await callAs(site, world, thief);
    const path = `/dashboard/team/members/${users.owner.userId}/${way}`;
    assert.equal((await caller.post(path, { role: 'support' })).statusCode, 303);
    const subjects = await mailsQueuedFor(users.owner.email);
    assert.equal(subjects.length, 1, way);
    assert.match(subjects[0]!, new RegExp(name));
  }
});

test('removing an extra alert address and adding it again buys no further mails to a stranger', async () => {
  const { users } = await fillMerchant(world);
  const owner = await callAs(site, world, users.owner);
  const extra = 'stranger@elsewhere.example';
  for (let at = 0; at < 8; at++) {
    await owner.post('/dashboard/mailbox/addresses', { extra });
    await owner.post('/dashboard/mailbox/addresses/remove', { address: extra });
  }
  assert.ok(mails.mails.filter(({ to }) => to.includes(extra)).length <= 5);
});

test('a mailbox test cannot be used to guess passwords: tries are limited per business and per mailbox', async () => {
  const attempt = async (caller: Awaited<ReturnType<typeof callAs>>, address: string) =>
    (
      await caller.post('/dashboard/mailbox', {
        provider: 'gmail',
        address,
        password: 'guessed password',
      })
    ).statusCode;
  const statuses = [];
  const [one, other] = [await fillMerchant(world), await fillMerchant(world)];
  const first = await callAs(site, world, one.users.owner);
  for (let at = 0; at < 21; at++) statuses.push(await attempt(first, 'victim@gmail.com'));
  assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([400]));
  assert.equal(statuses[20], 429);
  assert.equal(await attempt(first, 'another@gmail.com'), 429);
  const second = await callAs(site, world, other.users.owner);
  assert.equal(await attempt(second, 'victim@gmail.com'), 429);
  assert.equal(await attempt(second, 'own@gmail.com'), 400);
});

test('a single-use link or code works once, also for ten at the same moment, and the audit log stays one chain', async () => {
  const { users, merchantId } = await fillMerchant(world);
  const owner = await callAs(site, world, users.owner);
  await owner.post('/dashboard/account/two-step/begin');
  const setUp = await owner.get('/dashboard/account/two-step');
  const secret = /id="totp-secret"[^>]*>(\w+)</.exec(setUp.body)?.[1] ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = () => totp.generate({ timestamp: world.clock.now().getTime() });
  const on = await owner.post('/dashboard/account/two-step', { code: code() });
  const recovery = /<code>([a-z0-9-]{19})<\/code>/.exec(on.body)?.[1] ?? '';
  assert.notEqual(recovery, '');
  world.clock.advance(1 * minute);
  // Six: more are refused as guesses before anybody looks at them.
  const atOnce = (answer: string) =>
    Promise.all(
      Array.from({ length: 6 }, async () => {
        const half = await callAs(site, world, users.owner, { stage: 'code' });
        return (await half.post('/dashboard/sign-in/code', { code: answer })).headers.location;
      }),
    );
  for (const answer of [code(), recovery]) {
    const opened = (await atOnce(answer)).filter(location => location === '/dashboard');
    assert.equal(opened.length, 1, answer);
    world.clock.advance(1 * hour);
  }
  const inviting = await callAs(site, world, users.owner);
  const invited = await inviting.post('/dashboard/team/invite', {
    email: `ten-${merchantId}@shop.example`,
    role: 'auditor',
  });
  const link = /(\/dashboard\/join\/\w{52})/.exec(invited.body)?.[1] ?? '';
  const stranger = await callAs(site, world, null);
  const joined = await Promise.all(
    Array.from({ length: 10 }, () => stranger.post(link, { password: 'a wholly new password' })),
  );
  assert.deepEqual(joined.map(answer => answer.statusCode).sort(), [
    303,
    ...Array.from({ length: 9 }, () => 410),
  ]);
  const breaches = await findBreaches(world);
  assert.deepEqual(
    breaches.filter(breach => breach.startsWith('audit')),
    [],
  );
});
