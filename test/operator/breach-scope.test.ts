import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { later, minute } from '../../src/base/clock.ts';
import { StartError } from '../../src/base/start-error.ts';
import { recordAudit } from '../../src/business/accounts/record-audit.ts';
import { breachScopeCommand } from '../../src/operator/commands/breach-scope.ts';
import { addBusyShop } from '../support/busy-shop.ts';
import { addTestUser, callAs } from '../support/dashboard-site.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { prepare, use } from '../support/use.ts';
import { useDashboard } from '../support/use-dashboard.ts';

const { world, site } = useDashboard();
const shop = use(() => addBusyShop(world));
prepare(async () => {
  await addTestMerchant(world, { name: 'Untouched' });
});

async function scope(options: Record<string, string>): Promise<string> {
  const said = mock.method(console, 'log', () => {});
  try {
    if (breachScopeCommand.needs === 'database') await breachScopeCommand.run(world, options);
    return said.mock.calls.map(call => call.arguments.join(' ')).join('\n');
  } finally {
    said.mock.restore();
  }
}

const since = () => later(world.clock.now(), -minute).toISOString();

test('a stolen sign-in reaches its business and every action there, also by a person removed since, and no other business', async () => {
  const user = await addTestUser(world, shop.merchantId, 'manager');
  const manager = await callAs(site, world, user);
  await manager.get('/dashboard/orders/export.csv');
  const [expected] = await world.sql<{ customers: number; payers: number; people: number }[]>`
    select (select count(distinct customer ->> 'email') from orders where merchant_id = ${shop.merchantId} and customer ->> 'email' <> '') as customers,
      (select count(distinct lower(payer)) from alerts where merchant_id = ${shop.merchantId}) as payers,
      (select count(*) from users where merchant_id = ${shop.merchantId}) as people`;
  const printed = await scope({ account: user.email.toUpperCase(), since: since() });
  assert.match(
    printed,
    new RegExp(
      `business ${shop.merchantId} ".*": \\d+ customers? in orders, ${expected!.payers} payers? in bank mails, ${expected!.people} of its team`,
    ),
  );
  assert.match(printed, /orders\.export once, .*, from 127\.0\.0\.1/);
  assert.match(printed, /within reach: 1 business, at most \d+ persons/);
  assert.doesNotMatch(printed, /Untouched/);
  await world.sql`delete from sessions where user_id = ${user.userId}`;
  await world.sql`delete from users where user_id = ${user.userId}`;
  assert.match(
    await scope({ account: user.email, since: since() }),
    /removed from the team since.*orders\.export once/s,
  );
  const operator = await addTestUser(world, 0, 'operator');
  assert.match(
    await scope({ account: operator.email, since: since() }),
    /is an operator.*within reach: 2 businesses/s,
  );
  // A look that an owner gave showed orders and payers.
  const who = {
    merchantId: shop.merchantId,
    actor: `operator ${operator.email}`,
    address: '',
    now: world.clock.now(),
  };
  await world.sql.begin(tx => recordAudit(tx, who, { action: 'look.begin', subject: 'Chai Point' }));
  assert.match(
    await scope({ account: operator.email, since: since() }),
    /1 payer in bank mails.*on screen during a look.*within reach: 2 businesses, at most 1 person/s,
  );
});

test('a stolen key reaches the days on which it read, and nothing after it was revoked; a stolen process reaches everything', async () => {
  const { sql, clock } = world;
  const [key] = await sql<
    { key_id: string }[]
  >`select key_id from api_keys where merchant_id = ${shop.merchantId} limit 1`;
  const keyId = key!.key_id;
  await sql`insert into key_reads (merchant_id, key_id, day, reads) values (${shop.merchantId}, ${keyId}, ${clock.now()}::date, 41)`;
  const printed = await scope({ key: keyId, since: since() });
  assert.match(printed, /not revoked: creates and reads orders.*2026-11-\d\d: 41/s);
  assert.doesNotMatch(printed, /payers in bank mails/);
  await sql`update api_keys set revoked_at = ${later(clock.now(), -2 * minute)} where key_id = ${keyId}`;
  assert.match(await scope({ key: keyId, since: since() }), /was revoked at .*: it reached nothing since/);
  const all = await scope({ process: 'web-1', since: since() });
  assert.match(all, /SECRET_KEY.*"Untouched".*within reach: 2 businesses/s);
});

test('breach-scope explains what it cannot answer: no such name, no moment, two questions at once', async () => {
  for (const wrong of [
    { account: 'nobody@nowhere.example', since: since() },
    { key: 'key_unknown', since: since() },
    { account: 'a@b.example', since: 'yesterday' },
    { account: 'a@b.example', since: '2999-01-01' },
    { account: 'a@b.example', key: 'key_x', since: since() },
    { since: since() },
  ] as Record<string, string>[])
    await assert.rejects(scope(wrong), StartError);
});
