import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeCollection, wholeDocument } from '../../../scripts/make-collection.ts';
import { buildDocs } from '../../../src/developers/docs-site/build-docs.ts';
import { docsRoutes } from '../../../src/developers/docs-site/routes.ts';
import { openTestApi } from '../../support/api.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { use } from '../../support/use.ts';

type Request = {
  method: string;
  url: { raw: string; path: string[]; query: { key: string }[] };
  body?: { raw: string };
};
type Collection = { item: { name: string; item: { name: string; request: Request }[] }[] };

const api = use(async () =>
  openTestApi({}, {}, async (app, world) => docsRoutes(app, world, { files: await buildDocs() })),
);
const get = (url: string) => api.app.inject({ url });

test('llms.txt names every page of the menus, and each of them is served as plain text', async () => {
  const { body, headers } = await get('/llms.txt');
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.match(body, /^# Milaan\n\n> /);
  const links = [...body.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, link = '']) => new URL(link));
  assert.ok(links.length > 30);
  for (const { pathname } of links) {
    const page = await get(pathname);
    assert.equal(page.statusCode, 200, pathname);
    assert.equal(page.headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(page.body, /^# /, pathname);
    assert.doesNotMatch(page.body, /\{base_url\}|\]\((?!https?:|mailto:|\/|#)[^)]*\.md/, pathname);
  }
});

test('a page that is not served is not served as plain text either', async () => {
  for (const path of [
    '/docs/performance.md',
    '/docs/internals/performance.md',
    '/docs/decisions/README.md',
    '/docs/../package.json.md',
    '/docs/.md',
  ])
    assert.equal((await get(path)).statusCode, 404, path);
});

test('the collection matches the OpenAPI document: after a change, `npm run docs`', async () => {
  const kept = readFileSync('docs/collection.json', 'utf8');
  const document = wholeDocument();
  assert.deepEqual(JSON.parse(kept), JSON.parse(JSON.stringify(makeCollection(document))));
  const served = await get('/docs/collection.json');
  assert.deepEqual(JSON.parse(served.body).variable[0], { key: 'base_url', value: api.world.baseUrl });
  const requests = (JSON.parse(kept) as Collection).item.flatMap(({ item }) => item);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
  );
  assert.deepEqual(
    requests.map(({ name, request }) => [name, request.method, `/${request.url.path.join('/')}`]).sort(),
    operations.map(([name, method, path]) => [name, method, path!.replace(/\{(\w+)\}/g, ':$1')]).sort(),
  );
});

test('the collection’s first requests work unchanged: an order is created, read, listed and paid in the sandbox', async () => {
  const stage = await openTestSandbox();
  try {
    const requests = (JSON.parse(readFileSync('docs/collection.json', 'utf8')) as Collection).item.flatMap(
      ({ item }) => item,
    );
    let orderId = '';
    const send = (name: string) => {
      const { request } = requests.find(one => one.name === name)!;
      const url = request.url.raw.replace('{{base_url}}', '').replace(':order_id', orderId);
      return stage.app.inject({
        method: request.method as 'GET',
        url,
        headers: {
          'x-api-key': stage.file.api_key,
          ...(request.body && { 'content-type': 'application/json' }),
        },
        ...(request.body && { payload: request.body.raw.replace('{{$timestamp}}', '1') }),
      });
    };
    const created = await send('createOrder');
    assert.equal(created.statusCode, 201, created.body);
    orderId = created.json().order_id;
    assert.equal((await send('sandboxPay')).json().verdict, 'paid');
    assert.equal((await send('getOrder')).json().status, 'paid');
    assert.equal((await send('listOrders')).json().data[0].order_id, orderId);
  } finally {
    await stage.stop();
  }
});
