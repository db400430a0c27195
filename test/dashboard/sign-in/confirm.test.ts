import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { minute } from '../../../src/base/clock.ts';
import { beginTotp, finishTotp, pendingTotp } from '../../../src/business/accounts/second-factor.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { callAs, type TestUser, testPassword } from '../../support/dashboard-site.ts';
import { registrationAnswer } from '../../support/software-passkey.ts';
import { useDashboard } from '../../support/use-dashboard.ts';
import { wrongCodes } from '../../support/wrong-codes.ts';

const { world, site } = useDashboard();

const next = '/dashboard/account/two-step/off';
const password = testPassword;

/** Two-step sign-in as the screens switch it on; `code` is what the app on the phone shows now. */
async function withTwoSteps(
  user: TestUser,
): Promise<{ code(): string; wrong(): string[]; recoveryCodes: string[] }> {
  await beginTotp(world, user);
  const totp = new TOTP({ secret: Secret.fromBase32((await pendingTotp(world, user))!) });
  const code = () => totp.generate({ timestamp: world.clock.now().getTime() });
  const recoveryCodes = await world.sql.begin(tx => finishTotp(tx, world, user, code()));
  return { code, wrong: () => wrongCodes(totp, world.clock.now()), recoveryCodes: recoveryCodes! };
}

/** A session whose last proof is long ago. */
async function stale(user: TestUser) {
  const person = await callAs(site, world, user);
  world.clock.advance(10 * minute);
  return person;
}

const isFresh = async (person: Awaited<ReturnType<typeof stale>>) =>
  (await person.get('/dashboard/account/password')).statusCode === 200;

test('with two-step sign-in the password alone is no fresh sign-in and cannot switch it off', async () => {
  const { users } = await fillMerchant(world);
  const { code, wrong } = await withTwoSteps(users.manager);
  const person = await stale(users.manager);
  assert.match((await person.get('/dashboard/confirm')).body, /name="code"/);
  for (const given of [{}, { code: '' }, { code: wrong()[0]! }]) {
    const answer = await person.post('/dashboard/confirm', { next, password, ...given });
    assert.equal(answer.statusCode, 401);
    assert.match(answer.body, /This code is not right/);
  }
  assert.equal(await isFresh(person), false);
  const off = await person.post(next);
  assert.match(String(off.headers.location), /^\/dashboard\/confirm\?/);
  const right = await person.post('/dashboard/confirm', { next, password, code: code() });
  assert.equal(right.headers.location, next);
  assert.equal((await person.post(next)).headers.location, '/dashboard/account');
  assert.doesNotMatch((await person.get('/dashboard/confirm')).body, /name="code"/);
});

test('the code alone is no fresh sign-in, and a wrong password uses up no code', async () => {
  const { users } = await fillMerchant(world);
  const { code, recoveryCodes } = await withTwoSteps(users.manager);
  const person = await stale(users.manager);
  for (const spent of [code(), recoveryCodes[0]!]) {
    const wrong = { next, password: 'not my password', code: spent };
    const answer = await person.post('/dashboard/confirm', wrong);
    assert.equal(answer.statusCode, 401);
    assert.match(answer.body, /This is not your password/);
    assert.equal((await person.post('/dashboard/confirm', { next, password, code: spent })).statusCode, 303);
  }
});

test('a code counts once: after the sign-in it confirms nothing, and a recovery code confirms once', async () => {
  const { users, merchantId } = await fillMerchant(world);
  const { code, recoveryCodes } = await withTwoSteps(users.manager);
  const person = await stale(users.manager);
  const used = code();
  assert.equal((await person.post('/dashboard/confirm', { next, password, code: used })).statusCode, 303);
  assert.equal((await person.post('/dashboard/confirm', { next, password, code: used })).statusCode, 401);
  const [recovery = ''] = recoveryCodes;
  assert.equal((await person.post('/dashboard/confirm', { next, password, code: recovery })).statusCode, 303);
  assert.equal((await person.post('/dashboard/confirm', { next, password, code: recovery })).statusCode, 401);
  const notified = await world.sql`
    select from notices where merchant_id = ${merchantId} and facts -> 'deed' ->> 'code' = 'recovery_code_used'`;
  assert.equal(notified.length, 1);
});

test('wrong codes at sign-in and at the fresh sign-in count together, with one limit', async () => {
  const { users } = await fillMerchant(world);
  const { code, wrong } = await withTwoSteps(users.manager);
  const person = await stale(users.manager);
  const guess = (text: string) => person.post('/dashboard/confirm', { next, password, code: text });
  const answers = await Promise.all(wrong().map(guess));
  const statuses = answers.map(({ statusCode }) => statusCode).sort();
  assert.deepEqual(statuses, [...Array(6).fill(401), ...Array(4).fill(429)]);
  assert.equal((await guess(code())).statusCode, 429);
  const stranger = await callAs(site, world, null);
  const half = await stranger.post('/dashboard/sign-in', { email: users.manager.email, password });
  const cookie = String(half.headers['set-cookie']).split(';')[0]!;
  const atSignIn = await stranger.post('/dashboard/sign-in/code', { code: code() }, { cookie });
  assert.equal(atSignIn.statusCode, 429);
  world.clock.advance(15 * minute);
  assert.equal((await guess(code())).statusCode, 303);
});

test('a person with a passkey and no app confirms with the passkey, or by signing in again', async () => {
  const { users } = await fillMerchant(world);
  const person = await stale(users.owner);
  const page = await person.get(`/dashboard/confirm?next=${next}`);
  assert.doesNotMatch(page.body, /name="password"/);
  assert.match(page.body, /data-passkey="get"/);
  assert.equal((await person.post('/dashboard/confirm', { next, password })).statusCode, 401);
  assert.equal(await isFresh(person), false);
  const stranger = await callAs(site, world, null);
  const again = await stranger.post('/dashboard/sign-in', { email: users.owner.email, password });
  const cookie = String(again.headers['set-cookie']).split(';')[0]!;
  assert.equal((await stranger.get('/dashboard/account/password', { cookie })).statusCode, 200);
});

test('a new second factor ends the freshness of every other session', async () => {
  const { users } = await fillMerchant(world);
  const thief = await callAs(site, world, users.manager);
  const mine = await callAs(site, world, users.manager);
  await beginTotp(world, users.manager);
  const totp = new TOTP({ secret: Secret.fromBase32((await pendingTotp(world, users.manager))!) });
  assert.equal(await isFresh(thief), true);
  const code = totp.generate({ timestamp: world.clock.now().getTime() });
  assert.equal((await mine.post('/dashboard/account/two-step', { code })).statusCode, 200);
  assert.deepEqual([await isFresh(mine), await isFresh(thief)], [true, false]);
  const other = await callAs(site, world, users.support);
  const adding = await callAs(site, world, users.support);
  const path = '/dashboard/account/passkeys';
  const { challenge } = (await adding.post(`${path}/options`)).json<{ challenge: string }>();
  const response = registrationAnswer(challenge, site.origin);
  assert.equal((await adding.post(path, { name: 'Phone', response })).statusCode, 303);
  assert.deepEqual([await isFresh(adding), await isFresh(other)], [true, false]);
});
