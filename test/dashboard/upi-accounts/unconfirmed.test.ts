import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '../../../src/business/merchants/create-api-key.ts';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { upiCommands } from '../../../src/operator/commands/upi-commands.ts';
import { openTestApi } from '../../support/api.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { use } from '../../support/use.ts';

const api = use(openTestApi);
const site = use(() => openDashboard(api.world));
const home = '/dashboard/upi-accounts';

async function newMerchant() {
  const { world } = api;
  const merchantId = await createMerchant(world.sql, world, { name: 'Chai Corner' });
  const { apiKey } = await createApiKey(world.sql, world, merchantId, 'k');
  const as = async (role: 'owner' | 'manager') =>
    await callAs(site, world, await addTestUser(world, merchantId, role));
  return { merchantId, apiKey, owner: await as('owner'), manager: await as('manager') };
}

/** The operator's command; returns the account's id. */
async function propose(merchantId: number, upiId = 'chai@okaxis'): Promise<string> {
  const command = upiCommands['add-upi-account']!;
  const options = { 'upi-id': upiId, 'payee-name': 'Chai', bank: 'hdfc', 'account-digits': '4321' };
  if (command.needs !== 'database') throw new Error('needs a database');
  assert.equal(await command.run(api.world, { ...options, business: String(merchantId) }), 0);
  const [row] = await api.world.sql<{ account_id: string }[]>`
    select account_id from upi_accounts where merchant_id = ${merchantId} and vpa = ${upiId}
    order by created_at desc limit 1`;
  return row!.account_id;
}

async function accountsOf(merchantId: number) {
  return await api.world
    .sql`select * from upi_accounts where merchant_id = ${merchantId} order by account_id`;
}

async function traces(merchantId: number) {
  const { sql } = api.world;
  const auditEntries = await sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${merchantId} order by seq`;
  return auditEntries.map(({ action }) => action).filter(action => action.startsWith('upi_account.'));
}

const create = async (key: string, change = {}) => {
  const response = await api.create(change, key);
  return response.statusCode === 201 ? 'created' : response.json().error;
};

test('an account added by command takes orders only after the owner confirmed it', async () => {
  const { merchantId, apiKey, owner, manager } = await newMerchant();
  const accountId = await propose(merchantId);
  assert.equal(await create(apiKey), 'upi_not_configured');
  assert.equal(await create(apiKey, { payment_account_id: accountId }), 'invalid_payment_account');
  const asked = (await owner.get('/dashboard/shop/bank')).body;
  assert.match(asked, /Added by the operator\./);
  assert.match(asked, new RegExp(`${accountId}/confirm`));
  const shown = (await manager.get('/dashboard/shop/bank')).body;
  assert.match(shown, /Added by the operator\./);
  assert.doesNotMatch(shown, new RegExp(`${accountId}/confirm`));

  for (const action of ['confirm', 'dismiss']) {
    assert.equal((await manager.post(`${home}/${accountId}/${action}`)).statusCode, 403);
    assert.match((await owner.get(`${home}/${accountId}/${action}`)).body, /chai@okaxis/);
  }
  assert.equal(await create(apiKey), 'upi_not_configured');
  await api.world
    .sql`update sessions set confirmed_at = created_at - interval '1 hour' where merchant_id = ${merchantId}`;
  const stale = await owner.post(`${home}/${accountId}/confirm`);
  assert.match(String(stale.headers.location), /^\/dashboard\/confirm\?next=/);
  assert.equal(await create(apiKey), 'upi_not_configured');

  await api.world.sql`update sessions set confirmed_at = created_at where merchant_id = ${merchantId}`;
  const [before] = await accountsOf(merchantId);
  api.world.clock.advance(5_000);
  assert.equal((await owner.post(`${home}/${accountId}/confirm`)).statusCode, 303);
  assert.equal(await create(apiKey), 'created');
  assert.equal(await create(apiKey, { payment_account_id: accountId }), 'created');
  const [after] = await accountsOf(merchantId);
  const now = api.world.clock.now();
  const changed = { removed_at: null, is_default: true, created_at: now, bank_named_at: now };
  assert.deepEqual(after, { ...before, ...changed });
  assert.doesNotMatch((await owner.get('/dashboard/shop/bank')).body, /Added by the operator\./);
  assert.deepEqual(await traces(merchantId), ['upi_account.propose', 'upi_account.add']);
  const notices = await api.world.sql<{ code: string }[]>`
    select facts -> 'deed' ->> 'code' as code from notices where merchant_id = ${merchantId}`;
  assert.deepEqual(notices.map(({ code }) => code).sort(), ['upi_added', 'upi_proposed']);
});

test('these forms neither confirm, restore nor delete a removed account', async () => {
  const { merchantId, apiKey, owner } = await newMerchant();
  const accountId = await propose(merchantId);
  await owner.post(`${home}/${accountId}/confirm`);
  const inUse = await accountsOf(merchantId);
  for (const action of ['confirm', 'dismiss']) {
    assert.equal((await owner.get(`${home}/${accountId}/${action}`)).statusCode, 404);
    assert.equal((await owner.post(`${home}/${accountId}/${action}`)).statusCode, 404);
  }
  assert.deepEqual(await accountsOf(merchantId), inUse);

  // Removed in the millisecond in which it was added, which two clocks can do.
  assert.equal((await owner.post(`${home}/${accountId}/remove`)).statusCode, 303);
  const removed = await accountsOf(merchantId);
  assert.deepEqual(removed[0]!['removed_at'], removed[0]!['created_at']);
  assert.doesNotMatch((await owner.get('/dashboard/shop/bank')).body, /Added by the operator\./);
  for (const action of ['confirm', 'dismiss']) {
    assert.equal((await owner.get(`${home}/${accountId}/${action}`)).statusCode, 404);
    assert.equal((await owner.post(`${home}/${accountId}/${action}`)).statusCode, 404);
  }
  assert.deepEqual(await accountsOf(merchantId), removed);
  assert.equal(await create(apiKey), 'upi_not_configured');
});

test('another business can neither confirm nor dismiss it', async () => {
  const { merchantId } = await newMerchant();
  const accountId = await propose(merchantId);
  const before = await accountsOf(merchantId);
  const { owner: stranger } = await newMerchant();
  for (const action of ['confirm', 'dismiss'])
    assert.equal((await stranger.post(`${home}/${accountId}/${action}`)).statusCode, 404);
  assert.deepEqual(await accountsOf(merchantId), before);
});

test('dismissing deletes it, and the operator can propose it again', async () => {
  const { merchantId, apiKey, owner } = await newMerchant();
  const accountId = await propose(merchantId);
  await assert.rejects(propose(merchantId), /the business has chai@okaxis already/);
  assert.equal((await owner.post(`${home}/${accountId}/dismiss`)).statusCode, 303);
  assert.deepEqual(await accountsOf(merchantId), []);
  assert.equal((await owner.post(`${home}/${accountId}/confirm`)).statusCode, 404);
  assert.equal(await create(apiKey), 'upi_not_configured');
  assert.deepEqual(await traces(merchantId), ['upi_account.propose', 'upi_account.remove']);
  assert.notEqual(await propose(merchantId), accountId);
});

test('a UPI ID that the owner added in between is not confirmed a second time, and the default stays', async () => {
  const { merchantId, owner } = await newMerchant();
  const accountId = await propose(merchantId);
  const other = await propose(merchantId, 'other@okaxis');
  const typed = { payee_name: 'Chai', kind: 'personal', bank: 'hdfc', account_digits: '4321' };
  assert.equal((await owner.post(home, { ...typed, vpa: 'chai@okaxis' })).statusCode, 303);
  await owner.post(`${home}/${accountId}/confirm`);
  assert.match((await owner.get('/dashboard/shop/bank')).body, /on your list already/);
  assert.equal((await owner.post(`${home}/${other}/confirm`)).statusCode, 303);
  const rows = await accountsOf(merchantId);
  assert.deepEqual(
    rows
      .filter(row => row['removed_at'] === null)
      .map(row => [row['vpa'], row['is_default']])
      .sort(),
    [
      ['chai@okaxis', true],
      ['other@okaxis', false],
    ],
  );
});
