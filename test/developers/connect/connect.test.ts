import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectRoutes } from '../../../src/developers/connect/routes.ts';
import { orderRoutes } from '../../../src/orders/routes.ts';
import { orderBody } from '../../support/api.ts';
import { agree, askToConnect, exchange, shopReturn } from '../../support/connecting-shop.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(async () =>
  openDashboard(world, async app => {
    await connectRoutes(app, world);
    await orderRoutes(app, world);
  }),
);
const shop = use(() => addTestMerchant(world, { name: 'Anand Tea House' }));
const owner = use(async () => callAs(site, world, await addTestUser(world, shop.merchantId, 'owner')));

async function connected(bent: Record<string, string> = {}) {
  const asked = askToConnect(bent);
  const { to } = await agree(owner, asked, shop.accountId);
  const body = {
    code: to?.searchParams.get('code'),
    code_verifier: asked.verifier,
    return_url: asked.parameters['return_url'],
  };
  return { asked, to, body, answer: await exchange(site, body) };
}

const keyWorks = async (apiKey: string | undefined) =>
  (await site.app.inject({ url: '/api/v1/orders', headers: { 'x-api-key': apiKey } })).statusCode === 200;

async function auditEntries(): Promise<string[]> {
  const rows = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${shop.merchantId} order by seq`;
  return rows.map(row => row.action);
}

test('when an owner agrees, the shop gets a code, and its server gets a key, its own secret and the account', async () => {
  const { asked, to, answer } = await connected();
  assert.equal(to?.href.startsWith(`${shopReturn}&code=`), true);
  assert.equal(to?.searchParams.get('state'), asked.parameters['state']);
  assert.equal(to?.searchParams.get('iss'), world.baseUrl);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['cache-control'], 'no-store');
  const { api_key, connection_id, webhook_secret, ...rest } = answer.body;
  assert.match(webhook_secret ?? '', /^whsec_[A-Za-z0-9+/]{32}$/);
  assert.deepEqual(rest, {
    payment_account_id: shop.accountId,
    business_name: 'Anand Tea House',
    mode: 'sandbox',
    base_url: world.baseUrl,
  });
  const created = await site.app.inject({
    method: 'POST',
    url: '/api/v1/orders',
    headers: { 'x-api-key': api_key, 'content-type': 'application/json' },
    payload: JSON.stringify(orderBody({ payment_account_id: rest['payment_account_id'] })),
  });
  assert.equal(created.statusCode, 201);
  assert.deepEqual((await auditEntries()).slice(-2), ['connection.agree', 'connection.collect']);
  const [notice] = await world.sql<{ code: string; name: string }[]>`
    select facts -> 'deed' ->> 'code' as code, facts -> 'deed' -> 'facts' ->> 'host' as name
    from notices where merchant_id = ${shop.merchantId} order by notice_id desc limit 1`;
  assert.deepEqual(notice, { code: 'shop_connected', name: 'tea.example' });
  assert.match(connection_id ?? '', /^key_/);
});

test('/connect leads to the consent with every parameter as it came, and the sign-in leads back to it', async () => {
  const { parameters } = askToConnect();
  const query = new URLSearchParams(parameters).toString();
  const first = await site.app.inject(`/connect?${query}`);
  assert.equal(first.statusCode, 303);
  assert.equal(first.headers.location, `/dashboard/connect?${query}`);
  const stranger = await callAs(site, world, null);
  const second = await stranger.get(String(first.headers.location));
  const signIn = new URL(String(second.headers.location), world.baseUrl);
  assert.equal(signIn.pathname, '/dashboard/sign-in');
  assert.equal(signIn.searchParams.get('next'), first.headers.location);
});

test('the consent shows the true host, the claimed name as text and the rights, and nobody may frame it', async () => {
  const { parameters } = askToConnect({ shop_name: '<b>State Bank</b>' });
  const answer = await owner.get(`/dashboard/connect?${new URLSearchParams(parameters)}`);
  assert.equal(answer.statusCode, 200);
  assert.match(answer.body, /<strong><bdi>tea\.example<\/bdi><\/strong>/);
  assert.ok(answer.body.includes('&lt;b&gt;State Bank') && !answer.body.includes('<b>State'));
  assert.match(answer.body, /webhook secret/);
  assert.equal(answer.headers['x-frame-options'], 'DENY');
  const policy = String(answer.headers['content-security-policy']);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.match(policy, /form-action 'self' https:\/\/tea\.example;/);
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
});

test('when an owner refuses, the shop gets a refusal and no code, and nothing is written', async () => {
  const { parameters } = askToConnect();
  const before = await auditEntries();
  const answer = await owner.post('/dashboard/connect', { ...parameters, answer: 'decline' });
  const to = new URL(String(answer.headers.location));
  assert.equal(to.origin, 'https://tea.example');
  assert.equal(to.searchParams.get('error'), 'access_denied');
  assert.equal(to.searchParams.get('state'), parameters['state']);
  assert.ok(!to.searchParams.has('code'));
  assert.deepEqual(await auditEntries(), before);
});

test('a connected shop is listed by name, address and last use, and one button ends its key', async () => {
  const { answer } = await connected({ shop_name: 'Corner shop', return_url: 'https://tea.example/corner' });
  const { api_key, connection_id } = answer.body;
  assert.ok(await keyWorks(api_key));
  const page = (await owner.get('/dashboard/integrations')).body;
  assert.match(page, /Connected shops[\s\S]*Corner shop[\s\S]*tea\.example[\s\S]*Last used/);
  assert.ok(!page.includes(String(api_key)));
  const path = `/dashboard/integrations/keys/${connection_id}/revoke`;
  assert.match((await owner.get(path)).body, /Disconnect the shop[\s\S]*secret ends with it/);
  assert.equal((await owner.post(path)).statusCode, 303);
  assert.ok(!(await keyWorks(api_key)));
});

test('a shop that connects again has only the new key; another return address keeps its own', async () => {
  const other = await connected({ return_url: 'https://tea.example/other' });
  const first = await connected({ return_url: 'https://tea.example/again' });
  const second = await connected({ return_url: 'https://tea.example/again' });
  assert.deepEqual(
    await Promise.all([other, first, second].map(({ answer }) => keyWorks(answer.body['api_key']))),
    [true, false, true],
  );
});

test('a person without a UPI account is led to add one and back, and cannot agree before', async () => {
  const { merchantId } = shop;
  const asked = askToConnect();
  await world.sql`update upi_accounts set removed_at = ${world.clock.now()} where merchant_id = ${merchantId}`;
  const page = await owner.get(`/dashboard/connect?${new URLSearchParams(asked.parameters)}`);
  assert.match(page.body, /\/dashboard\/upi-accounts\/add\?next=%2Fdashboard%2Fconnect%3Fshop_name/);
  assert.equal((await agree(owner, asked, shop.accountId)).status, 400);
  await world.sql`update upi_accounts set removed_at = null where merchant_id = ${merchantId}`;
});
