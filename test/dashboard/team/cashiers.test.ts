import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayNotice } from '../../../src/texts/say.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { world, site } = useDashboard();
const password = 'seven green umbrellas';

/** A cashier who joined with a password, as a phone without passkeys does, and what the phone then sends. */
async function openShop(name: string) {
  const { merchantId } = await addTestMerchant(world);
  const user = await addTestUser(world, merchantId, 'owner');
  const [owner, stranger] = [await callAs(site, world, user), await callAs(site, world, null)];
  const { body } = await owner.post('/dashboard/team/cashier', { name });
  const link = new URL(/<code id="invitation">([^<]+)</.exec(body)![1]!).pathname;
  const { headers } = await stranger.post(link, { password });
  const [cashier] = await world.sql<{ user_id: string; email: string }[]>`
    select user_id, email from users where merchant_id = ${merchantId} and role = 'cashier'`;
  const cookie = String(headers['set-cookie']).split(';')[0]!;
  return { merchantId, user, owner, stranger, cookie, cashier: cashier! };
}

test('a phone that is signed out can still be ended, because its passkey or password opens again', async () => {
  const { merchantId, user, owner, stranger, cookie, cashier } = await openShop('Kiran');
  const own = `/dashboard/team/members/${cashier.user_id}`;
  await stranger.post('/dashboard/sign-out', {}, { cookie });
  assert.match((await owner.get(own)).body, /Not signed in anywhere[\s\S]*End this phone’s access/);
  const ended = await owner.post(`${own}/end`);
  assert.equal(ended.headers.location, own);
  assert.doesNotMatch((await owner.get(own)).body, /End this phone’s access/);
  const signedIn = await stranger.post('/dashboard/sign-in', { email: cashier.email, password });
  assert.equal(signedIn.statusCode, 401);
  assert.equal((await owner.post(`/dashboard/team/members/${user.userId}/end`)).statusCode, 404);
  const [row] = await world.sql`
    select actor, subject from audit_log where merchant_id = ${merchantId} and action = 'member.end_device'`;
  assert.deepEqual({ ...row }, { actor: user.email, subject: 'Kiran' });
});

test('an owner reads the name of a cashier at what they did, and that a removed one was a cashier', async () => {
  const { merchantId, user, owner, stranger, cookie, cashier } = await openShop('operator x');
  await stranger.post('/dashboard/account/password', { password: 'eight green umbrellas' }, { cookie });
  const names = async () => {
    const { body } = await owner.get('/dashboard/audit');
    assert.ok(!body.includes('phone.invalid'));
    return [
      ...body.matchAll(/<bdi>((?:[^<]*\(Cashier\)|A former cashier|[^<]* joined the team[^<]*))<\/bdi>/g),
    ].map(one => one[1]);
  };
  const shown = 'operator x (Cashier)';
  assert.deepEqual(await names(), [shown, 'operator x joined the team as Cashier', shown]);
  const notices = await world.sql<Parameters<typeof sayNotice>[1][]>`
    select kind, facts from notices where merchant_id = ${merchantId} order by notice_id`;
  const said = notices.map(one => sayNotice('en', one)?.text ?? '');
  assert.ok(
    said.every(text => !text.includes('phone.invalid')),
    said.join(),
  );
  assert.equal(said.filter(text => text.includes('By: operator x (cashier)')).length, 2);
  await owner.post(`/dashboard/team/members/${cashier.user_id}/remove`);
  assert.ok((await names()).includes('A former cashier'));
  assert.ok((await owner.get('/dashboard/audit')).body.includes(user.email));
});

test('people and links work next to processes of the previous release', async () => {
  const { merchantId, owner } = await openShop('Kiran');
  const now = world.clock.now();
  await world.sql`
    insert into users (merchant_id, user_id, email, role, password_hash, created_at)
    values (${merchantId}, 'usr_old', ${`old-${merchantId}@shop.example`}, 'support', 'x', ${now})`;
  await world.sql`
    insert into account_links (merchant_id, link_id, token_hash, purpose, email, role, made_by, created_at, expires_at)
    values (${merchantId}, 'lnk_old', 'x', 'join', 'new@shop.example', 'support', 'o', ${now}, ${new Date(now.getTime() + 1000)})`;
  const { body } = await owner.get('/dashboard/team');
  assert.ok(
    body.includes(`old-${merchantId}@shop.example`) &&
      body.includes('new@shop.example') &&
      body.includes('Kiran'),
  );
});
