import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allRoutes } from '../../src/dashboard/all-routes.ts';
import { readApiKey } from '../../src/merchants/api-key.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { findCaller } from '../../src/merchants/find-caller.ts';
import { noteRoutine, saveProcess } from '../../src/operator/queries.ts';
import { startTelling } from '../../src/operator/start-telling.ts';
import { addBusyShop, type BusyShop } from '../support/busy-shop.ts';
import {
  addTestUser,
  type Caller,
  callAs,
  type DashboardSite,
  openDashboard,
} from '../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

let world: TestWorld;
let site: DashboardSite;
let shop: BusyShop;
let stranger: TestMerchant;
let owner: Caller;
let foreign: Caller;
let operator: Caller;

before(async () => {
  world = await openTestWorld();
  site = await openDashboard(world);
  shop = await addBusyShop(world);
  stranger = await addTestMerchant(world, { name: 'Someone else' });
  owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  foreign = await callAs(site, world, await addTestUser(world, stranger.merchantId, 'owner'));
  operator = await callAs(site, world, await addTestUser(world, 0, 'operator'));
});
after(async () => {
  await site.stop();
  await world.stop();
});

/** The audit rows and notices of a business, newest first. */
async function traces(merchantId: number) {
  const deeds = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${merchantId} order by seq desc`;
  const notices = await world.sql<{ code: string }[]>`
    select facts -> 'deed' ->> 'code' as code from notices where merchant_id = ${merchantId} order by notice_id desc`;
  return { deed: deeds[0]?.action, notice: notices[0]?.code };
}

test('a key is shown once, works, and ends with its revocation; each leaves its trace', async () => {
  const created = await foreign.post('/dashboard/integrations/keys', { name: 'web shop' });
  const key = /ml_test_[0-9A-Za-z]{38}/.exec(created.body)?.[0];
  assert.ok(key);
  const presented = readApiKey(key);
  assert.ok(presented);
  await findCaller(world, presented);
  assert.deepEqual(await traces(stranger.merchantId), { deed: 'api_key.create', notice: 'key_created' });
  const page = (await foreign.get('/dashboard/integrations')).body;
  assert.ok(page.includes('web shop') && !page.includes(key));
  const [row] = await world.sql<{ key_id: string }[]>`
    select key_id from api_keys where merchant_id = ${stranger.merchantId} and name = 'web shop'`;
  assert.equal((await foreign.post(`/dashboard/integrations/keys/${row?.key_id}/revoke`)).statusCode, 303);
  await assert.rejects(findCaller(world, presented), { code: 'invalid_api_key' });
  assert.deepEqual(await traces(stranger.merchantId), { deed: 'api_key.revoke', notice: 'key_revoked' });
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

test('a second click on Replace the secret leaves the day of the secret that the shop knows', async () => {
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
  const [deeds] = await world.sql`
    select count(*) from audit_log where merchant_id = ${merchantId} and action = 'webhook_secret.rotate'`;
  assert.equal(deeds!['count'], 1);
  // Whoever means it reads what it costs, and may.
  const second = (await caller.get(rotate)).body;
  assert.match(second, /less than 24 hours ago/);
  assert.equal((await caller.post(rotate)).headers.location, rotate);
  await caller.post(rotate, { rotated_at: spokenOf(second) });
  assert.equal((await secrets()).old_webhook_secret, once.webhook_secret);
});

test('the longest names are told whole, in Hindi too', async () => {
  const { merchantId } = await addTestMerchant(world, { name: '😀'.repeat(120) });
  const user = await addTestUser(world, merchantId, 'owner');
  await world.sql`update users set language = 'hi' where user_id = ${user.userId}`;
  const caller = await callAs(site, world, user);
  const next = 'ब'.repeat(120);
  assert.equal((await caller.post('/dashboard/settings/name', { name: next })).statusCode, 303);
  const { body } = await caller.get('/dashboard/notices');
  assert.ok(body.includes('😀'.repeat(120)) && body.includes(next));
  assert.doesNotMatch(body, /The name of the business was changed/);
});

test('a business that is leaving says so, and does not blame the role of its owner', async () => {
  const { merchantId } = await addTestMerchant(world);
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  await world.sql`update merchants set deletion_requested_at = ${world.clock.now()} where merchant_id = ${merchantId}`;
  const refused = await caller.post('/dashboard/settings/name', { name: 'Another' });
  assert.equal(refused.statusCode, 403);
  assert.match(refused.body, /<h1>The business is closed<\/h1>/);
});

test('a word of the address picks one of our sentences, and nothing else', async () => {
  const stranger = await callAs(site, world, null);
  for (const said of ['toString', 'constructor', '__proto__'])
    assert.doesNotMatch((await stranger.get(`/dashboard/sign-in?said=${said}`)).body, /native code|object/i);
  assert.match((await stranger.get('/dashboard/sign-in?said=again')).body, /class="note good"/);
});

test('a UPI account is added, refused twice, chosen and removed, each with its trace', async () => {
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
  assert.deepEqual(await traces(stranger.merchantId), { deed: 'upi_account.add', notice: 'upi_added' });
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
    deed: 'upi_account.bank',
    notice: 'upi_bank_changed',
  });
  assert.match((await foreign.get('/dashboard/upi-accounts')).body, /Kotak Mahindra Bank/);
  await foreign.post(`${path}/default`);
  assert.equal((await traces(stranger.merchantId)).deed, 'upi_account.default');
  await foreign.post(`${path}/remove`);
  assert.match((await foreign.get('/dashboard/upi-accounts')).body, /Make another one the default first/);
  await foreign.post(`/dashboard/upi-accounts/${stranger.accountId}/default`);
  await foreign.post(`${path}/remove`);
  assert.equal((await traces(stranger.merchantId)).deed, 'upi_account.remove');
});

test('dangerous changes ask for a fresh proof first', async () => {
  const user = await addTestUser(world, shop.merchantId, 'owner');
  const stale = await callAs(site, world, user);
  await world.sql`
    update sessions set confirmed_at = created_at - interval '1 hour'
    where merchant_id = ${user.merchantId} and user_id = ${user.userId}`;
  const dangerous = allRoutes.filter(
    route => 'fresh' in route && route.fresh && route.permission !== 'operator' && route.method === 'POST',
  );
  assert.ok(dangerous.length >= 10);
  for (const { path } of dangerous) {
    const response = await stale.post(path.replace(/:[a-z_]+/g, 'x'));
    assert.equal(response.statusCode, 303, path);
    assert.match(String(response.headers.location), /^\/dashboard\/confirm\?next=/, path);
  }
  assert.match((await stale.get('/dashboard/upi-accounts')).body, /Confirm that it is you/);
});

test('a resend and a test event are in the log of webhooks', async () => {
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

test('a mailbox that does not answer is not stored, and says why beside what was typed', async () => {
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

test('a mailbox is disconnected after a warning: read on for the open links, else its password is gone at once', async () => {
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
    deed: 'mailbox.disconnect',
    notice: 'mailbox_disconnected',
  });
});

test('a sign-in with the provider that did not start here ends nowhere', async () => {
  const response = await owner.get('/dashboard/mailbox/signed-in?code=abc&state=Zm9yZ2Vk');
  assert.equal(response.headers.location, '/dashboard/mailbox');
  assert.match((await owner.get('/dashboard/mailbox')).body, /did not work/);
});

test('an extra alert address needs a mail server to send its code', async () => {
  const response = await owner.post('/dashboard/mailbox/addresses', { extra: 'bank@chaipoint.in' });
  assert.equal(response.statusCode, 400);
  assert.match(response.body, /sends no mail/);
});

test('a proof is a real order of one rupee, whose webhook we take ourselves where there is no server yet', async () => {
  world.dns.addresses.set('localhost', ['127.0.0.1']);
  const started = await owner.post('/dashboard/first-steps/proof');
  assert.equal(started.headers.location, '/dashboard/first-steps#proof');
  const [order] = await world.sql<{ amount_paise: number; payable_paise: number; webhook_url: string }[]>`
    select amount_paise, payable_paise, webhook_url from orders
    where merchant_id = ${shop.merchantId} and amount_paise = 100`;
  assert.equal(order?.webhook_url, `${site.origin}/first-steps/webhook`);
  const { body } = await owner.get('/dashboard/first-steps');
  assert.ok(body.includes(`Pay exactly ₹1.${String((order?.payable_paise ?? 0) - 100).padStart(2, '0')}`));
  assert.match((await owner.get('/dashboard/first-steps/checks')).body, /A bank mail arrived/);
  const taken = await site.app.inject({
    method: 'POST',
    url: '/first-steps/webhook',
    payload: { type: 'payment.paid' },
  });
  assert.equal(taken.statusCode, 204);
  const refused = await owner.post('/dashboard/first-steps/proof', {
    webhook_url: 'http://192.168.1.4/hook',
  });
  assert.equal(refused.statusCode, 400);
  const auditor = await callAs(site, world, await addTestUser(world, shop.merchantId, 'auditor'));
  assert.equal((await auditor.post('/dashboard/first-steps/proof')).statusCode, 403);
});

test('without a UPI account a proof cannot start, and says so', async () => {
  const merchantId = await createMerchant(world.sql, world, { name: 'Bare' });
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const refused = await caller.post('/dashboard/first-steps/proof');
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /First finish your UPI account and the way your alerts reach us/);
});

test('the operator sees all businesses, and what he does is in both logs', async () => {
  const list = (await operator.get('/dashboard/operator')).body;
  assert.ok(list.includes('Chai Point') && list.includes('Someone else'));
  assert.ok(!(await operator.get('/dashboard/operator?search=chai')).body.includes('Someone else'));
  assert.match((await operator.get('/dashboard/operator/health')).body, /Destinations that fail/);
  const path = `/dashboard/operator/businesses/${stranger.merchantId}`;
  assert.equal((await operator.get(path)).statusCode, 200);
  await operator.post(`${path}/disable`);
  assert.deepEqual(await traces(stranger.merchantId), {
    deed: 'business.disable',
    notice: 'disabled_by_operator',
  });
  assert.equal((await traces(0)).deed, 'business.disable');
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: 'late' })).statusCode, 403);
  await operator.post(`${path}/enable`);
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: 'later' })).statusCode, 200);
  await world.sql`insert into plans (plan, account_limit) values ('small', 1) on conflict do nothing`;
  await operator.post(`${path}/plan`, { plan: 'small' });
  assert.match((await operator.get(path)).body, /is now on plan small/);
  assert.equal((await operator.post(`${path}/plan`, { plan: 'nope' })).statusCode, 404);
  for (const screen of ['/dashboard/operator', '/dashboard/operator/health', path])
    assert.equal((await owner.get(screen)).statusCode, 403, screen);
  assert.equal((await operator.get('/dashboard/orders')).statusCode, 403);
});

test('the operator’s health tells of backup, verify, what waits for DNS, the hours and the version in plain words', async () => {
  const health = async () => (await operator.get('/dashboard/operator/health')).body;
  const fresh = await health();
  assert.equal(fresh.match(/Never ran/g)?.length, 2);
  assert.match(
    fresh,
    /Alerts waiting for DNS or a key[\s\S]*Orders paid by the hour[\s\S]*<fieldset class="chart"/,
  );
  assert.match(fresh, /Milaan \d+\.\d+\.\d+/);
  const now = world.clock.now();
  await noteRoutine(world.sql, { routine: 'verify', now, succeeded: false, details: '1 breaches' });
  await noteRoutine(world.sql, { routine: 'backup', now, succeeded: true, details: 'tried' });
  const later = await health();
  assert.match(later, /Last backup[\s\S]*Went well[\s\S]*Last check of the rules[\s\S]*Failed/);
  assert.match(
    later,
    /What needs you[\s\S]*found one broken[\s\S]*href="\/docs\/alarms\/MilaanRoutineFailed"/,
  );
  assert.match((await operator.get('/dashboard/operator')).body, /MilaanRoutineFailed/);
  await noteRoutine(world.sql, { routine: 'verify', now, succeeded: true, details: 'all' });
  const day = new Date(now.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10);
  await world.sql`insert into bank_verdicts (bank, day, verdict, mails) values ('hdfc', ${day}, 'unreadable', 9)`;
  await world.sql`update alerts set next_try_at = ${now}, verdict = 'retrying' where alert_id = (select min(alert_id) from alerts)`;
  const worse = await health();
  assert.match(worse, /wait for DNS[\s\S]*MilaanAlertsRetrying/);
  assert.match(worse, /Mails of HDFC Bank that could not be read today: 9[\s\S]*MilaanUnreadable/);
  assert.match(
    worse,
    /by the day[\s\S]*<fieldset class="chart"><legend class="unseen">Unreadable or forged in 14 days: 9/,
  );
  assert.doesNotMatch(worse, /MilaanRoutineFailed/);
});

test('what only processes know stands on the operator’s health too: told in a while, and gone when it is over', async () => {
  const { sql, clock, metrics } = world;
  const health = async () => (await operator.get('/dashboard/operator/health')).body;
  const calm = await health();
  assert.match(calm, /Nothing is overdue/);
  assert.doesNotMatch(
    calm,
    /alarms\/Milaan(?:Down|Clock|Slow|Key|Unlisted|Mail(?:Out|Late|Unf)|Push|Hist|WebhooksN)/,
  );
  const [dns, keys, doubted, domains, lag] = [
    metrics.counter('milaan_dns_failures_total', 'x', ['kind']),
    metrics.counter('milaan_alerts_key_changes_total', 'x'),
    metrics.counter('milaan_alerts_key_doubted_total', 'x'),
    metrics.counter('milaan_alerts_unlisted_domain_total', 'x'),
    metrics.histogram('milaan_mailbox_lag_seconds', 'x', [30, 60, 120]),
  ];
  const [sent, pushes, mails] = [
    metrics.counter('milaan_webhook_attempts_total', 'x', ['outcome']),
    metrics.counter('milaan_pushes_total', 'x', ['outcome']),
    metrics.counter('milaan_notices_total', 'x', ['outcome']),
  ];
  dns.inc({ kind: 'temporary' }, 93);
  for (const meter of [keys, doubted, domains, metrics.counter('milaan_mailbox_unfetchable_total', 'x')])
    meter.inc();
  for (const seconds of [1, 61]) lag.observe(seconds);
  sent.inc({ outcome: 'not_signed' });
  pushes.inc({ outcome: 'failed' }, 2);
  pushes.inc({ outcome: 'given_up' }, 1);
  mails.inc({ outcome: 'failed' }, 3);
  metrics.gauge('milaan_history_overdue_seconds', 'x').set(3 * 86_400);
  const teller = startTelling(world);
  await until('it has told', async () => (await sql`select from processes`).length === 1);
  const worse = await health();
  for (const kind of [
    'KeyChanged',
    'KeysDoubted',
    'UnlistedDomain',
    'MailUnfetchable',
    'MailLate',
    'MailOut',
  ])
    assert.match(worse, new RegExp(`/docs/alarms/Milaan${kind}"`), kind);
  for (const kind of ['WebhooksNotSigned', 'PushesFail', 'HistoryOverdue'])
    assert.match(worse, new RegExp(`/docs/alarms/Milaan${kind}"`), kind);
  assert.match(
    worse,
    /days it is overdue: 3[\s\S]*<legend class="unseen">DNS answers that failed in 24 hours: 93/,
  );
  assert.match(worse, /Overdue; hours: 72[\s\S]*Processes[\s\S]*Answers/);
  await teller.stop();
  assert.equal((await sql`select from processes`).length, 0, 'one that was stopped is not missed');

  const fine = { version: '0', skew_seconds: 0, jump_seconds: 0, lag_seconds: 0, overdue_seconds: 0 };
  await saveProcess(sql, { ...fine, process: 'one web' });
  await saveProcess(sql, { ...fine, process: 'two mail', skew_seconds: -11 });
  await saveProcess(sql, { ...fine, process: 'three deliver', lag_seconds: 0.3, jump_seconds: 300 });
  await sql`update processes set told_at = clock_timestamp() - interval '3 minutes' where process = 'one web'`;
  clock.advance(2 * 3_600_000);
  const other = await health();
  assert.match(other, /one web does not answer. Minutes since its last word: 3/);
  assert.match(other, /The clock of two mail is off from the database’s by -11 s/);
  assert.match(other, /three deliver gets to its work late, by 300 ms/);
  assert.match(other, /set together by 300 s/);
  assert.doesNotMatch(other, /alarms\/Milaan(?:Key|Unlisted|Mail(?:Out|Late|Unf)|Push|Hist|WebhooksN)/);
  await sql`delete from processes`;
});
