import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, later } from '../../../src/base/clock.ts';
import { selectPlans } from '../../../src/business/merchants/plans.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { addTestUser, type Caller, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const home = '/dashboard/operator/plans';
let owner: Caller;

const { world, site } = useDashboard();
prepare(async () => {
  await world.sql`insert into plans (plan, history_days, account_limit) values ('gold', 365, 5)`;
});
const operator = use(async () => callAs(site, world, await addTestUser(world, 0, 'operator')));
prepare(async () => {
  const shop = await addTestMerchant(world, { plan: 'gold' });
  owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  await addTestOrder(world, shop, { payable: 88_37, age: 100 * day });
});

const typo = JSON.stringify({ gold: { history_days: 36, account_limit: 5 } });
const historyOf = async (name: string) =>
  (await selectPlans(world.sql)).find(({ plan }) => plan === name)?.history_days;

test('only the operator sees the plans with their businesses', async () => {
  const { body } = await operator.get(home);
  assert.match(body, /gold/);
  assert.match(body, /365 days/);
  assert.match(body, /1 business</);
  assert.match((await operator.get(`${home}/gold`)).body, /name="history_days" type="text" value="365"/);
  assert.equal((await operator.get(`${home}/silver`)).statusCode, 404);
  assert.equal((await owner.get(`${home}/gold`)).statusCode, 403);
  assert.equal((await owner.get(home)).statusCode, 403);
  assert.equal((await owner.post(home, { plans: typo })).statusCode, 403);
});

test('a change first shows how many orders and businesses it affects, and applies only after agreement', async () => {
  const asked = await operator.post(home, { plans: typo });
  const until = later(world.clock.now(), 14 * day)
    .toISOString()
    .slice(0, 10);
  assert.match(
    asked.body,
    new RegExp(
      `gold: history 365 → 36 days: 1 orders of 1 businesses would leave \\(hidden at once, deleted from ${until} on\\)`,
    ),
  );
  assert.equal(await historyOf('gold'), 365);
  const seen = JSON.stringify({ standard: {}, gold: { history_days: 365, account_limit: 5 } });
  const outdated = JSON.stringify({ standard: {}, gold: { history_days: 90, account_limit: 5 } });
  await operator.post(home, { plans: typo, seen: outdated });
  assert.equal(await historyOf('gold'), 365, 'what they saw was no longer in force');
  assert.equal((await operator.post(home, { plans: typo, seen })).statusCode, 303);
  assert.equal(await historyOf('gold'), 36);
});

test('a plan is changed, added and removed by its fields; a wrong one is shown again as typed', async () => {
  const gold = { was: 'gold', plan: 'gold', account_limit: '5', history_days: '36' };
  const agree = async (fields: Record<string, string>) => {
    const { body } = await operator.post(home, fields);
    const value = (name: string) =>
      (new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '').replaceAll('&quot;', '"');
    const sent = { plans: value('plans'), seen: value('seen') };
    assert.equal((await operator.post(home, sent)).statusCode, 303);
  };
  const wrong = await operator.post(home, { ...gold, history_days: 'many' });
  assert.equal(wrong.statusCode, 400);
  assert.match(wrong.body, /history_days must be a whole number[\s\S]*value="many"/);
  for (const fields of [
    { was: 'new', plan: 'gold' },
    { was: 'new', plan: 'new' },
    { was: 'new', plan: 'A b' },
  ])
    assert.equal((await operator.post(home, fields)).statusCode, 400);
  await agree({ ...gold, monthly_limit_paise: '1,00,000.50', title_en: 'Gold', title_hi: 'सोना' });
  const find = async (name: string) => (await selectPlans(world.sql)).find(({ plan }) => plan === name);
  const changed = await find('gold');
  assert.deepEqual(
    [changed?.monthly_limit_paise, changed?.account_limit, changed?.history_days, changed?.title?.en],
    [1_00_000_50, 5, 36, 'Gold'],
  );
  await agree({ was: 'new', plan: 'silver', price_paise: '499', period_days: '30' });
  assert.equal((await find('silver'))?.price_paise, 499_00);
  await agree({ was: 'silver', plan: 'silver', answer: 'remove' });
  assert.equal(await find('silver'), undefined);
  await agree(gold);
});

test('an invalid plan, or one that takes a plan from its businesses, changes nothing and is explained', async () => {
  for (const plans of ['{', '{"gold": {"history_days": 3}}'])
    assert.equal((await operator.post(home, { plans })).statusCode, 303);
  const seen = JSON.stringify({ standard: {}, gold: { history_days: 36, account_limit: 5 } });
  await operator.post(home, { plans: '{}', seen });
  assert.equal(await historyOf('gold'), 36);
});
