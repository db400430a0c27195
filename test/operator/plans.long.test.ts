import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { day, later } from '../../src/base/clock.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { type Plan, readPlans, selectPlans, storePlans } from '../../src/business/merchants/plans.ts';
import { setPlan } from '../../src/business/merchants/queries.ts';
import { applyPlansFile } from '../../src/operator/commands/describe-plans.ts';
import { openTestApi } from '../support/api.ts';
import { runMilaan } from '../support/run-milaan.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { prepare, use } from '../support/use.ts';

let folder: string;
const file = (plans: object) => {
  const path = join(folder, 'plans.json');
  writeFileSync(path, JSON.stringify(plans));
  return path;
};
prepare(async () => {
  folder = mkdtempSync(join(tmpdir(), 'milaan-plans-'));
});
const api = use(openTestApi);
after(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const gold = { gold: { history_days: 365, account_limit: 5 } };
beforeEach(async () => {
  const { sql } = api.world;
  await sql`update merchants set plan = 'standard'`;
  await storePlans(sql, readPlans(file(gold)));
});

const milaan = (args: string[], env: Record<string, string> = {}) =>
  runMilaan(
    {
      PUBLIC_URL: 'https://pay.example.in',
      DATABASE_URL: api.world.databaseUrl,
      SECRET_KEY: newSecretKey(),
      ...env,
    },
    ...args,
  );

const historyOf = async (name: string) =>
  (await selectPlans(api.world.sql)).find(({ plan }) => plan === name)?.history_days;

test('only apply-plans writes plans, and every other command works next to it', async () => {
  const { sql } = api.world;
  const shop = await addTestMerchant(api.world, { plan: 'gold' });
  const inForce = await selectPlans(sql);
  const files = [
    {},
    { PLANS_FILE: file({ gold: { history_days: 36 } }) },
    { PLANS_FILE: file({ standard: { history_days: 7 } }) },
    { PLANS_FILE: '/nowhere/plans.json' },
  ];
  for (const env of files) {
    const listed = await milaan(['list-businesses'], env);
    assert.equal(listed.code, 0, listed.err);
    assert.match(listed.out, new RegExp(`^${shop.merchantId}\tactive\tgold\t`, 'm'));
    assert.deepEqual(await selectPlans(sql), inForce);
  }
  const verified = await milaan(['verify'], files[2]);
  assert.equal(verified.code, 0, verified.out + verified.err);
  assert.deepEqual(await selectPlans(sql), inForce);
});

test('apply-plans shows the difference in businesses and orders, and changes nothing without agreement', async () => {
  const { sql, clock } = api.world;
  clock.set(new Date());
  const shops = [
    await addTestMerchant(api.world, { plan: 'gold' }),
    await addTestMerchant(api.world, { plan: 'gold' }),
  ];
  for (const { apiKey } of shops) for (const _ of [1, 2, 3]) await api.create({}, apiKey);
  await sql`update orders set created_at = ${later(new Date(), -100 * day)}, expires_at = ${later(new Date(), -100 * day)}
    where merchant_id in ${sql(shops.map(({ merchantId }) => merchantId))}`;
  await api.create({}, shops[0]!.apiKey);
  const typo = file({ gold: { history_days: 36, account_limit: 5 } });
  const asked = await milaan(['apply-plans', typo]);
  assert.match(
    asked.out,
    /^gold: history 365 → 36 days: 6 orders of 2 businesses would leave \(hidden at once, /m,
  );
  assert.match(asked.err, /there is no terminal to ask at: --yes agrees/);
  assert.deepEqual([asked.code, await historyOf('gold')], [1, 365]);
  assert.equal((await milaan(['apply-plans', typo, '--yes'])).code, 0);
  assert.equal(await historyOf('gold'), 36);
  const [entry] =
    await sql`select action, subject from audit_log where merchant_id = 0 order by seq desc limit 1`;
  assert.deepEqual(entry, { action: 'plans.apply', subject: 'gold' });
  assert.match((await milaan(['apply-plans', typo])).out, /in force already/);
  assert.match((await milaan(['list-plans'])).out, /^gold\t2\t.*history 36 days/m);
});

test('a plan with businesses is not removed, and one without is', async () => {
  const shop = await addTestMerchant(api.world, { plan: 'gold' });
  const without = file({ silver: {} });
  const refused = await milaan(['apply-plans', without, '--yes']);
  assert.match(refused.err, /plan "gold" is not in the file, but businesses are on it \(1\)/);
  assert.deepEqual([refused.code, await historyOf('gold')], [1, 365]);
  await setPlan(api.world.sql, shop.merchantId, 'standard');
  assert.equal((await milaan(['apply-plans', without, '--yes'])).code, 0);
  assert.deepEqual(
    (await selectPlans(api.world.sql)).map(({ plan }) => plan),
    ['silver', 'standard'],
  );
});

test('a wrong plans file is refused in one sentence', async () => {
  for (const [plans, sentence] of [
    [{ gold: { history_days: 3 } }, /history_days must be a whole number of at least 7/],
    [{ gold: { history: 30 } }, /unknown field "history"/],
  ] as const)
    assert.match((await milaan(['apply-plans', file(plans), '--yes'])).err, sentence);
  assert.match((await milaan(['apply-plans', '/nowhere'])).err, /the file cannot be read: ENOENT/);
});

test('two simultaneous apply-plans: the second is refused, because what it showed has changed', async () => {
  const { sql } = api.world;
  const seen = await selectPlans(sql);
  const change = (days: number): Plan[] =>
    seen.map(plan => (plan.plan === 'gold' ? { ...plan, history_days: days } : plan));
  const answers = await Promise.allSettled([
    storePlans(sql, change(90), seen),
    storePlans(sql, change(60), seen),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('the first start stores the file while there is no business; later starts warn and change nothing', async () => {
  const said: string[] = [];
  const path = file({ gold: { history_days: 36 } });
  await applyPlansFile(api.world, path, line => said.push(line));
  assert.match(
    said.join('\n'),
    /^warning: PLANS_FILE differs from the plans in force \(gold\); milaan apply-plans /,
  );
  assert.equal(await historyOf('gold'), 365);
  const empty = await openTestApi();
  try {
    await empty.world.sql`delete from history_progress`;
    await empty.world.sql`truncate merchants cascade`;
    await applyPlansFile(empty.world, path, line => said.push(line));
    const stored = await selectPlans(empty.world.sql);
    assert.deepEqual([stored.map(({ plan }) => plan), said.length], [['gold', 'standard'], 1]);
  } finally {
    await empty.stop();
  }
});
