import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Milaan } from '../../sdk/src/milaan.ts';
import { freePort } from '../../src/base/free-port.ts';
import { createApiKey } from '../../src/business/merchants/create-api-key.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import { openTestApi, orderBody } from '../support/api.ts';
import { errorOf } from '../support/error-of.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

const api = use(openTestApi);
const base = 'https://pay.example.in';

test('a refused create says which field is wrong and how, in `message` too', async () => {
  const said = async (change: Record<string, unknown>) => {
    const { error, message, details, doc_url } = (await api.create(change)).json();
    assert.deepEqual([error, doc_url], ['invalid_request', `${base}/docs/errors#invalid_request`]);
    assert.equal(message, `The request is not valid: ${details}.`);
    return details as string;
  };
  const cases: [Record<string, unknown>, string][] = [
    [{ amount: '499' }, 'amount must be a number, not a string: 499, not "499"'],
    [{ amount: -1 }, 'amount must be a number greater than 0 and at most 1000000'],
    [{ merchant_order_id: undefined }, 'merchant_order_id is required'],
    [{ merchant_order_id: null }, 'merchant_order_id is required'],
    [{ merchant_order_id: 7 }, 'merchant_order_id must be a string'],
    [{ success_url: undefined }, 'success_url is required'],
    [{ success_url: undefined, failure_url: undefined }, 'success_url and failure_url are required'],
    [
      { amount: undefined, success_url: undefined, failure_url: undefined },
      'amount, success_url and failure_url are required',
    ],
    [{ customer: 'Asha' }, 'customer must be an object'],
    [{ customer: { name: 5 } }, 'customer.name must be a string'],
    [{ webhook_url: 5 }, 'webhook_url must be a string'],
    [{ webhook_url: 'https://10.0.0.8/hook' }, 'webhook_url must not be a private or reserved address'],
  ];
  for (const [change, details] of cases) assert.equal(await said(change), details);
});

test('every other refusal has its own sentence and a link to its documentation', async () => {
  for (const [path, key, code] of [
    ['/orders', '', 'missing_api_key'],
    ['/orders', 'nope', 'invalid_api_key'],
    ['/orders/ML-0000000000', api.merchant.apiKey, 'order_not_found'],
    ['/nothing', api.merchant.apiKey, 'not_found'],
  ] as const) {
    const body = (await api.get(path, key)).json();
    assert.deepEqual([body.error, body.doc_url], [code, `${base}/docs/errors#${code}`]);
    assert.notEqual(body.message, 'The request is not valid.');
  }
});

test('a business without a UPI ID is sent to the page where one is added', async () => {
  const bare = await createMerchant(api.world.sql, api.world, { name: 'Bare' });
  const { apiKey } = await createApiKey(api.world.sql, api.world, bare, 'k');
  const answer = await api.create({}, apiKey);
  assert.equal(answer.statusCode, 409);
  assert.equal(
    answer.json().message,
    `Add a UPI ID before you create orders, at ${base}/dashboard/upi-accounts.`,
  );
});

test('a replay with another amount has the same body and says so in a header', async () => {
  const first = await api.create({ merchant_order_id: 'cart-7', amount: 499 });
  assert.equal(first.headers['x-replay-differs'], undefined);
  const same = await api.create({ merchant_order_id: 'cart-7', amount: 499 });
  assert.equal(same.headers['x-replay-differs'], undefined);
  for (const change of [
    { amount: 600 },
    { amount: 600, success_url: 5 },
    { amount: -7 },
    { amount: 1e300 },
    { amount: 499.001 },
  ]) {
    const other = await api.create({ merchant_order_id: 'cart-7', ...change });
    assert.deepEqual(other.json(), same.json());
    assert.equal(other.headers['x-replay-differs'], 'amount');
    assert.match(String(other.headers['access-control-expose-headers']), /X-Replay-Differs/);
  }
});

test('the sandbox says what to do about a private address, and logs a replay with another amount', async () => {
  const sandbox = await openTestSandbox();
  try {
    const send = (change: Record<string, unknown>) =>
      sandbox.app.inject({
        method: 'POST',
        url: '/api/v1/orders',
        headers: { 'x-api-key': sandbox.file.api_key, 'content-type': 'application/json' },
        payload: JSON.stringify(orderBody(change)),
      });
    for (const host of ['10.0.0.8', 'intranet', 'shop.internal']) {
      const { details } = (await send({ webhook_url: `http://${host}/hook` })).json();
      assert.match(details, /^webhook_url must not be .*WEBHOOK_ALLOW.*`milaan listen`/, host);
    }
    assert.doesNotMatch((await send({ webhook_url: 'shop' })).json().details, /WEBHOOK_ALLOW/);
  } finally {
    await sandbox.stop();
  }
});

test('the client says which address could not be reached, and why', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
  const milaan = new Milaan({ baseUrl, apiKey: 'ml_test_x', retries: 0 });
  const error = await errorOf(milaan.getOrder('ML-0123456789'));
  assert.deepEqual(
    [error.code, error.message],
    ['network_error', `${baseUrl} could not be reached: ECONNREFUSED`],
  );
});
