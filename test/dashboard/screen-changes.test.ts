import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApiKey } from '../../src/business/merchants/api-key.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import { findCaller } from '../../src/business/merchants/find-caller.ts';
import { allRoutes } from '../../src/dashboard/all-routes.ts';
import {
  foreign,
  owner,
  shop,
  site,
  stranger,
  traces,
  useBusyDashboard,
  world,
} from '../support/busy-dashboard.ts';
import { addBusyShop } from '../support/busy-shop.ts';
import { addTestUser, callAs } from '../support/dashboard-site.ts';
import { addTestMerchant } from '../support/test-world.ts';

useBusyDashboard();

test('a key is shown once, works, and ends when revoked; each step is in the audit log', async () => {
  const created = await foreign.post('/dashboard/integrations/keys', { name: 'web shop' });
  const key = /ml_test_[0-9A-Za-z]{38}/.exec(created.body)?.[0];
  assert.ok(key);
  const presented = readApiKey(key);
  assert.ok(presented);
  await findCaller(world, presented);
  assert.deepEqual(await traces(stranger.merchantId), { audited: 'api_key.create', notice: 'key_created' });
  const page = (await foreign.get('/dashboard/integrations')).body;
  assert.ok(page.includes('web shop') && !page.includes(key));
  const [row] = await world.sql<{ key_id: string }[]>`
    select key_id from api_keys where merchant_id = ${stranger.merchantId} and name = 'web shop'`;
  assert.equal((await foreign.post(`/dashboard/integrations/keys/${row?.key_id}/revoke`)).statusCode, 303);
  await assert.rejects(findCaller(world, presented), { code: 'invalid_api_key' });
  assert.deepEqual(await traces(stranger.merchantId), { audited: 'api_key.revoke', notice: 'key_revoked' });
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: ' ' })).statusCode, 400);
});

test('the webhook secret is shown on request and replaced after a warning', async () => {
  const shown = /whsec_[A-Za-z0-9+/=]+/.exec(
    (await foreign.post('/dashboard/integrations/secret')).body,
  )?.[0];
  assert.ok(shown);
  assert.ok(!(await foreign.get('/dashboard/integrations')).body.includes('whsec_'));
  assert.match((await foreign.get('/dashboard/integrations/secret/rotate')).body, /For 24 hours/);
  await foreign.post('/dashboard/integrations/secret/rotate', { rotated_at: '' });
  const after = /whsec_[A-Za-z0-9+/=]+/.exec(
    (await foreign.post('/dashboard/integrations/secret')).body,
  )?.[0];
  assert.notEqual(after, shown);
});

test('a second click on Replace the secret keeps the known secret’s remaining day', async () => {
  const { merchantId } = await addTestMerchant(world);
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const rotate = '/dashboard/integrations/secret/rotate';
  const secrets = async () => {
    const [row] = await world.sql<{ webhook_secret: string; old_webhook_secret: string | null }[]>`
      select webhook_secret, old_webhook_secret from merchants where merchant_id = ${merchantId}`;
    return row!;
  };
  const spokenOf = (body: string) => /name="rotated_at" value="([^"]*)"/.exec(body)?.[1] ?? 'none';
  const known = (await secrets()).webhook_secret;
  const first = (await caller.get(rotate)).body;
  assert.doesNotMatch(first, /less than 24 hours ago/);
  const fields = { rotated_at: spokenOf(first) };
  await Promise.all([caller.post(rotate, fields), caller.post(rotate, fields), caller.post(rotate, fields)]);
  const once = await secrets();
  assert.equal(once.old_webhook_secret, known);
  const [auditEntries] = await world.sql`
    select count(*) from audit_log where merchant_id = ${merchantId} and action = 'webhook_secret.rotate'`;
  assert.equal(auditEntries!['count'], 1);
  // An owner who means it reads the consequences, and may go on.
  const second = (await caller.get(rotate)).body;
  assert.match(second, /less than 24 hours ago/);
  assert.equal((await caller.post(rotate)).headers.location, rotate);
  await caller.post(rotate, { rotated_at: spokenOf(second) });
  assert.equal((await secrets()).old_webhook_secret, once.webhook_secret);
});

test('the longest names are shown whole, in Hindi too', async () => {
  const { merchantId } = await addTestMerchant(world, { name: '😀'.repeat(120) });
  const user = await addTestUser(world, merchantId, 'owner');
  await world.sql`update users set language = 'hi' where user_id = ${user.userId}`;
  const caller = await callAs(site, world, user);
  const next = 'ब'.repeat(120);
  assert.equal((await caller.post('/dashboard/settings/name', { name: next })).statusCode, 303);
  const { body } = await caller.get('/dashboard/to-do');
  assert.ok(body.includes('😀'.repeat(120)) && body.includes(next));
  assert.doesNotMatch(body, /The name of the business was changed/);
});

test('a business that is leaving is shown as such, and its owner’s role is not blamed', async () => {
  const { merchantId } = await addTestMerchant(world);
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  await world.sql`update merchants set deletion_requested_at = ${world.clock.now()} where merchant_id = ${merchantId}`;
  const refused = await caller.post('/dashboard/settings/name', { name: 'Another' });
  assert.equal(refused.statusCode, 403);
  assert.match(refused.body, /<h1>The business is closed<\/h1>/);
});

test('a parameter selects one of our messages, and nothing else', async () => {
  const stranger = await callAs(site, world, null);
  for (const said of ['toString', 'constructor', '__proto__'])
    assert.doesNotMatch((await stranger.get(`/dashboard/sign-in?said=${said}`)).body, /native code|object/i);
  assert.match((await stranger.get('/dashboard/sign-in?said=again')).body, /class="note good"/);
});

test('a UPI account is added, refused twice, chosen and removed, and each step is in the audit log', async () => {
  const fields = {
    vpa: 'New.Shop@okhdfc',
    payee_name: 'New',
    kind: 'personal',
    merchant_code: '',
    bank: 'equitas',
    account_digits: '99',
  };
  assert.equal(
    (await foreign.post('/dashboard/upi-accounts', { ...fields, vpa: 'nonsense' })).statusCode,
    400,
  );
  assert.equal((await foreign.post('/dashboard/upi-accounts', fields)).statusCode, 303);
  assert.deepEqual(await traces(stranger.merchantId), { audited: 'upi_account.add', notice: 'upi_added' });
  const again = await foreign.post('/dashboard/upi-accounts', fields);
  assert.match(again.body, /on your list already/);
  const [row] = await world.sql<
    { account_id: string }[]
  >`select account_id from upi_accounts where vpa = 'new.shop@okhdfc'`;
  const path = `/dashboard/upi-accounts/${row?.account_id}`;
  assert.match((await foreign.get(`${path}/bank`)).body, /value="equitas" selected/);
  for (const wrong of [
    { bank: 'citi', account_digits: '4321' },
    { bank: 'kotak', account_digits: '21' },
    { bank: 'kotak', account_digits: '' },
  ]) {
    const refused = await foreign.post(`${path}/bank`, wrong);
    assert.equal(refused.statusCode, 400);
    assert.match(refused.body, /Choose the bank from the list|print 4 digits of the account/);
  }
  assert.equal(
    (await foreign.post(`${path}/bank`, { bank: 'kotak', account_digits: '4321' })).statusCode,
    303,
  );
  assert.deepEqual(await traces(stranger.merchantId), {
    audited: 'upi_account.bank',
    notice: 'upi_bank_changed',
  });
  assert.match((await foreign.get('/dashboard/shop/bank')).body, /Kotak Mahindra Bank/);
  await foreign.post(`${path}/default`);
  assert.equal((await traces(stranger.merchantId)).audited, 'upi_account.default');
  await foreign.post(`${path}/remove`);
  assert.match((await foreign.get('/dashboard/shop/bank')).body, /Make another one the default first/);
  await foreign.post(`/dashboard/upi-accounts/${stranger.accountId}/default`);
  await foreign.post(`${path}/remove`);
  assert.equal((await traces(stranger.merchantId)).audited, 'upi_account.remove');
});

test('dangerous changes need a fresh sign-in first', async () => {
  const user = await addTestUser(world, shop.merchantId, 'owner');
  const stale = await callAs(site, world, user);
  await world.sql`
    update sessions set confirmed_at = created_at - interval '1 hour'
    where merchant_id = ${user.merchantId} and user_id = ${user.userId}`;
  const dangerous = allRoutes.filter(
    route => 'reauth' in route && route.reauth && route.permission !== 'operator' && route.method === 'POST',
  );
  assert.ok(dangerous.length >= 10);
  for (const { path } of dangerous) {
    const response = await stale.post(path.replace(/:[a-z_]+/g, 'x'));
    assert.equal(response.statusCode, 303, path);
    assert.match(String(response.headers.location), /^\/dashboard\/confirm\?next=/, path);
  }
  assert.match((await stale.get('/dashboard/shop/customers')).body, /Confirm that it is you/);
});

test('a resend and a test event are in the webhook log', async () => {
  const resent = await owner.post(`/dashboard/webhooks/${shop.eventId}/resend`, {
    next: `/dashboard/orders/${shop.paid.orderId}`,
  });
  assert.equal(resent.headers.location, `/dashboard/orders/${shop.paid.orderId}`);
  assert.match((await owner.get('/dashboard/webhooks')).body, /The event is sent again/);
  const refused = await owner.post('/dashboard/webhooks/test', { url: 'http://10.0.0.1/hook' });
  assert.equal(refused.statusCode, 400);
  world.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  const sent = await owner.post('/dashboard/webhooks/test', { url: 'https://shop.example.com/hook' });
  assert.equal(sent.statusCode, 303);
  assert.match((await owner.get('/dashboard/webhooks')).body, /webhook\.test/);
});

test('a mailbox that does not answer is not stored, and the reason is next to the typed values', async () => {
  const response = await foreign.post('/dashboard/mailbox', {
    provider: 'other',
    address: 'shop@nowhere.example',
    password: 'secret words',
    host: 'imap.nowhere.example',
    port: '993',
  });
  assert.equal(response.statusCode, 400);
  assert.match(response.body, /value="shop@nowhere\.example"/);
  assert.ok(!response.body.includes('secret words'));
  const stored = await world.sql`select from mailboxes where merchant_id = ${stranger.merchantId}`;
  assert.equal(stored.length, 0);
});

test('a disconnected mailbox is read on for open links; without any, its password is deleted at once', async () => {
  const other = await addBusyShop(world, 'Tea Point');
  const caller = await callAs(site, world, await addTestUser(world, other.merchantId, 'manager'));
  assert.match((await caller.get('/dashboard/mailbox')).body, /Being read/);
  assert.match((await caller.get('/dashboard/mailbox/disconnect')).body, /new orders cannot be paid/);
  await caller.post('/dashboard/mailbox/disconnect');
  assert.match((await caller.get('/dashboard/mailbox')).body, /Being disconnected/);
  await world.sql`update orders set status = 'failed' where merchant_id = ${other.merchantId} and status = 'pending'`;
  await caller.post('/dashboard/mailbox/disconnect');
  const rows = await world.sql`select from mailboxes where merchant_id = ${other.merchantId}`;
  assert.equal(rows.length, 0);
  assert.deepEqual(await traces(other.merchantId), {
    audited: 'mailbox.disconnect',
    notice: 'mailbox_disconnected',
  });
});

test('a provider sign-in that did not start here is refused', async () => {
  const response = await owner.get('/dashboard/mailbox/signed-in?code=abc&state=Zm9yZ2Vk');
  assert.equal(response.headers.location, '/dashboard/mailbox');
  assert.match((await owner.get('/dashboard/mailbox')).body, /did not work/);
});

test('an extra alert address needs a mail server to send its code', async () => {
  const response = await owner.post('/dashboard/mailbox/addresses', { extra: 'bank@chaipoint.in' });
  assert.equal(response.statusCode, 400);
  assert.match(response.body, /sends no mail/);
});

test('a proof is a real order of one rupee, without a webhook', async () => {
  const started = await owner.post('/dashboard/first-steps/proof');
  assert.equal(started.headers.location, '/dashboard/first-steps#proof-step');
  const [order] = await world.sql<{ amount_paise: number; payable_paise: number; webhook_url: string }[]>`
    select amount_paise, payable_paise, webhook_url from orders
    where merchant_id = ${shop.merchantId} and amount_paise = 100`;
  assert.equal(order?.webhook_url, '');
  const { body } = await owner.get('/dashboard/first-steps');
  assert.ok(body.includes(`Pay exactly ₹1.${String((order?.payable_paise ?? 0) - 100).padStart(2, '0')}`));
  assert.match((await owner.get('/dashboard/first-steps/checks')).body, /A bank mail arrived/);
  // A proof that release 0.2.0 began still sends one.
  const taken = await site.app.inject({
    method: 'POST',
    url: '/first-steps/webhook',
    payload: { type: 'payment.paid' },
  });
  assert.equal(taken.statusCode, 204);
  const auditor = await callAs(site, world, await addTestUser(world, shop.merchantId, 'auditor'));
  assert.equal((await auditor.post('/dashboard/first-steps/proof')).statusCode, 403);
});

test('a proof cannot start without a UPI account, and the page says so', async () => {
  const merchantId = await createMerchant(world.sql, world, { name: 'Bare' });
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const refused = await caller.post('/dashboard/first-steps/proof');
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /First add your UPI ID and the way its mails reach us/);
});
