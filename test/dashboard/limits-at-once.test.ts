import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { addAlertAddress } from '../../src/alerts/addresses/add-alert-address.ts';
import { askToConnect } from '../support/connecting-shop.ts';
import { addTestUser, callAs } from '../support/dashboard-site.ts';
import { inTurn } from '../support/in-turn.ts';
import { registrationAnswer } from '../support/software-passkey.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { useDashboard } from '../support/use-dashboard.ts';

const { world, site } = useDashboard();

test('fifty of sixty API keys created at once are made, with the first one, and the others are refused with the reason', async () => {
  const { merchantId } = await addTestMerchant(world);
  const owner = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) => owner.post('/dashboard/integrations/keys', { name: `Till ${at}` })),
  );
  const [row] = await world.sql<{ count: number }[]>`
    select count(*) as count from api_keys where merchant_id = ${merchantId} and revoked_at is null`;
  assert.equal(row!.count, 50);
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 49);
  const refused = answers.filter(({ statusCode }) => statusCode === 400);
  assert.equal(refused.length, 11);
  for (const { body } of refused) assert.match(body, /50/);
});

test('ten of fifteen extra alert addresses added at once are stored', async () => {
  const { merchantId } = await addTestMerchant(world);
  const outcomes = await Promise.all(
    Array.from({ length: 15 }, (_, at) =>
      addAlertAddress(world, merchantId, `alerts-${at}@shop.example`, async () => true),
    ),
  );
  assert.equal(outcomes.filter(({ outcome }) => outcome === 'code_sent').length, 10);
  const [row] = await world.sql<{ count: number }[]>`
    select count(*) as count from extra_alert_addresses where merchant_id = ${merchantId}`;
  assert.equal(row!.count, 10);
});

test('a new address that is added six times at once gets three codes', async () => {
  const { merchantId } = await addTestMerchant(world);
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () =>
      addAlertAddress(world, merchantId, 'once@shop.example', async () => true),
    ),
  );
  assert.equal(outcomes.filter(({ outcome }) => outcome === 'code_sent').length, 3);
});

test('a person with nineteen passkeys who answers five questions at once has twenty', async () => {
  const { merchantId } = await addTestMerchant(world);
  const user = await addTestUser(world, merchantId, 'owner');
  for (let at = 0; at < 19; at++)
    await world.sql`insert into passkeys ${world.sql({
      merchant_id: merchantId,
      user_id: user.userId,
      credential_id: randomBytes(16).toString('base64url'),
      name: `Phone ${at}`,
      public_key: randomBytes(77),
      counter: 0,
      transports: ['internal'],
      created_at: world.clock.now(),
    })}`;
  const owner = await callAs(site, world, user);
  const path = '/dashboard/account/passkeys';
  const offers = await Promise.all(Array.from({ length: 5 }, () => owner.post(`${path}/options`)));
  const answers = await Promise.all(
    offers.map(offer =>
      owner.post(path, {
        name: 'One more',
        response: registrationAnswer(offer.json<{ challenge: string }>().challenge, site.origin),
      }),
    ),
  );
  assert.equal(answers.filter(({ statusCode }) => statusCode === 303).length, 1);
  const [row] = await world.sql<{ count: number }[]>`
    select count(*) as count from passkeys where user_id = ${user.userId}`;
  assert.equal(row!.count, 20);
});

/** An owner's two requests while another owner removes the role, and what is left afterwards. */
async function askWhileDemoted(
  ask: (ids: { enemy: string; third: string }) => [path: string, fields: object],
) {
  const { merchantId } = await addTestMerchant(world);
  const [first, enemy] = [
    await addTestUser(world, merchantId, 'owner'),
    await addTestUser(world, merchantId, 'owner'),
  ];
  const { userId: third } = await addTestUser(world, merchantId, 'support');
  const [owner, late] = [await callAs(site, world, first), await callAs(site, world, enemy)];
  const [path, fields] = ask({ enemy: enemy.userId, third });
  const statuses = await inTurn(
    world,
    merchantId,
    () => owner.post(`/dashboard/team/members/${enemy.userId}/role`, { role: 'support' }),
    () => late.post(path, { ...fields }),
  );
  const people = await world.sql<{ role: string }[]>`
    select role from users where merchant_id = ${merchantId} order by role`.column();
  const links =
    await world.sql`select from account_links where merchant_id = ${merchantId} and used_at is null`;
  return { statuses, people, links: links.length };
}

test('an owner whose role is being taken neither invites, nor takes it back, nor removes anybody', async () => {
  const team = '/dashboard/team';
  const email = 'back-door@elsewhere.example';
  const invited = await askWhileDemoted(() => [`${team}/invite`, { email, role: 'owner' }]);
  const byPhone = await askWhileDemoted(() => [`${team}/cashier`, { name: 'Back door' }]);
  const back = await askWhileDemoted(({ enemy }) => [`${team}/members/${enemy}/role`, { role: 'owner' }]);
  const removal = await askWhileDemoted(({ third }) => [`${team}/members/${third}/remove`, {}]);
  const rest = { people: ['owner', 'support', 'support'], links: 0 };
  assert.deepEqual(
    [invited, byPhone, back, removal],
    [
      { statuses: [303, 403], ...rest },
      { statuses: [303, 403], ...rest },
      { statuses: [303, 404], ...rest },
      { statuses: [303, 404], ...rest },
    ],
  );
});

test('a change that takes a moment is not made when its session was ended elsewhere', async () => {
  world.dns.addresses.set('tea.example', ['93.184.216.34']);
  const { merchantId, accountId } = await addTestMerchant(world);
  const owner = await addTestUser(world, merchantId, 'owner');
  const url = 'https://tea.example/hook';
  const { parameters } = askToConnect();
  const changes: Record<string, (offer: { challenge: string }) => Record<string, string>> = {
    '/dashboard/account/passkeys': ({ challenge }) => ({
      response: registrationAnswer(challenge, site.origin),
    }),
    '/dashboard/webhooks/events': () => ({ webhook_url: url, event: 'payment.unmatched' }),
    '/dashboard/webhooks/test': () => ({ url }),
    '/dashboard/connect': () => ({ ...parameters, payment_account_id: accountId, answer: 'agree' }),
    '/dashboard/account/password': () => ({ password: 'seven green umbrellas' }),
  };
  const here = await callAs(site, world, owner);
  const endOthers = () => here.post('/dashboard/account/sessions/end-others');
  for (const [path, fields] of Object.entries(changes)) {
    const there = await callAs(site, world, owner);
    const offer = (await there.post('/dashboard/account/passkeys/options')).json<{ challenge: string }>();
    const [, status] = await inTurn(world, merchantId, endOthers, () => there.post(path, fields(offer)));
    assert.equal(status, 403, path);
  }
  const made = await world.sql`
    select action from audit_log where merchant_id = ${merchantId} and action <> 'session.end_others'`;
  assert.deepEqual([...made], []);
});
