import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { minute, second } from '../../../src/base/clock.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { sealAgain } from '../../../src/operator/seal-again.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { callAs, openDashboard, type TestUser, testPassword } from '../../support/dashboard-site.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';
import { wrongCodes } from '../../support/wrong-codes.ts';

const [firstKey, secondKey] = [randomBytes(32), randomBytes(32)];

const world = use(openTestWorld);
prepare(async () => {
  world.secrets = secretBox([firstKey]);
});
const site = use(() => openDashboard(world));

const here = '/dashboard/account/two-step';

/** The code that the app on the phone shows now. */
function codeOf(secret: string): string {
  return totpOf(secret).generate({ timestamp: world.clock.now().getTime() });
}
const totpOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) });

async function setUp(user: TestUser): Promise<{ secret: string; codes: string[] }> {
  const person = await callAs(site, world, user);
  await person.post(`${here}/begin`);
  const page = await person.get(here);
  const secret = /id="totp-secret">(\w+)</.exec(page.body)![1]!;
  assert.match(page.body, /<svg/);
  const done = await person.post(here, { code: codeOf(secret) });
  assert.equal(done.statusCode, 200);
  return { secret, codes: [...done.body.matchAll(/<li><code>([\w-]+)<\/code>/g)].map(([, code]) => code!) };
}

/** Password first; returns the cookie of the half-open session. */
async function enterPassword(user: TestUser): Promise<string> {
  const stranger = await callAs(site, world, null);
  const answer = await stranger.post('/dashboard/sign-in', { email: user.email, password: testPassword });
  assert.match(String(answer.headers.location), /^\/dashboard\/sign-in\/code/);
  return String(answer.headers['set-cookie']).split(';')[0]!;
}

async function enterCode(cookie: string, code: string) {
  const stranger = await callAs(site, world, null);
  return await stranger.post('/dashboard/sign-in/code', { code }, { cookie });
}

test('with two-step sign-in the password opens nothing, the code opens, and the half-open session ends', async () => {
  const { users } = await fillMerchant(world);
  const { secret } = await setUp(users.owner);
  world.clock.advance(1 * minute);
  const half = await enterPassword(users.owner);
  const stranger = await callAs(site, world, null);
  assert.equal((await stranger.get('/dashboard/account', { cookie: half })).statusCode, 303);
  assert.equal((await enterCode(half, wrongCodes(totpOf(secret), world.clock.now())[0]!)).statusCode, 401);
  const opened = await enterCode(half, codeOf(secret));
  assert.equal(opened.headers.location, '/dashboard');
  const cookie = String(opened.headers['set-cookie']).split(';')[0]!;
  assert.notEqual(cookie, half);
  assert.equal((await stranger.get('/dashboard/account', { cookie })).statusCode, 200);
  assert.match(String((await enterCode(half, codeOf(secret))).headers.location), /said=again/);
});

test('a code works once; one step early or late is accepted, two are not', async () => {
  const { users } = await fillMerchant(world);
  const { secret } = await setUp(users.owner);
  world.clock.advance(1 * minute);
  const code = codeOf(secret);
  assert.equal((await enterCode(await enterPassword(users.owner), code)).statusCode, 303);
  assert.equal((await enterCode(await enterPassword(users.owner), code)).statusCode, 401);
  world.clock.advance(30 * second);
  const next = codeOf(secret);
  world.clock.advance(30 * second);
  assert.equal((await enterCode(await enterPassword(users.owner), next)).statusCode, 303);
  const old = codeOf(secret);
  world.clock.advance(1 * minute);
  assert.equal((await enterCode(await enterPassword(users.owner), old)).statusCode, 401);
});

test('six wrong codes lock the second step for a quarter of an hour, even for the right one', async () => {
  const { users } = await fillMerchant(world);
  const { secret } = await setUp(users.owner);
  world.clock.advance(1 * minute);
  const half = await enterPassword(users.owner);
  for (const wrong of wrongCodes(totpOf(secret), world.clock.now()).slice(0, 6))
    assert.equal((await enterCode(half, wrong)).statusCode, 401);
  assert.equal((await enterCode(half, codeOf(secret))).statusCode, 429);
  world.clock.advance(15 * minute);
  assert.equal((await enterCode(await enterPassword(users.owner), codeOf(secret))).statusCode, 303);
});

test('the right password waits ten minutes for the code, not longer', async () => {
  const { users } = await fillMerchant(world);
  const { secret } = await setUp(users.owner);
  const half = await enterPassword(users.owner);
  world.clock.advance(10 * minute + 1);
  assert.match(String((await enterCode(half, codeOf(secret))).headers.location), /said=again/);
});

test('each of ten recovery codes works once, in any notation, and the owner is notified', async () => {
  const { users, merchantId } = await fillMerchant(world);
  const { codes } = await setUp(users.owner);
  assert.equal(codes.length, 10);
  const [first = '', second = ''] = codes;
  assert.equal(
    (await enterCode(await enterPassword(users.owner), first.toUpperCase().replaceAll('-', ' '))).statusCode,
    303,
  );
  assert.equal((await enterCode(await enterPassword(users.owner), first)).statusCode, 401);
  assert.equal((await enterCode(await enterPassword(users.owner), second)).statusCode, 303);
  const notices =
    await world.sql`select from notices where merchant_id = ${merchantId} and facts -> 'deed' ->> 'code' = 'recovery_code_used'`;
  assert.equal(notices.length, 2);
  const person = await callAs(site, world, users.owner);
  assert.match((await person.get('/dashboard/account')).body, /8 recovery codes left/);
});

test('new recovery codes replace the old ones', async () => {
  const { users } = await fillMerchant(world);
  const { codes } = await setUp(users.owner);
  const person = await callAs(site, world, users.owner);
  const page = await person.post('/dashboard/account/recovery-codes');
  const fresh = [...page.body.matchAll(/<li><code>([\w-]+)<\/code>/g)].map(([, code]) => code!);
  assert.equal(fresh.length, 10);
  assert.equal((await enterCode(await enterPassword(users.owner), codes[0]!)).statusCode, 401);
  assert.equal((await enterCode(await enterPassword(users.owner), fresh[0]!)).statusCode, 303);
});

test('a wrong code switches nothing on, and the password alone still opens', async () => {
  const { users } = await fillMerchant(world);
  const person = await callAs(site, world, users.owner);
  await person.post(`${here}/begin`);
  assert.equal((await person.post(here, { code: '123456' })).statusCode, 400);
  const stranger = await callAs(site, world, null);
  const answer = await stranger.post('/dashboard/sign-in', {
    email: users.owner.email,
    password: testPassword,
  });
  assert.equal(answer.headers.location, '/dashboard');
});

test('with two-step sign-in off the password alone opens again, and the owner is notified', async () => {
  const { users, merchantId } = await fillMerchant(world);
  await setUp(users.owner);
  const person = await callAs(site, world, users.owner);
  assert.equal((await person.post(`${here}/off`)).statusCode, 303);
  const stranger = await callAs(site, world, null);
  const answer = await stranger.post('/dashboard/sign-in', {
    email: users.owner.email,
    password: testPassword,
  });
  assert.equal(answer.headers.location, '/dashboard');
  const notices =
    await world.sql`select from notices where merchant_id = ${merchantId} and facts -> 'deed' ->> 'code' = 'two_step_off'`;
  assert.equal(notices.length, 1);
});

test('the secret is sealed in the database, bound to its person', async () => {
  const { users } = await fillMerchant(world);
  const { secret } = await setUp(users.owner);
  await setUp(users.manager);
  const rows = await world.sql`select u::text as text from users u`;
  assert.ok(!rows.some(row => row['text'].includes(secret)));
  await world.sql`update users set totp_secret = (select totp_secret from users where user_id = ${users.owner.userId})
    where user_id = ${users.manager.userId}`;
  world.clock.advance(1 * minute);
  assert.equal((await enterCode(await enterPassword(users.manager), codeOf(secret))).statusCode, 500);
});

test('a new key of the installation takes over the secrets, and the old key can be removed', async () => {
  // Nothing here reads mailboxes, and their credentials are not sealed by anybody.
  await world.sql`delete from mailboxes`;
  await world.sql`update users set totp_secret = null`;
  const { users } = await fillMerchant(world);
  await world.sql`delete from mailboxes`;
  const { secret } = await setUp(users.owner);
  world.secrets = secretBox([secondKey, firstKey]);
  assert.ok((await sealAgain(world)).sealed > 0);
  world.secrets = secretBox([secondKey]);
  world.clock.advance(1 * minute);
  assert.equal((await enterCode(await enterPassword(users.owner), codeOf(secret))).statusCode, 303);
});
