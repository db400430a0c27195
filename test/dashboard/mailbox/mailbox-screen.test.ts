import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertAddresses } from '../../../src/alerts/addresses/queries/addresses.ts';
import { minute } from '../../../src/base/clock.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addTestUser, type Caller, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { startMailReceiver } from '../../support/mail-receiver.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const mails = use(startMailReceiver);
const world = use(() =>
  openTestWorld({
    SMTP_URL: mails.url,
    MAIL_FROM: 'pay@milaan.example',
    GOOGLE_CLIENT_ID: 'our-client',
    GOOGLE_CLIENT_SECRET: 'our-secret',
  }),
);
const site = use(() => openDashboard(world));
const shop = use(() => addTestMerchant(world));
const user = use(() => addTestUser(world, shop.merchantId, 'owner'));
const owner = use(() => callAs(site, world, user));

test('an extra alert address counts from its typed code until it is removed', async () => {
  const added = await owner.post('/dashboard/mailbox/addresses', { extra: 'Bank@Chai.example' });
  assert.equal(added.statusCode, 303);
  const code = /Code: (\d{8})/.exec(mails.mails.at(-1)?.raw ?? '')?.[1] ?? '';
  assert.match((await owner.get('/dashboard/mailbox')).body, /Waiting for its code/);
  await owner.post('/dashboard/mailbox/addresses/confirm', { code: code === '00000000' ? '1' : '00000000' });
  assert.match((await owner.get('/dashboard/mailbox')).body, /This code is not right/);
  assert.deepEqual(await alertAddresses(world.sql, shop.merchantId), []);
  await owner.post('/dashboard/mailbox/addresses/confirm', { code });
  assert.deepEqual(await alertAddresses(world.sql, shop.merchantId), ['bank@chai.example']);
  const auditEntries = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${shop.merchantId} order by seq`;
  assert.deepEqual(
    auditEntries.map(entry => entry.action),
    ['alert_address.add', 'alert_address.confirm'],
  );
  const ask = await owner.get('/dashboard/mailbox/addresses/remove?address=bank%40chai.example');
  assert.match(ask.body, /no longer confirm payments/);
  await owner.post('/dashboard/mailbox/addresses/remove', { address: 'bank@chai.example' });
  assert.deepEqual(await alertAddresses(world.sql, shop.merchantId), []);
});

test('the page begins with the mailbox that is read, and folds how to set up the other way', async () => {
  const { merchantId } = await addTestMerchant(world);
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  world.config.mailDomain ??= 'alerts.milaan.example';
  await caller.post('/dashboard/mailbox/forwarding', {});
  const page = async () => (await caller.get('/dashboard/mailbox')).body;
  assert.match(await page(), /<details open><summary>How to set it up/, 'the only way, and nothing came yet');
  await connectedMailbox(world, merchantId);
  const body = await page();
  assert.ok(body.indexOf('Read my mailbox') < body.indexOf('id="forwarding"'));
  assert.match(body, /<details><summary>How to set it up/);
  assert.doesNotMatch(body, /No password: your mail provider sends/);
});

test('a changed password is the only field to fill in: the form has everything else', async () => {
  const { merchantId } = await addTestMerchant(world);
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const store = (provider: string, host: string) => world.sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, extra_folders, revision,
      connected_at)
    values (${merchantId}, ${provider}, 'alerts@chai.example', 'chai', ${host}, 1993, 'sealed',
      ${['Bank', 'Bank/HDFC']}, 1, ${world.clock.now()})
    on conflict (merchant_id) do update set provider = excluded.provider`;
  const value = (body: string, name: string) =>
    new RegExp(`<input id="${name}" name="${name}"[^>]* value="([^"]*)"`).exec(body)?.[1];
  await store('other', 'imap.chai.example');
  const { body } = await caller.get('/dashboard/mailbox');
  assert.match(body, /value="other" selected/);
  assert.deepEqual(
    ['address', 'password', 'host', 'port', 'username', 'folders'].map(name => value(body, name)),
    ['alerts@chai.example', '', 'imap.chai.example', '1993', 'chai', 'Bank, Bank/HDFC'],
  );
  // Outlook has no password: its address waits at the sign-in, and the form asks again.
  await store('outlook', '');
  const atMicrosoft = async () => (await caller.get('/dashboard/mailbox')).body;
  assert.match(await atMicrosoft(), /value="gmail" selected/);
  assert.match(await atMicrosoft(), /We have not tried it\. Give your bank your forwarding address\./);
  // The first bank mail decides whether the mailbox serves.
  const findings = [
    'first mail will show',
    'come through this mailbox unchanged',
    'changed a mail of your bank',
  ];
  let page = await atMicrosoft();
  const found = () => findings.filter(finding => page.includes(finding));
  assert.deepEqual(found(), [findings[0]]);
  await world.sql`
    insert into mailbox_states (merchant_id, last_alert_at) values (${merchantId}, ${world.clock.now()})
    on conflict (merchant_id) do update set last_alert_at = excluded.last_alert_at`;
  page = await atMicrosoft();
  assert.deepEqual(found(), [findings[1]]);
  await world.sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, bank, reason_code, facts)
    values (${merchantId}, 'changed_there', 3, ${world.clock.now()}::timestamptz + interval '1 second', 'INBOX/1/1', 'forged', 'hdfc', 'changed_on_way',
      ${world.sql.json({ bank: 'HDFC Bank', change: { code: 'text_added', facts: { added: 'x' } } })})`;
  page = await atMicrosoft();
  assert.deepEqual(found(), [findings[2]]);
  assert.match(page, /no setting stops it/);
  assert.doesNotMatch(page, /virus scanner/);
});

test('Google’s sign-in uses a state that only this session can return, for ten minutes', async () => {
  const page = (await owner.post('/dashboard/mailbox/sign-in/gmail', { address: 'shop@gmail.com' })).body;
  const href =
    /href="(https:\/\/accounts\.google\.com\/[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const url = new URL(href);
  assert.equal(url.searchParams.get('redirect_uri'), `${site.origin}/dashboard/mailbox/signed-in`);
  assert.equal(url.searchParams.get('login_hint'), 'shop@gmail.com');
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
  const state = url.searchParams.get('state') ?? '';
  const back = (caller: Caller) =>
    caller.get(`/dashboard/mailbox/signed-in?state=${encodeURIComponent(state)}&code=abc`);
  // Another session of the same person, with everything else the same.
  const other = await callAs(site, world, user);
  assert.equal((await back(other)).headers.location, '/dashboard/mailbox');
  assert.match((await other.get('/dashboard/mailbox')).body, /did not work/);
  const sessions = await world.sql<{ session_id: string }[]>`
    select session_id from sessions where merchant_id = ${shop.merchantId} and user_id = ${user.userId}`;
  assert.equal(sessions.length, 2);
  const opens = ({ session_id }: { session_id: string }) => {
    const sealed = Buffer.from(state, 'base64url').toString();
    try {
      return world.secrets
        .open(sealed, `mailbox-sign-in:${shop.merchantId}:${session_id}`)
        .includes('shop@gmail.com');
    } catch {
      return false;
    }
  };
  assert.equal(sessions.filter(opens).length, 1);
  world.clock.advance(11 * minute);
  assert.match(String((await back(owner)).headers.location), /^\/dashboard\/confirm\?next=/);
  const late = await callAs(site, world, user);
  assert.equal((await back(late)).headers.location, '/dashboard/mailbox');
  assert.equal((await late.post('/dashboard/mailbox/sign-in/outlook', {})).statusCode, 404);
  const rows = await world.sql`select from mailboxes where merchant_id = ${shop.merchantId}`;
  assert.equal(rows.length, 0);
});
