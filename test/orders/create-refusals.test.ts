import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hour, minute } from '../../src/base/clock.ts';
import type { Paise } from '../../src/base/money.ts';
import { newApiKey } from '../../src/business/merchants/api-key.ts';
import { createApiKey } from '../../src/business/merchants/create-api-key.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import {
  ensureUnapprovedPlan,
  type Plan,
  readPlans,
  storePlans,
  unapprovedPlan,
} from '../../src/business/merchants/plans.ts';
import { setDisabled, setPlan } from '../../src/business/merchants/queries.ts';
import { addUpiAccount, chooseDefaultAccount } from '../../src/business/merchants/upi-accounts.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { openTestApi, orderBody } from '../support/api.ts';
import { storedCredit } from '../support/credit.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { prepare, use } from '../support/use.ts';

const api = use(openTestApi);
prepare(async () => {
  await storePlans(api.world.sql, plans);
});

const unlimited = readPlans(null)[0]!;
const upgrade_url = 'https://pay.example.in/upgrade';
const plans: Plan[] = [
  unlimited,
  { ...unlimited, plan: 'one', account_limit: 1, upgrade_url },
  { ...unlimited, plan: 'small', monthly_limit_paise: 50_000, upgrade_url },
  { ...unlimited, plan: 'tiny', monthly_limit_paise: 1 },
];

describe('§7 errors of create', () => {
  const send = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/orders',
      headers: { 'x-api-key': api.merchant.apiKey, 'content-type': 'application/json', ...headers },
      payload,
    });
  const valid = () => JSON.stringify(orderBody());

  test('400 invalid_request: the body is not JSON', async () => {
    const bodies: (string | Buffer)[] = [
      '',
      'null',
      '[]',
      '"x"',
      valid().slice(0, -1),
      `${valid()}x`,
      `\ufeff${valid()}`,
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from(`",${valid().slice(1)}`)]),
      '['.repeat(30_000),
      `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ];
    for (const body of bodies) {
      const response = await send(body);
      assert.deepEqual(
        [response.statusCode, response.json().error],
        [400, 'invalid_request'],
        String(body).slice(0, 40),
      );
      assert.equal(typeof response.json().details, 'string');
    }
  });

  test('400 invalid_request: a wrong, missing or encoded content type', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/jsonx' },
      { 'content-encoding': 'gzip' },
    ]) {
      assert.equal((await send(valid(), headers)).statusCode, 400, JSON.stringify(headers));
    }
    const bare = await api.app.inject({
      method: 'POST',
      url: '/api/v1/orders',
      headers: { 'x-api-key': api.merchant.apiKey },
      payload: Buffer.from(valid()),
    });
    assert.equal(bare.statusCode, 400);
    assert.equal(
      (await send(valid(), { 'content-type': 'application/json; charset=UTF-8' })).statusCode,
      201,
    );
  });

  test('413 for 70 kB, as JSON', async () => {
    const response = await send(JSON.stringify(orderBody({ extra: 'x'.repeat(70_000) })));
    assert.deepEqual([response.statusCode, response.json().error], [413, 'request_too_large']);
  });

  test('409 upi_not_configured: no UPI account yet, or the default was removed', async () => {
    const merchantId = await createMerchant(api.world.sql, api.world, { name: 'New' });
    const { apiKey } = await createApiKey(api.world.sql, api.world, merchantId, 'k');
    const response = await api.create({}, apiKey);
    assert.deepEqual([response.statusCode, response.json().error], [409, 'upi_not_configured']);
    assert.equal((await api.create({ payment_account_id: 'acc_x' }, apiKey)).statusCode, 400);
  });

  test('402 payment_account_paused: accounts beyond the plan’s cap, oldest kept, with upgrade_url; an upgrade un-pauses at once', async () => {
    const shop = await addTestMerchant(api.world);
    await setPlan(api.world.sql, shop.merchantId, 'one');
    api.world.clock.advance(1);
    const second = await api.world.sql.begin(tx =>
      addUpiAccount(tx, api.world, shop.merchantId, {
        bank: 'hdfc',
        vpa: 'b@ybl',
        payeeName: 'B',
        kind: 'personal',
      }),
    );
    assert.equal((await api.create({}, shop.apiKey)).statusCode, 201);
    const paused = await api.create({ payment_account_id: second }, shop.apiKey);
    assert.deepEqual(
      [paused.statusCode, paused.json().error, paused.json().upgrade_url],
      [402, 'payment_account_paused', 'https://pay.example.in/upgrade'],
    );
    await api.world.sql`update plans set upgrade_url = null where plan = 'one'`;
    const refused = await api.create({ payment_account_id: second }, shop.apiKey);
    assert.equal(refused.json().upgrade_url, `${api.world.baseUrl}/dashboard/plan`, 'never null');
    await api.world.sql.begin(tx => chooseDefaultAccount(tx, shop.merchantId, second));
    assert.equal((await api.create({}, shop.apiKey)).json().error, 'payment_account_paused');
    await setPlan(api.world.sql, shop.merchantId, 'standard');
    assert.equal((await api.create({}, shop.apiKey)).statusCode, 201);
  });

  test('402 plan_limit_reached: this month’s collections in Asia/Kolkata reached the limit, with _paise fields', async () => {
    const shop = await addTestMerchant(api.world);
    await setPlan(api.world.sql, shop.merchantId, 'small');
    // 23:59:59.999 in India on the last day of November
    api.world.clock.set('2026-11-30T18:29:59.999Z');
    const collect = (paise: number) => api.world.sql`
      insert into collections (merchant_id, month, collected_paise) values (${shop.merchantId}, '2026-11-01', ${paise})
      on conflict (merchant_id, month) do update set collected_paise = ${paise}`;
    await collect(49_999);
    assert.equal((await api.create({}, shop.apiKey)).statusCode, 201);
    await collect(50_000);
    const { statusCode, ...response } = await api.create({}, shop.apiKey);
    const body = JSON.parse(response.body);
    assert.deepEqual(
      [statusCode, body.error, body.limit_paise, body.collected_paise, body.upgrade_url],
      [402, 'plan_limit_reached', 50_000, 50_000, 'https://pay.example.in/upgrade'],
    );
    await api.world.sql`update plans set upgrade_url = null where plan = 'small'`;
    const refused = await api.create({}, shop.apiKey);
    assert.equal(refused.json().upgrade_url, `${api.world.baseUrl}/dashboard/plan`, 'never null');
    api.world.clock.advance(1);
    assert.equal((await api.create({}, shop.apiKey)).statusCode, 201, 'a new month in India');
  });

  test('402 plan_limit_reached: while a business awaits approval, open orders count too, also at once', async () => {
    const { world } = api;
    const shop = await addTestMerchant(world);
    await world.sql.begin(ensureUnapprovedPlan);
    await setPlan(world.sql, shop.merchantId, unapprovedPlan);
    assert.equal((await api.create({ amount: 5_001 }, shop.apiKey)).json().error, 'plan_limit_reached');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => api.create({ amount: 1_200 + at }, shop.apiKey)),
    );
    const made = answers.filter(({ statusCode }) => statusCode === 201).map(answer => answer.json());
    assert.equal(made.length, 4);
    const [paid] = made;
    const payable = Math.round(paid.payable_amount * 100);
    const credit = await storedCredit(world, shop.merchantId, { amount: payable as Paise });
    assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
    const left = { amount: 5_000 - Math.ceil(made.reduce((sum, one) => sum + one.payable_amount, 0)) };
    assert.equal((await api.create({ amount: left.amount + 1 }, shop.apiKey)).statusCode, 402);
    assert.equal((await api.create(left, shop.apiKey)).statusCode, 201, 'a paid one counts once');
    world.clock.advance(1 * hour);
    assert.equal(
      (await api.create({ amount: 3_500 }, shop.apiKey)).statusCode,
      201,
      'what nobody paid is free again',
    );
    assert.equal((await api.create({ amount: 3_500 }, shop.apiKey)).statusCode, 402);
    await setPlan(world.sql, shop.merchantId, 'small');
    assert.equal((await api.create({ amount: 90_000 }, shop.apiKey)).statusCode, 402, 'collected alone');
  });

  test('the order of answers: 401, 403, unusable id 400, replay 200, fields 400, account 400, plan 402, amount 503', async () => {
    const shop = await addTestMerchant(api.world);
    const now = api.world.clock.now();
    const used = (await api.create({ merchant_order_id: 'used', amount: 3 }, shop.apiKey)).json();
    await Promise.all(Array.from({ length: 296 }, () => api.createPatiently({ amount: 3 }, shop.apiKey)));
    await setPlan(api.world.sql, shop.merchantId, 'tiny');
    await api.world.sql`insert into collections (merchant_id, month, collected_paise)
      values (${shop.merchantId}, date_trunc('month', ${now}::timestamptz at time zone 'Asia/Kolkata')::date, 5)`;
    const bad = { amount: 3, success_url: 1, payment_account_id: 'nope' };
    const answer = async (change: Record<string, unknown>, key = shop.apiKey) => {
      const response = await api.create(change, key);
      return `${response.statusCode} ${response.json().error ?? response.json().order_id}`;
    };
    await setDisabled(api.world.sql, shop.merchantId, now);
    assert.equal(
      await answer({ ...bad, merchant_order_id: '' }, newApiKey(shop.merchantId, 'test')),
      '401 invalid_api_key',
    );
    assert.equal(await answer({ ...bad, merchant_order_id: '' }), '403 merchant_disabled');
    await setDisabled(api.world.sql, shop.merchantId, null);
    assert.equal(await answer({ ...bad, merchant_order_id: '' }), '400 invalid_request');
    assert.equal(await answer({ ...bad, merchant_order_id: 'used' }), `200 ${used.order_id}`);
    assert.equal(await answer(bad), '400 invalid_request');
    assert.equal(await answer({ ...bad, success_url: 'https://s.example/' }), '400 invalid_payment_account');
    assert.equal(await answer({ amount: 3 }), '402 plan_limit_reached');
    await setPlan(api.world.sql, shop.merchantId, 'standard');
    assert.equal(await answer({ amount: 3 }), '503 all_payment_slots_busy');
    api.world.clock.advance(17 * minute);
    assert.equal((await api.create({ amount: 3 }, shop.apiKey)).statusCode, 201);
  });
});
