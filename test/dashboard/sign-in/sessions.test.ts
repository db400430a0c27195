import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, minute } from '../../../src/base/clock.ts';
import { signIn } from '../../../src/business/accounts/sign-in.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { addTestUser, callAs, testPassword } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';
import { waitFor } from '../../support/wait-for.ts';

const { world, site } = useDashboard();

const cookieOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['set-cookie']);

test('over https the cookie is bound to the host, unreadable for scripts and never sent from other sites', async () => {
  const { users } = await fillMerchant(world);
  const http = world.baseUrl;
  world.baseUrl = 'https://pay.example.in';
  const stranger = await callAs(site, world, null);
  const answer = await stranger.post('/dashboard/sign-in', {
    email: users.owner.email,
    password: testPassword,
  });
  world.baseUrl = http;
  assert.match(
    cookieOf(answer),
    /^__Host-milaan=[0-9A-Za-z]{52}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test('on plain http, as in the sandbox, the cookie has neither the prefix nor Secure', async () => {
  const { users } = await fillMerchant(world);
  const stranger = await callAs(site, world, null);
  const answer = await stranger.post('/dashboard/sign-in', {
    email: users.owner.email,
    password: testPassword,
  });
  assert.match(
    cookieOf(answer),
    /^milaan=[0-9A-Za-z]{52}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
});

test('signing in again ends the session that the browser had before', async () => {
  const { users } = await fillMerchant(world);
  const browser = await callAs(site, world, users.owner);
  const elsewhere = await callAs(site, world, users.owner);
  const fields = { email: users.owner.email, password: testPassword };
  assert.equal((await browser.post('/dashboard/sign-in', fields)).statusCode, 303);
  assert.match(String((await browser.get('/dashboard')).headers.location), /sign-in/);
  assert.equal((await elsewhere.get('/dashboard')).statusCode, 200);
});

test('every sign-in creates a new token, and the database never has one', async () => {
  const { users } = await fillMerchant(world);
  const stranger = await callAs(site, world, null);
  const fields = { email: users.owner.email, password: testPassword };
  const tokens = [];
  for (let at = 0; at < 2; at++)
    tokens.push(/milaan=(\w+)/.exec(cookieOf(await stranger.post('/dashboard/sign-in', fields)))![1]!);
  assert.notEqual(tokens[0], tokens[1]);
  const rows = await world.sql`select s::text as text from sessions s`;
  assert.ok(rows.length > 0);
  for (const token of tokens) assert.ok(!rows.some(row => row['text'].includes(token)));
});

test('a session without its row in the audit log does not exist: if the row cannot be written, nobody is signed in', async () => {
  const { merchantId, users } = await fillMerchant(world);
  await world.sql.unsafe(`
    create function refuse_audit() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger refuse_audit before insert on audit_log
      for each row when (new.merchant_id = ${merchantId}) execute function refuse_audit()`);
  const count = async () => (await world.sql`select from sessions where merchant_id = ${merchantId}`).length;
  const before = await count();
  const stranger = await callAs(site, world, null);
  const fields = { email: users.manager.email, password: testPassword };
  const answer = await stranger.post('/dashboard/sign-in', fields);
  assert.equal(answer.statusCode, 500);
  assert.equal(answer.headers['set-cookie'], undefined);
  assert.equal(await count(), before);
  await world.sql.unsafe('drop trigger refuse_audit on audit_log');
  assert.equal((await stranger.post('/dashboard/sign-in', fields)).statusCode, 303);
  assert.equal(await count(), before + 1);
});

test('a planted cookie does not become a session by signing in', async () => {
  const { users } = await fillMerchant(world);
  const planted = await callAs(site, world, users.auditor);
  const answer = await planted.post('/dashboard/sign-in', {
    email: users.owner.email,
    password: testPassword,
  });
  assert.ok(!cookieOf(answer).includes(planted.token));
});

test('a session ends after a week without use, and after a month in any case', async () => {
  const { users } = await fillMerchant(world);
  const start = world.clock.now();
  const idle = await callAs(site, world, users.owner);
  const busy = await callAs(site, world, users.owner);
  for (let at = 0; at < 5; at++) {
    assert.equal((await busy.get('/dashboard/account')).statusCode, 200);
    world.clock.advance(6 * day);
  }
  assert.equal((await idle.get('/dashboard/account')).statusCode, 303);
  assert.equal((await busy.get('/dashboard/account')).statusCode, 303);
  world.clock.set(start);
});

test('a person sees their sessions, ends one, ends all others, and each ends at once', async () => {
  const { users } = await fillMerchant(world);
  const here = await callAs(site, world, users.manager);
  const there = await callAs(site, world, users.manager);
  const elsewhere = await callAs(site, world, users.manager);
  const [first] = await world.sql<{ session_id: string }[]>`
    select session_id from sessions where user_id = ${users.manager.userId} order by created_at, session_id`;
  assert.ok(first);
  const page = await here.get('/dashboard/account');
  assert.equal(page.body.match(/\/dashboard\/account\/sessions\/ses_\w+\/end"/g)!.length, 2);
  const id = /sessions\/(ses_\w+)\/end"/.exec(page.body)![1]!;
  assert.equal((await here.post(`/dashboard/account/sessions/${id}/end`)).statusCode, 303);
  const left = async () =>
    (await Promise.all([there, elsewhere].map(caller => caller.get('/dashboard/account')))).filter(
      answer => answer.statusCode === 200,
    ).length;
  assert.equal(await left(), 1);
  assert.match((await here.get('/dashboard/account')).body, /The device is signed out/);
  assert.equal((await here.post('/dashboard/account/sessions/end-others')).statusCode, 303);
  assert.equal(await left(), 0);
  assert.equal((await here.get('/dashboard/account')).statusCode, 200);
});

test('five sessions are shown, this one first, and the others are folded', async () => {
  const { users } = await fillMerchant(world);
  const here = await callAs(site, world, users.manager);
  world.clock.advance(1 * minute);
  for (let n = 0; n < 6; n++) await (await callAs(site, world, users.manager)).get('/dashboard/account');
  const [shown = '', folded = ''] = (await here.get('/dashboard/account')).body.split('and 2 more');
  const ends = /sessions\/ses_\w+\/end"/g;
  assert.equal(shown.match(ends)?.length, 4);
  assert.equal(folded.match(ends)?.length, 2);
  assert.ok(shown.indexOf('this one') < shown.search(ends));
});

test("nobody ends a colleague's session", async () => {
  const { users, examples } = await fillMerchant(world);
  const colleague = await callAs(site, world, users.manager);
  assert.equal(
    (await colleague.post(`/dashboard/account/sessions/${examples['sessionid']}/end`)).statusCode,
    404,
  );
});

test('a new password ends every other session, notifies the owner, and is the only one that works', async () => {
  const { users, merchantId } = await fillMerchant(world);
  const here = await callAs(site, world, users.support);
  const there = await callAs(site, world, users.support);
  for (const bad of ['short', 'aaaaaaaaaaaaaaa', users.support.email]) {
    assert.equal((await here.post('/dashboard/account/password', { password: bad })).statusCode, 400, bad);
  }
  const done = await here.post('/dashboard/account/password', { password: 'quite another password' });
  assert.equal(done.headers.location, '/dashboard/account');
  assert.equal((await there.get('/dashboard/account')).statusCode, 303);
  const stranger = await callAs(site, world, null);
  const enter = async (password: string) =>
    (await stranger.post('/dashboard/sign-in', { email: users.support.email, password })).statusCode;
  assert.equal(await enter(testPassword), 401);
  assert.equal(await enter('quite another password'), 303);
  const notices =
    await world.sql`select facts -> 'deed' as deed from notices where merchant_id = ${merchantId} and kind = 'deed'`;
  assert.deepEqual(
    notices.map(row => row['deed']),
    [because('password_changed', { email: users.support.email })],
  );
});

test('the fresh sign-in asks for the password, refuses a wrong one, and lasts ten minutes', async () => {
  const { users } = await fillMerchant(world);
  const person = await callAs(site, world, users.manager);
  world.clock.advance(10 * minute);
  const asked = await person.get('/dashboard/account/password');
  assert.equal(asked.headers.location, '/dashboard/confirm?next=%2Fdashboard%2Faccount%2Fpassword');
  const next = '/dashboard/account/password';
  assert.equal(
    (await person.post('/dashboard/confirm', { next, password: 'wrong password' })).statusCode,
    401,
  );
  assert.equal((await person.get(next)).statusCode, 303);
  const confirmed = await person.post('/dashboard/confirm', { next, password: testPassword });
  assert.equal(confirmed.headers.location, next);
  assert.equal((await person.get(next)).statusCode, 200);
  world.clock.advance(10 * minute);
  assert.equal((await person.get(next)).statusCode, 303);
});

test('the address after sign-in is always one of our pages', async () => {
  const { users } = await fillMerchant(world);
  const stranger = await callAs(site, world, null);
  const hostile = [
    '//evil.example',
    'https://evil.example/dashboard',
    '/dashboard\\@evil.example',
    '/dashboardx',
    'javascript:1',
    '/\\evil.example',
    '/dashboard/../../x\r\nset-cookie: a=b',
  ];
  for (const next of hostile) {
    const fields = { email: users.owner.email, password: testPassword, next };
    assert.equal((await stranger.post('/dashboard/sign-in', fields)).headers.location, '/dashboard', next);
  }
  const fields = { email: users.owner.email, password: testPassword, next: '/dashboard/team?x=1' };
  assert.equal((await stranger.post('/dashboard/sign-in', fields)).headers.location, '/dashboard/team?x=1');
});

test('pages have no inline script, no framing, no caching, and send no referrer elsewhere', async () => {
  const { users } = await fillMerchant(world);
  for (const caller of [await callAs(site, world, users.owner), await callAs(site, world, null)]) {
    const { headers } = await caller.get(caller.cookie ? '/dashboard/account' : '/dashboard/sign-in');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    const policy = String(headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
    ])
      assert.ok(policy.includes(part), part);
    assert.doesNotMatch(policy, /unsafe|data:|\*/);
  }
});

test('a form that cannot be parsed changes nothing, and the page says so', async () => {
  const { users } = await fillMerchant(world);
  const person = await callAs(site, world, users.owner);
  const bad = [
    { payload: 'language=%FF%FE', type: 'application/x-www-form-urlencoded', status: 303 },
    { payload: 'language=%00', type: 'application/x-www-form-urlencoded', status: 400 },
    { payload: 'x=1&'.repeat(300), type: 'application/x-www-form-urlencoded', status: 400 },
    { payload: '{"language":"hi"}', type: 'application/json', status: 400 },
    { payload: `language=${'h'.repeat(30_000)}`, type: 'application/x-www-form-urlencoded', status: 400 },
    { payload: `language=${'h'.repeat(70_000)}`, type: 'application/x-www-form-urlencoded', status: 413 },
  ];
  for (const { payload, type, status } of bad) {
    const answer = await site.app.inject({
      method: 'POST',
      url: '/dashboard/account/language',
      headers: { cookie: person.cookie, 'content-type': type, 'sec-fetch-site': 'same-origin' },
      payload,
    });
    assert.equal(answer.statusCode, status, payload.slice(0, 30));
  }
  const [row] = await world.sql`select language from users where user_id = ${users.owner.userId}`;
  assert.equal(row!['language'], null);
});

test('a sign-in whose password is changed while it is compared starts no session', async () => {
  for (const totp of [false, true]) {
    const { merchantId } = await addTestMerchant(world);
    const { email, userId } = await addTestUser(world, merchantId, 'owner');
    if (totp) await world.sql`update users set totp_secret = 'x' where user_id = ${userId}`;
    const caller = { address: '127.0.0.1', agent: 'test' };
    let signing: ReturnType<typeof signIn> | undefined;
    await world.sql.begin(async tx => {
      await tx`update users set password_hash = '' where merchant_id = ${merchantId} and user_id = ${userId}`;
      signing = signIn(world, { email, password: testPassword, ...caller });
      await waitFor('the sign-in to wait for the change', () =>
        world.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.some(),
      );
    });
    assert.deepEqual(await signing, { outcome: 'refused' });
    assert.deepEqual(await world.sql`select from sessions where user_id = ${userId}`, []);
  }
});
