import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { StartError } from '../../src/base/start-error.ts';
import { accountCommands } from '../../src/operator/commands/account-commands.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { fillMerchant } from '../support/dashboard-merchant.ts';
import { callAs, type DashboardSite, openDashboard, testPassword } from '../support/dashboard-site.ts';
import { openTestWorld, type TestWorld } from '../support/test-world.ts';

let world: TestWorld;
let site: DashboardSite;

before(async () => {
  world = await openTestWorld();
  site = await openDashboard(world);
});
after(async () => {
  await site.stop();
  await world.stop();
});

/** Runs a command and returns what it printed. */
async function milaan(name: string, options: Record<string, string>): Promise<string> {
  const command = accountCommands[name]!;
  assert.equal(command.needs, 'database');
  const said = mock.method(console, 'log', () => {});
  try {
    if (command.needs === 'database') assert.equal(await command.run(world, options), 0);
    return said.mock.calls.map(call => call.arguments.join(' ')).join('\n');
  } finally {
    said.mock.restore();
  }
}

test('create-operator makes a user who signs in, sees the installation and no business of others', async () => {
  const printed = await milaan('create-operator', { email: 'boss@operator.example' });
  const password = /password {2}(\w{20})/.exec(printed)![1]!;
  const stranger = await callAs(site, world, null);
  const answer = await stranger.post('/dashboard/sign-in', { email: 'boss@operator.example', password });
  assert.equal(answer.headers.location, '/dashboard/operator');
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  assert.equal((await stranger.get('/dashboard/operator/audit', { cookie })).statusCode, 200);
  assert.equal((await stranger.get('/dashboard/team', { cookie })).statusCode, 403);
  await assert.rejects(milaan('create-operator', { email: 'boss@operator.example' }), StartError);
  await assert.rejects(milaan('create-operator', { email: 'nonsense' }), StartError);
  await assert.rejects(
    milaan('create-operator', { email: 'b@operator.example', password: 'short' }),
    StartError,
  );
});

test('reset-password prints a link that works once, for installations without mail', async () => {
  const { users } = await fillMerchant(world);
  const link = new URL(await milaan('reset-password', { email: users.owner.email })).pathname;
  const stranger = await callAs(site, world, null);
  const done = await stranger.post(link, { password: 'a password from a link' });
  assert.equal(done.headers.location, '/dashboard/sign-in?said=chosen');
  assert.equal((await stranger.get(link)).statusCode, 410);
  await assert.rejects(milaan('reset-password', { email: 'nobody@shop.example' }), /nobody signs in as/);
});

test('reset-password --two-step restores the sign-in of a person who lost phone and codes, and notifies the owner', async () => {
  const { users, merchantId } = await fillMerchant(world);
  const { userId, email } = users.support;
  await world.sql`update users set totp_secret = 'sealed' where user_id = ${userId}`;
  const lost = await callAs(site, world, users.support);
  await milaan('reset-password', { email, 'two-step': 'true' });
  assert.equal((await lost.get('/dashboard/account')).statusCode, 303);
  const stranger = await callAs(site, world, null);
  const answer = await stranger.post('/dashboard/sign-in', { email, password: testPassword });
  assert.equal(answer.headers.location, '/dashboard');
  const notices =
    await world.sql`select from notices where merchant_id = ${merchantId} and facts -> 'deed' ->> 'code' = 'two_step_off_by_operator'`;
  assert.equal(notices.length, 1);
});

test('invite-business prints a link that opens a business, and refuses while sign-ups are closed', async () => {
  const { users } = await fillMerchant(world);
  const link = new URL(await milaan('invite-business', { email: 'new@dukaan.example', name: 'Dukaan' }))
    .pathname;
  const stranger = await callAs(site, world, null);
  const opened = await stranger.post(link, { name: 'Dukaan', password: 'a password for a shop' });
  assert.equal(opened.headers.location, '/dashboard');
  await assert.rejects(milaan('invite-business', { email: users.owner.email }), /belongs to another user/);
  const before = world.config;
  world.config = { ...before, signups: 'closed' };
  await assert.rejects(milaan('invite-business', { email: 'c@dukaan.example' }), /SIGNUPS is closed/);
  world.config = before;
});

test('every command’s action is in the audit logs, and their chains verify', async () => {
  const rows = await world.sql<{ action: string }[]>`select action from audit_log where actor = 'operator'`;
  const actions = new Set(rows.map(row => row.action));
  assert.deepEqual([...actions].sort(), [
    'business.invite',
    'operator.create',
    'password.recovery_link',
    'two_step.off',
  ]);
  assert.deepEqual(
    (await findBreaches(world)).filter(line => line.startsWith('audit')),
    [],
  );
});
