import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Milaan, type NewOrder } from '../../sdk/src/milaan.ts';
import { readAnswer } from '../../sdk/src/read-answer.ts';
import { refusalCodes } from '../../src/base/http/api-error.ts';
import { showOptional } from '../../src/orders/optional-fields.ts';
import { orderBody } from '../support/api.ts';
import { errorOf } from '../support/error-of.ts';
import { openListeningApi } from '../support/listening-api.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { prepare, use } from '../support/use.ts';

let milaan: Milaan;
const api = use(openListeningApi);
prepare(async () => {
  milaan = api.client();
});

const newOrder = (change: Partial<NewOrder> = {}) => ({ ...orderBody(), ...change }) as NewOrder;

test('creates an order, replays it by its id, and gets it with every field of the type', async () => {
  const order = newOrder({ amount: 249.5, customer: { name: 'आशा', email: 'asha@example.com' } });
  const created = await milaan.createOrder(order);
  assert.equal(created.status, 'pending');
  assert.equal(created.idempotent_replay, undefined);
  assert.match(created.qr_base64 ?? '', /^data:image\/svg\+xml;base64,/);

  const replay = await milaan.createOrder({ ...order, amount: 1 });
  assert.equal(replay.idempotent_replay, true);
  assert.equal(replay.order_id, created.order_id);

  const got = await milaan.getOrder(created.order_id);
  assert.deepEqual(got, {
    order_id: created.order_id,
    merchant_order_id: order.merchant_order_id,
    amount: 249.5,
    payable_amount: created.payable_amount,
    status: 'pending',
    created_at: got.created_at,
    expires_at: created.expires_at,
    paid_at: null,
    payment_url: created.payment_url,
    upi_uri: created.upi_uri,
    payment_account_id: created.payment_account_id,
    success_url: order.success_url,
    failure_url: order.failure_url,
    customer: { name: 'आशा', email: 'asha@example.com' },
    ...showOptional({}),
    received_amount: null,
  });
});

test('walks over every page once, newest first, with the filter on each page', async () => {
  const merchant = await addTestMerchant(api.world, { name: 'Many Orders' });
  const own = api.client({ apiKey: merchant.apiKey });
  const made: string[] = [];
  for (let number = 0; number < 7; number++) {
    made.push((await own.createOrder(newOrder())).order_id);
    api.world.clock.advance(1000);
  }
  const walked: string[] = [];
  for await (const order of own.orders({ limit: 3, status: 'pending' })) walked.push(order.order_id);
  assert.deepEqual(walked, made.toReversed());

  const none: string[] = [];
  for await (const order of own.orders({ status: 'paid' })) none.push(order.order_id);
  assert.deepEqual(none, []);
});

test('finds an order by the shop’s id, whatever characters it has', async () => {
  const merchant_order_id = 'cart 7 & 8/९?#+';
  const created = await milaan.createOrder(newOrder({ merchant_order_id }));
  const page = await milaan.listOrders({ merchant_order_id });
  assert.deepEqual(
    page.data.map(order => order.order_id),
    [created.order_id],
  );
  assert.equal(page.has_more, false);
  assert.equal(page.next_cursor, null);
});

test('reports a refusal with its code, status, details and request id', async () => {
  const error = await errorOf(milaan.createOrder(newOrder({ amount: 0 })));
  assert.equal(error.code, 'invalid_request');
  assert.equal(error.status, 400);
  assert.equal(error.details, 'amount must be a number greater than 0 and at most 1000000');
  assert.equal(error.attempts, 1);
  assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/);
  assert.match(error.message, /amount must be a number/);
});

test('names an older service’s details once, if the message lacks them', () => {
  const read = (message: string) => () =>
    readAnswer(400, new Headers(), JSON.stringify({ error: 'x', message, details: 'limit is odd' }), 1);
  assert.throws(read('Not valid.'), { message: 'Not valid. limit is odd' });
  assert.throws(read('Not valid: limit is odd.'), { message: 'Not valid: limit is odd.' });
});

test('distinguishes an unknown order, an unknown key and a bad list parameter', async () => {
  assert.equal((await errorOf(milaan.getOrder('ML-0000000000'))).code, 'order_not_found');
  assert.equal((await errorOf(milaan.getOrder('../orders'))).code, 'order_not_found');
  const stranger = api.client({ apiKey: 'ml_test_nobody' });
  assert.equal((await errorOf(stranger.listOrders())).code, 'invalid_api_key');
  assert.equal(
    (await errorOf(milaan.listOrders({ limit: 101 }))).details,
    'limit must be a whole number from 1 to 100',
  );
});

test('carries the plan limit of a 402 as numbers in paise', async () => {
  const { sql } = api.world;
  const plan = { plan: 'tiny', monthly_limit_paise: 50_000, upgrade_url: 'https://pay.example.in/plans' };
  await sql`insert into plans ${sql(plan)}`;
  const { merchantId, apiKey } = await addTestMerchant(api.world, { name: 'Small Shop', plan: 'tiny' });
  await sql`insert into collections ${sql({ merchant_id: merchantId, month: '2026-11-01', collected_paise: 60_000 })}`;
  const error = await errorOf(api.client({ apiKey }).createOrder(newOrder()));
  assert.equal(error.code, 'plan_limit_reached');
  assert.equal(error.status, 402);
  assert.equal(error.limitPaise, 50_000);
  assert.equal(error.collectedPaise, 60_000);
  assert.equal(error.upgradeUrl, 'https://pay.example.in/plans');
});

test('has every code of the service’s answers', async () => {
  const known: Record<import('../../sdk/src/milaan.ts').ServiceErrorCode, true> = {
    invalid_request: true,
    invalid_payment_account: true,
    invalid_code: true,
    missing_api_key: true,
    invalid_api_key: true,
    payment_account_paused: true,
    plan_limit_reached: true,
    merchant_disabled: true,
    foreign_origin: true,
    not_found: true,
    order_not_found: true,
    method_not_allowed: true,
    request_timeout: true,
    upi_not_configured: true,
    request_too_large: true,
    rate_limited: true,
    headers_too_large: true,
    internal_error: true,
    all_payment_slots_busy: true,
    service_unavailable: true,
  };
  assert.deepEqual(Object.keys(known).sort(), [...refusalCodes].sort());
});

test('refuses settings that cannot work, before any request', () => {
  const make = (options: object) => () => new Milaan({ baseUrl: api.url, apiKey: 'key', ...options });
  assert.throws(make({ baseUrl: 'pay.example.in' }), /baseUrl/);
  assert.throws(make({ baseUrl: 'ftp://pay.example.in' }), /baseUrl/);
  assert.throws(make({ apiKey: '' }), /apiKey/);
  assert.throws(make({ apiKey: undefined }), /apiKey/);
  assert.throws(make({ apiKey: 'a\nb' }), /apiKey/);
  assert.throws(make({ retries: -1 }), /retries/);
  assert.throws(make({ timeoutMs: Number.NaN }), /timeoutMs/);
});

test('does not show its key when it is logged', () => {
  const shown = inspect(milaan, { depth: 9, showHidden: true }) + JSON.stringify(milaan);
  assert.ok(!shown.includes(api.merchant.apiKey));
});
