import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { readApiKey } from '../../../src/business/merchants/api-key.ts';
import { findCaller } from '../../../src/business/merchants/find-caller.ts';
import { connectRoutes } from '../../../src/developers/connect/routes.ts';
import { agree, askToConnect, exchange } from '../../support/connecting-shop.ts';
import { addTestUser, type Caller, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { liveConfig } from '../../support/live-config.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';
import { otherAddresses, otherParameters } from './hostile-questions.ts';

const world = use(openTestWorld);
const site = use(() => openDashboard(world, app => connectRoutes(app, world)));
const shop = use(() => addTestMerchant(world));
const person = use(() => addTestUser(world, shop.merchantId, 'owner'));
const owner = use(() => callAs(site, world, person));

/** A code that the owner has just agreed to, and all that its shop would send. */
async function freshCode(by: Caller = owner) {
  const asked = askToConnect({ return_url: `https://tea.example/${randomBytes(4).toString('hex')}` });
  const { to } = await agree(by, asked, shop.accountId);
  const code = to?.searchParams.get('code') ?? '';
  assert.match(code, /^[0-9A-Za-z]{52}$/);
  return { code, code_verifier: asked.verifier, return_url: asked.parameters['return_url'] ?? '' };
}

const works = async (apiKey: string) => {
  const key = readApiKey(apiKey);
  assert.ok(key);
  return await findCaller(world, key).then(
    () => true,
    () => false,
  );
};

async function assertRefused(body: unknown): Promise<void> {
  const answer = await exchange(site, body);
  assert.deepEqual([answer.status, answer.body['error']], [400, 'invalid_code']);
}

test('a code works for a minute, and not a millisecond more', async () => {
  const start = world.clock.now();
  const [last, late] = [await freshCode(), await freshCode()];
  world.clock.advance(1 * minute - 1);
  assert.equal((await exchange(site, last)).status, 200);
  world.clock.advance(1);
  await assertRefused(late);
  world.clock.set(start);
});

test('a code that is redeemed a second time ends the key that it made, and the owner is notified', async () => {
  const proof = await freshCode();
  const { body } = await exchange(site, proof);
  await assertRefused(proof);
  assert.equal(await works(body['api_key'] ?? ''), false);
  const [entry] = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${shop.merchantId} order by seq desc limit 1`;
  assert.equal(entry?.action, 'connection.replayed');
  await assertRefused(proof);
});

test('a stolen code without the verifier opens nothing and ends nothing', async () => {
  const proof = await freshCode();
  const stolen = { ...proof, code_verifier: randomBytes(32).toString('base64url') };
  await assertRefused(stolen);
  const { status, body } = await exchange(site, proof);
  assert.equal(status, 200);
  await assertRefused(stolen);
  assert.equal(await works(body['api_key'] ?? ''), true);
});

test('at most one of twenty who redeem one code at once gets a key, and none works afterwards', async () => {
  const proof = await freshCode();
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(site, proof)));
  const given = answers.filter(({ status }) => status === 200);
  assert.equal(given.length, 1);
  assert.equal(await works(given[0]?.body['api_key'] ?? ''), false);
});

test('the challenge itself is no verifier, and a verifier of another shape is refused', async () => {
  const asked = askToConnect();
  const { to } = await agree(owner, asked, shop.accountId);
  const body = { code: to?.searchParams.get('code'), return_url: asked.parameters['return_url'] };
  await assertRefused({ ...body, code_verifier: asked.parameters['code_challenge'] });
  for (const code_verifier of ['', 'short', 'x'.repeat(129), null, 7, ['x'.repeat(43)]]) {
    const answer = await exchange(site, { ...body, code_verifier });
    assert.deepEqual([answer.status, answer.body['error']], [400, 'invalid_request']);
    assert.match(answer.body['details'] ?? '', /code_verifier/);
  }
});

test('the return address of the exchange equals that of the question byte for byte', async () => {
  const proof = await freshCode();
  for (const return_url of [
    `${proof.return_url}/`,
    `${proof.return_url}?`,
    proof.return_url.toUpperCase(),
    proof.return_url.replace('https', 'http'),
    proof.return_url.replace('tea.example', 'tea.example:443'),
  ])
    await assertRefused({ ...proof, return_url });
  assert.equal((await exchange(site, proof)).status, 200);
});

for (const return_url of otherAddresses) {
  test(`no browser is ever sent to ${JSON.stringify(return_url.slice(0, 60))}, agreed or not`, async () => {
    const { parameters } = askToConnect({ return_url });
    const page = await owner.get(`/dashboard/connect?${new URLSearchParams(parameters)}`);
    assert.equal(page.statusCode, 400);
    assert.match(page.body, /: return_url is missing or not allowed/);
    for (const answer of ['agree', 'decline', '']) {
      const sent = await owner.post('/dashboard/connect', {
        ...parameters,
        payment_account_id: shop.accountId,
        answer,
      });
      assert.equal(sent.statusCode, 400);
      assert.equal(sent.headers.location, undefined);
    }
  });
}

test('a shop on the owner’s own machine may connect by plain http in the sandbox, and not live', async () => {
  for (const host of ['localhost:8888', '127.0.0.1:8888']) {
    const { parameters } = askToConnect({
      return_url: `http://${host}/back`,
      webhook_url: `http://${host}/hook`,
    });
    const path = `/dashboard/connect?${new URLSearchParams(parameters)}`;
    assert.equal((await owner.get(path)).statusCode, 200, host);
    const sandbox = world.config;
    world.config = liveConfig();
    assert.equal((await owner.get(path)).statusCode, 400, host);
    world.config = sandbox;
  }
});

for (const [name, value] of otherParameters) {
  test(`${name} ${JSON.stringify(value.slice(0, 50))} is refused on a page without a link`, async () => {
    const { parameters } = askToConnect({ [name]: value });
    const answer = await owner.post('/dashboard/connect', {
      ...parameters,
      payment_account_id: shop.accountId,
      answer: 'agree',
    });
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.headers.location, undefined);
  });
}

test('a parameter that is sent twice counts as missing', async () => {
  const query = new URLSearchParams(askToConnect().parameters);
  query.append('return_url', 'https://evil.example/back');
  assert.equal((await owner.get(`/dashboard/connect?${query}`)).statusCode, 400);
});

test('a webhook address that names this machine or a private one is refused before anybody agrees', async () => {
  for (const host of ['10.0.0.5', '169.254.169.254', 'router.local'])
    for (const [return_url, webhook_url] of [[`https://${host}/back`, `https://${host}/hook`]]) {
      const query = new URLSearchParams(
        askToConnect({ return_url: return_url ?? '', webhook_url: webhook_url ?? '' }).parameters,
      );
      assert.equal((await owner.get(`/dashboard/connect?${query}`)).statusCode, 400, host);
    }
});

test('another site cannot agree in the owner’s place', async () => {
  const { parameters } = askToConnect();
  const fields = { ...parameters, payment_account_id: shop.accountId, answer: 'agree' };
  for (const site of ['cross-site', 'same-site', 'none']) {
    const answer = await owner.post('/dashboard/connect', fields, { 'sec-fetch-site': site });
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers.location, undefined);
  }
});

test('a sign-in of ten minutes ago does not suffice: a fresh one leads back to the page, and only then is it agreed', async () => {
  const start = world.clock.now();
  const { parameters } = askToConnect();
  const path = `/dashboard/connect?${new URLSearchParams(parameters)}`;
  const earlier = await callAs(site, world, person);
  world.clock.advance(10 * minute);
  const page = await earlier.get(path);
  assert.equal(page.headers.location, `/dashboard/confirm?next=${encodeURIComponent(path)}`);
  const fields = { ...parameters, payment_account_id: shop.accountId, answer: 'agree' };
  const sent = await earlier.post('/dashboard/connect', fields);
  assert.match(String(sent.headers.location), /^\/dashboard\/confirm\?/);
  world.clock.set(start);
});

test('nobody agrees to another business’s account, nor to one that was removed', async () => {
  const other = await addTestMerchant(world, { name: 'Someone else' });
  for (const account of [other.accountId, 'acc_unknown', '']) {
    const { status, to } = await agree(owner, askToConnect(), account);
    assert.deepEqual([status, to], [400, null]);
  }
});

test('a person who was removed or lost the role before the exchange gives the shop no rights', async () => {
  const helper = await addTestUser(world, shop.merchantId, 'developer');
  const proof = await freshCode(await callAs(site, world, helper));
  await world.sql`update users set role = 'support' where user_id = ${helper.userId}`;
  await assertRefused(proof);
  await world.sql`delete from users where user_id = ${helper.userId}`;
  await assertRefused(proof);
});

test('a business that was disabled before the exchange gives out no key', async () => {
  const proof = await freshCode();
  await world.sql`update merchants set disabled_at = ${world.clock.now()} where merchant_id = ${shop.merchantId}`;
  const answer = await exchange(site, proof);
  assert.deepEqual([answer.status, answer.body['error']], [403, 'merchant_disabled']);
  await world.sql`update merchants set disabled_at = null where merchant_id = ${shop.merchantId}`;
  assert.equal((await exchange(site, proof)).status, 200);
});

test('impossible codes and those that name another business are refused with the same answer', async () => {
  const proof = await freshCode();
  const other = (Number.parseInt(proof.code[8] ?? '0', 36) + 1).toString(36).slice(-1);
  for (const code of [
    'x',
    '0'.repeat(52),
    proof.code.slice(0, 51),
    `${proof.code.slice(0, 8)}${other}${proof.code.slice(9)}`,
  ])
    await assertRefused({ ...proof, code });
  assert.equal((await exchange(site, proof)).status, 200);
});

test('the code, its verifier and the key are never stored in clear', async () => {
  const proof = await freshCode();
  const { body } = await exchange(site, proof);
  for (const table of ['connections', 'api_keys', 'audit_log', 'notices', 'mails']) {
    const [row] = await world.sql.unsafe(
      `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`,
      [],
    );
    for (const secret of [
      proof.code,
      proof.code_verifier,
      body['api_key'] ?? '',
      body['webhook_secret'] ?? '',
    ])
      assert.ok(secret !== '' && !row?.['text'].includes(secret), `${table} holds a secret`);
  }
  const [row] = await world.sql<{ code_hash: Buffer }[]>`
    select code_hash from connections where return_url = ${proof.return_url}`;
  assert.deepEqual(row?.code_hash, createHash('sha256').update(proof.code).digest());
});

test('unredeemed codes are deleted when the next one is made', async () => {
  const start = world.clock.now();
  const { return_url } = await freshCode();
  world.clock.advance(1 * minute + 1 * second);
  await freshCode();
  const rows = await world.sql`select from connections where return_url = ${return_url}`;
  assert.equal(rows.length, 0);
  world.clock.set(start);
});

test('the exchange counts towards the rate limits, so that nobody guesses for long', async () => {
  const strict = await openTestWorld({ RATE_LIMITS: 'key=5,address=5' });
  const few = await openDashboard(strict, app => connectRoutes(app, strict));
  const guess = { code: 'x'.repeat(52), code_verifier: 'x'.repeat(43), return_url: 'https://tea.example/' };
  const statuses = [];
  for (let at = 0; at < 7; at++) statuses.push((await exchange(few, guess)).status);
  await few.stop();
  await strict.stop();
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429, 429]);
});
