import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeOpenapi } from '../../../scripts/make-openapi.ts';
import { verifyWebhook } from '../../../sdk/src/milaan.ts';
import { buildDocs } from '../../../src/developers/docs-site/build-docs.ts';
import { docsRoutes } from '../../../src/developers/docs-site/routes.ts';
import { createRequestSchema } from '../../../src/orders/read-create-body.ts';
import { orderSchema } from '../../../src/orders/schemas.ts';
import { openTestApi } from '../../support/api.ts';
import { openTestSandbox } from '../../support/sandbox.ts';

type Example = { value: Record<string, unknown> };
type Operation = {
  parameters: { name: string; in: string; example: string | number; description: string }[];
  requestBody: { content: { 'application/json': { examples: Record<string, Example> } } };
  responses: Record<string, { content: { 'application/json': { examples: Record<string, Example> } } }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
};

const kept = readFileSync('docs/openapi.json', 'utf8');
const { paths, webhooks }: Document = JSON.parse(kept);
const examplesOf = ({ responses }: Operation, status: number) =>
  Object.entries(responses[status]!.content['application/json'].examples);

test('docs/openapi.json matches the code: after a change, `npm run docs`', () => {
  assert.deepEqual(JSON.parse(kept), JSON.parse(JSON.stringify(makeOpenapi())));
});

test('the OpenAPI document is served with the installation’s address, also at /openapi.json', async () => {
  const api = await openTestApi({}, {}, async (app, world) =>
    docsRoutes(app, { ...world, baseUrl: 'https://upi.example.org' }, { files: await buildDocs() }),
  );
  try {
    const { headers } = await api.app.inject('/openapi.json');
    assert.equal(headers.location, '/api/v1/openapi.json');
    const served = (await api.app.inject('/api/v1/openapi.json')).json();
    assert.equal(served.servers[0].url, 'https://upi.example.org');
    assert.deepEqual(served.components, JSON.parse(kept).components);
    const page = (await api.app.inject('/docs/api')).body;
    for (const shown of ['payable_amount&quot;: 499.37', 'type payment.paid', 'webhook-signature'])
      assert.ok(page.includes(shown), shown);
  } finally {
    await api.stop();
  }
});

/** Names and kinds of values, so that an example has no other fields than a real answer. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

test('every example of a request works unchanged, and its answers look like the examples', async () => {
  const stage = await openTestSandbox();
  try {
    const ask = (method: 'GET' | 'POST', url: string, body?: object) =>
      stage.app.inject({
        method,
        url,
        headers: { 'x-api-key': stage.file.api_key, 'content-type': 'application/json' },
        ...(body && { payload: JSON.stringify(body) }),
      });
    const { post, get: list } = paths['/api/v1/orders'] as Record<'post' | 'get', Operation>;
    const get = paths['/api/v1/orders/{order_id}']!['get']!;
    const made: string[] = [];
    for (const { value } of Object.values(post.requestBody.content['application/json'].examples))
      for (const status of [201, 200]) {
        const answer = await ask('POST', '/api/v1/orders', value);
        assert.equal(answer.statusCode, status, answer.body);
        for (const [name, example] of examplesOf(post, status))
          assert.deepEqual(shapeOf(example.value), shapeOf(answer.json()), name);
        if (status === 201) made.push(answer.json().order_id);
      }
    await stage.pay(made[0]!, 'exact');
    stage.outside.clock.advance(6 * 60_000);
    const withoutMoney = new Set(['pending', 'expired']);
    for (const [status, example] of examplesOf(get, 200)) {
      const answer = (await ask('GET', `/api/v1/orders/${made[withoutMoney.has(status) ? 1 : 0]}`)).json();
      const { customer: _, paid_at: at, ...fields } = example.value;
      const { customer, paid_at, ...real } = answer;
      assert.deepEqual(shapeOf(fields), shapeOf(real), status);
      assert.equal(at !== null, status === 'paid');
    }
    const query = list.parameters
      .filter(({ example }) => example !== undefined)
      .map(({ name, example }) => `${name}=${example}`)
      .join('&');
    assert.match(query, /status=paid.*limit=20/);
    const page = (await ask('GET', `/api/v1/orders?${query}`)).json();
    assert.deepEqual(shapeOf(examplesOf(list, 200)[0]![1].value), shapeOf(page));
  } finally {
    await stage.stop();
  }
});

test('every example of a webhook is signed as its headers say', async () => {
  assert.deepEqual(Object.keys(webhooks), [
    'payment.paid',
    'payment.review',
    'payment.unmatched',
    'webhook.test',
  ]);
  for (const [type, { post }] of Object.entries(webhooks)) {
    const headers = Object.fromEntries(post.parameters.map(({ name, example }) => [name, String(example)]));
    const [{ value } = { value: {} }] = Object.values(post.requestBody.content['application/json'].examples);
    const secret = 'whsec_TWlsYWFuIHNhbXBsZSBzZWNyZXQgMDAx';
    const now = new Date(Number(headers['webhook-timestamp']) * 1000);
    const event = await verifyWebhook(JSON.stringify(value), headers, secret, { now });
    assert.deepEqual([event.type, event.data], [type, value['data']]);
  }
});

test('every parameter, header and field is described', () => {
  const missing: string[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null || /\/examples?\b/.test(path)) return;
    for (const [name, part] of Object.entries(value)) {
      if (name === 'properties')
        for (const [field, schema] of Object.entries(part as Record<string, object>))
          if (!/"(?:description|\$ref)":/.test(JSON.stringify(schema))) missing.push(`${path}/${field}`);
      if (name === 'parameters')
        for (const one of part as { name: string; description?: string }[])
          if (!one.description) missing.push(`${path}/${one.name}`);
      look(part, `${path}/${name}`);
    }
  };
  look(JSON.parse(kept), '');
  assert.deepEqual(missing, []);
});

test('the SDK has every field of an order and of a create', () => {
  const source = readFileSync('sdk/src/order.ts', 'utf8');
  const fieldsOf = (type: string) => {
    const [, body = ''] = new RegExp(`^export type ${type} = \\{\n([\\s\\S]*?)^\\};`, 'm').exec(source) ?? [];
    return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name);
  };
  const lacking = (type: string, schema: { properties: object }) =>
    Object.keys(schema.properties)
      .filter(name => name !== 'domain' && !fieldsOf(type).includes(name))
      .map(name => `sdk/src/order.ts: ${type} lacks ${name}`);
  assert.deepEqual([...lacking('Order', orderSchema), ...lacking('NewOrder', createRequestSchema)], []);
});

test('each JSON answer that the guides show has only fields of the API, with their kind of value', () => {
  const shapes: Record<string, Record<string, unknown>> = {
    createOrder: examplesOf(paths['/api/v1/orders']!['post']!, 201)[0]![1].value,
    getOrder: Object.fromEntries(examplesOf(paths['/api/v1/orders/{order_id}']!['get']!, 200))['paid']!.value,
    error: examplesOf(paths['/api/v1/orders/{order_id}']!['get']!, 404)[0]![1].value,
    sandboxPay: { verdict: 'paid' },
    listOrders: examplesOf(paths['/api/v1/orders']!['get']!, 200)[0]![1].value,
    paidEvent:
      webhooks['payment.paid']!.post.requestBody.content['application/json'].examples['event']!.value,
  };
  let count = 0;
  for (const file of ['docs/quick-start.md', 'docs/integration.md'])
    for (const [, name = '', json = ''] of readFileSync(file, 'utf8').matchAll(
      /^```json answer=(\w+)\n([\s\S]*?)^```$/gm,
    )) {
      count++;
      for (const [field, value] of Object.entries(JSON.parse(json) as Record<string, unknown>))
        assert.equal(typeof value, typeof shapes[name]?.[field], `${file}: ${field} of ${name}`);
    }
  assert.ok(count >= 8, String(count));
});
