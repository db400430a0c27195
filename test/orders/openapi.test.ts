import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createApiKey } from '../../src/business/merchants/create-api-key.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import { readPlans, storePlans } from '../../src/business/merchants/plans.ts';
import { setDisabled, setPlan } from '../../src/business/merchants/queries.ts';
import { addUpiAccount } from '../../src/business/merchants/upi-accounts.ts';
import { openTestApi } from '../support/api.ts';
import { type Conforms, conformanceTo } from '../support/openapi-conformance.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { prepare, use } from '../support/use.ts';

type Answer = {
  content: { 'application/json': { examples: Record<string, { value: Record<string, string> }> } };
};

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
let conforms: Conforms;
const met = new Set<string>();
const refused = new Set<string>();

const api = use(openTestApi);
prepare(async () => {
  assert.equal(document.openapi, '3.1.0');
  const check = conformanceTo(document);
  conforms = (path, method, response) => {
    check(path, method, response);
    met.add(`${method} ${path} ${response.statusCode}`);
    if (response.statusCode < 400) return;
    // The written example of a refusal is what a shop really gets, to the letter unless its figures differ.
    const { error, message, doc_url, ...more } = response.json();
    const { examples } =
      document.paths[path][method].responses[response.statusCode].content['application/json'];
    const { error: code, message: written, doc_url: leadsTo, ...others } = examples[error].value;
    assert.deepEqual([code, leadsTo, Object.keys(others)], [error, doc_url, Object.keys(more)]);
    if (error !== 'invalid_request') assert.equal(written, message);
    refused.add(error);
  };
});

test('real answers of every status conform to the OpenAPI document', async () => {
  const orders = '/api/v1/orders';
  const order = '/api/v1/orders/{order_id}';
  const plan = readPlans(null)[0]!;
  const upgrade_url = 'https://pay.example.in/upgrade';
  await storePlans(api.world.sql, [
    plan,
    { ...plan, plan: 'full', monthly_limit_paise: 1, upgrade_url },
    { ...plan, plan: 'one', account_limit: 1, upgrade_url },
  ]);

  const created = await api.create({ customer: { name: 'Asha' } });
  conforms(orders, 'post', created);
  conforms(orders, 'post', await api.create({ merchant_order_id: 'twice' }));
  conforms(orders, 'post', await api.create({ merchant_order_id: 'twice' }));
  conforms(orders, 'get', await api.get('/orders?limit=1'));
  conforms(orders, 'get', await api.get('/orders'));
  conforms(order, 'get', await api.get(`/orders/${created.json().order_id}`));

  conforms(orders, 'post', await api.create({ amount: 'x' }));
  conforms(orders, 'post', await api.create({ payment_account_id: 'x' }));
  conforms(orders, 'get', await api.get('/orders?limit=x'));
  conforms(order, 'get', await api.get('/orders/ML-0000000000'));
  conforms(orders, 'post', await api.create({ extra: 'x'.repeat(70_000) }));
  for (const [path, method, answer] of [
    [orders, 'post', await api.create({}, '')],
    [orders, 'get', await api.get('/orders', 'nope')],
    [order, 'get', await api.get('/orders/x', '')],
  ] as const) {
    conforms(path, method, answer);
  }
  const paused = await addTestMerchant(api.world, { plan: 'one' });
  api.world.clock.advance(1000);
  const account = { bank: 'hdfc', vpa: 'b@ybl', payeeName: 'B', kind: 'personal' } as const;
  const second = await api.world.sql.begin(tx => addUpiAccount(tx, api.world, paused.merchantId, account));
  conforms(orders, 'post', await api.create({ payment_account_id: second }, paused.apiKey));
  const bare = await createMerchant(api.world.sql, api.world, { name: 'Bare' });
  const { apiKey: bareKey } = await createApiKey(api.world.sql, api.world, bare, 'k');
  conforms(orders, 'post', await api.create({}, bareKey));

  const full = await addTestMerchant(api.world);
  await setPlan(api.world.sql, full.merchantId, 'full');
  await api.world
    .sql`insert into collections (merchant_id, month, collected_paise) values (${full.merchantId}, '2026-11-01', 5)`;
  conforms(orders, 'post', await api.create({}, full.apiKey));

  const busy = await addTestMerchant(api.world);
  await Promise.all(Array.from({ length: 297 }, () => api.createPatiently({ amount: 4 }, busy.apiKey)));
  conforms(orders, 'post', await api.create({ amount: 4 }, busy.apiKey));

  await setDisabled(api.world.sql, busy.merchantId, api.world.clock.now());
  conforms(orders, 'post', await api.create({}, busy.apiKey));
  conforms(orders, 'get', await api.get('/orders', busy.apiKey));
  conforms(order, 'get', await api.get('/orders/x', busy.apiKey));

  // These come from slow or broken connections, many calls, and a database that is down.
  for (const code of ['rate_limited', 'request_timeout', 'headers_too_large', 'service_unavailable'])
    refused.add(code);
  const shown = Object.values<Record<string, { responses: Record<string, Answer> }>>(document.paths)
    .flatMap(methods => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => status >= '400')
    .flatMap(([, { content }]) => Object.keys(content['application/json'].examples));
  assert.deepEqual([...refused].sort(), [...new Set(shown)].sort());

  const posted = [...met]
    .filter(line => line.startsWith('post'))
    .map(line => line.slice(-3))
    .sort();
  assert.deepEqual(posted, ['200', '201', '400', '401', '402', '403', '409', '413', '503']);
});
