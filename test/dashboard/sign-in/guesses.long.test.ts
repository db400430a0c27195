import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { callAs, testPassword } from '../../support/dashboard-site.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { world, site } = useDashboard({ TRUST_PROXY: 'yes' });

async function tryPassword(email: string, password: string, from: string) {
  const stranger = await callAs(site, world, null);
  return await stranger.post('/dashboard/sign-in', { email, password }, { 'x-forwarded-for': from });
}

test('an unknown address and a wrong password get the same answer', async () => {
  const { users } = await fillMerchant(world);
  const known = await tryPassword(users.owner.email, 'not the password', '203.0.113.1');
  const unknown = await tryPassword('nobody@shop.example', 'not the password', '203.0.113.1');
  assert.equal(known.statusCode, 401);
  assert.equal(unknown.statusCode, 401);
  const same = (body: string, email: string) => body.replaceAll(email, 'EMAIL');
  assert.equal(same(known.body, users.owner.email), same(unknown.body, 'nobody@shop.example'));
  assert.equal(known.headers['set-cookie'], undefined);
});

test('ten wrong passwords from one address lock the account there for a quarter of an hour, and for nobody else', async () => {
  const { users } = await fillMerchant(world);
  const { email } = users.owner;
  for (let guess = 0; guess < 10; guess++) {
    assert.equal((await tryPassword(email, `wrong password ${guess}`, '203.0.113.2')).statusCode, 401);
  }
  const closed = await tryPassword(email, testPassword, '203.0.113.2');
  assert.equal(closed.statusCode, 429);
  assert.match(closed.body, /Too many attempts/);
  assert.equal((await tryPassword(email, testPassword, '203.0.113.3')).statusCode, 303);
  world.clock.advance(15 * minute);
  assert.equal((await tryPassword(email, testPassword, '203.0.113.2')).statusCode, 303);
});

test('a list of addresses tried from one network is stopped, also when the network’s last half changes', async () => {
  let answers = '';
  for (let guess = 0; guess < 61; guess++) {
    const from = `2001:db8:1:2::${(guess + 1).toString(16)}`;
    answers +=
      (await tryPassword(`person-${guess}@shop.example`, 'not the password', from)).statusCode === 429
        ? 'x'
        : '.';
  }
  assert.equal(answers, `${'.'.repeat(60)}x`);
});

test('a hundred guesses at once count as a hundred', async () => {
  const { users } = await fillMerchant(world);
  const tries = Array.from({ length: 30 }, (_, at) =>
    tryPassword(users.owner.email, `wrong ${at} password`, '203.0.113.4'),
  );
  const statuses = (await Promise.all(tries)).map(answer => answer.statusCode);
  assert.equal(statuses.filter(status => status === 401).length, 10);
  assert.equal(statuses.filter(status => status === 429).length, 20);
});

test('a right password resets the count of wrong ones', async () => {
  const { users } = await fillMerchant(world);
  for (let round = 0; round < 3; round++) {
    for (let guess = 0; guess < 5; guess++)
      await tryPassword(users.owner.email, 'not the password', '203.0.113.5');
    assert.equal((await tryPassword(users.owner.email, testPassword, '203.0.113.5')).statusCode, 303);
  }
});

test('a flood of sign-ins is refused before it fills the memory, and leaves nothing behind', async () => {
  const flood = Array.from({ length: 250 }, (_, at) =>
    site.app.inject({
      method: 'POST',
      url: '/dashboard/sign-in',
      remoteAddress: `10.1.${at >> 7}.${(at % 128) + 1}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams({ email: `flood-${at}@shop.example`, password: testPassword }).toString(),
    }),
  );
  const answers = await Promise.all(flood);
  const busy = answers.filter(({ statusCode }) => statusCode === 503);
  assert.ok(busy.length > 10, `${busy.length} were refused`);
  assert.ok(answers.some(({ statusCode }) => statusCode !== 503));
  assert.match(busy[0]!.body, /Please try again in a few seconds/);
  assert.equal(busy[0]!.headers['retry-after'], '3');
  const { users } = await fillMerchant(world);
  const entered = await (await callAs(site, world, null)).post('/dashboard/sign-in', {
    email: users.owner.email,
    password: testPassword,
  });
  assert.equal(entered.headers.location, '/dashboard');
});
