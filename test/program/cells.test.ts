import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { freePort } from '../../src/base/free-port.ts';
import { type App, newApp } from '../../src/base/http/app.ts';
import { openMetrics } from '../../src/base/metrics.ts';
import { startSession } from '../../src/business/accounts/session.ts';
import { newToken } from '../../src/business/accounts/tokens.ts';
import { newApiKey } from '../../src/business/merchants/api-key.ts';
import { allRoutes } from '../../src/dashboard/all-routes.ts';
import { buildDashboard } from '../../src/dashboard/frame/build-dashboard.ts';
import {
  carried,
  linkScreens,
  merchantOfRequest,
  ofTheProcess,
} from '../../src/dashboard/front/merchant-of-request.ts';
import { dashboardRoutes } from '../../src/dashboard/routes.ts';
import { agreeToConnect } from '../../src/developers/connect/agree-to-connect.ts';
import { newPayToken } from '../../src/orders/order.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { type Running, startRoles } from '../../src/start-roles.ts';
import { orderBody } from '../support/api.ts';
import { addMailbox } from '../support/checkout-site.ts';
import { payableOf, storedCredit } from '../support/credit.ts';
import { fillMerchant } from '../support/dashboard-merchant.ts';
import { liveSettings } from '../support/live-config.ts';
import { addTwins, openTestCells, type TestCells, wrongCell } from '../support/test-cells.ts';
import { waitFor } from '../support/wait-for.ts';

let stage: TestCells;
let running: Running;
let origin: string;
/** The routes of every app that is created; the front app comes first. */
const routes: string[][] = [];

/** The role web as a process has it, over two cells, on one port. */
before(async () => {
  const port = await freePort();
  stage = await openTestCells({
    ...liveSettings,
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_TOKEN: 'token',
  });
  origin = `http://127.0.0.1:${port}`;
  for (const world of stage.worlds) {
    world.baseUrl = origin;
    world.config.roles = ['web'];
    world.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  }
  const note = (made: unknown) => {
    const own: string[] = [];
    routes.push(own);
    (made as { fastify: App }).fastify.addHook('onRoute', route => void own.push(route.url));
  };
  subscribe('fastify.initialization', note);
  await stage.worlds[1]!
    .sql`insert into placed (merchant_id, last_id, cell, since) values (${2 ** 48 - 9}, ${2 ** 48 - 1}, 2, now())`;
  await stage.worlds[0]!
    .sql`insert into placed (merchant_id, last_id, cell, since) values (${2 ** 48 - 19}, ${2 ** 48 - 1}, 2, now())`;
  running = await startRoles(stage.worlds[0]!, () => {});
  unsubscribe('fastify.initialization', note);
});
after(async () => {
  await running.stop();
  await stage.stop();
});

const ask = (path: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(origin + path, {
    headers: { 'accept-language': 'en', ...(body && { 'content-type': 'application/json' }), ...headers },
    redirect: 'manual',
    ...(body && { method: 'POST', body }),
  });
const create = (apiKey: string) =>
  ask('/api/v1/orders', { 'x-api-key': apiKey }, JSON.stringify(orderBody())).then(async answer => {
    assert.equal(answer.status, 201);
    return (await answer.json()) as { order_id: string; payment_url: string; payable_amount: number };
  });

test('every route declares where it has its business’s id, or that it has no business', () => {
  assert.equal(routes.length, 3);
  const firsts = new Set(routes.flat().map(path => path.split('/')[1]!));
  const known = [...Object.keys(carried), ...ofTheProcess];
  assert.deepEqual(
    [...firsts].filter(first => !known.includes(first)),
    [],
  );
  assert.deepEqual(
    known.filter(first => !firsts.has(first)),
    [],
  );
  // A screen that needs no sign-in and names something by its address must be of those whose links carry the business.
  const named = allRoutes.filter(({ permission, path }) => permission === 'anyone' && path.includes(':'));
  assert.deepEqual(
    [...new Set(named.map(({ path }) => path))].sort(),
    [...linkScreens.map(name => `/dashboard/${name}/:token`), '/dashboard/join/:token/options'].sort(),
  );
  // Routes about the process are in the front app, and in none behind it.
  for (const path of ofTheProcess)
    assert.deepEqual(
      routes.map(own => own.includes(`/${path}`)),
      [true, false, false],
    );
});

test('a request belongs to the business in it, in every notation', () => {
  const id = 2 ** 47 + 12345;
  const of = (url: string, headers: Record<string, string> = {}) =>
    merchantOfRequest({ url, headers }, 'https://pay.example.in');
  const [key, token, account] = [newApiKey(id, 'live'), newPayToken(id), newToken(id).token];
  const cookie = { cookie: `a=b; __Host-milaan=${account}` };
  for (const path of [
    '/api/v1/orders',
    '/api/public/v1/orders/ML-1?x=y',
    'http://other.example/api/v1/orders',
    '/listen/events',
  ])
    assert.equal(of(path, { 'x-api-key': ` ${key} ` }), id, path);
  for (const path of [
    `/pay/${token}`,
    `/pay/${token}/events`,
    `/l/${token}?lang=hi`,
    `/p%61y/${token.slice(0, -1)}%${token.charCodeAt(29).toString(16)}`,
  ])
    assert.equal(of(path), id, path);
  assert.equal(of(`/shop-logos/${id}/0.png`), id);
  for (const path of ['/dashboard', '/dashboard/orders/x?y', '/dashboard/recover', '/dashboard/sign-in'])
    assert.equal(of(path, cookie), id, path);
  // The link decides, whoever is signed in here.
  for (const name of linkScreens) assert.equal(of(`/dashboard/${name}/${newToken(7).token}`, cookie), 7);
  // These belong to no business, or to an impossible one, so cell 0 answers.
  for (const path of [
    '/',
    '/docs/api',
    '/nothing',
    '/api/v1/orders',
    '/pay/x',
    '/pay',
    '/%',
    '/dashboard',
    '/__proto__/x',
    '*',
    '',
  ])
    assert.equal(of(path), 0, path);
  assert.equal(of('/pay/x', { 'x-api-key': key, ...cookie }), 0);
  for (const path of ofTheProcess) assert.equal(of(`/${path}`), null);
});

test('orders of both cells are created, read, listed, shown and paid through one address, with their webhooks', async () => {
  for (const [cell, { merchantId, apiKey }] of stage.merchants.entries()) {
    const world = stage.worlds[cell]!;
    await addMailbox(world, merchantId);
    const order = await create(apiKey);
    const path = new URL(order.payment_url).pathname;
    const read = await ask(`/api/v1/orders/${order.order_id}`, { 'x-api-key': apiKey });
    assert.equal(((await read.json()) as { status: string }).status, 'pending');
    const list = (await (await ask('/api/v1/orders', { 'x-api-key': apiKey })).json()) as {
      data: { order_id: string }[];
    };
    assert.deepEqual(
      list.data.map(one => one.order_id),
      [order.order_id],
    );
    const page = await ask(path);
    assert.equal(page.status, 200);
    const text = await page.text();
    assert.ok(text.includes('Chai Point') && !text.includes(wrongCell));
    for (const _ of ['asked', 'known'])
      assert.equal(((await (await ask(`${path}/status`)).json()) as { status: string }).status, 'pending');
    const [stream] = (await once(httpGet(`${origin}${path}/events`), 'response')) as [IncomingMessage];
    const news = (async () => {
      for await (const piece of stream) if (String(piece).includes('data: look')) return true;
      return false;
    })();
    const credit = await storedCredit(world, merchantId, { amount: payableOf(order) });
    assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
    assert.ok(await news);
    assert.equal(((await (await ask(`${path}/status`)).json()) as { status: string }).status, 'paid');
    // Nothing of it is in the other cell.
    const others = await stage.worlds[1 - cell]!.sql`select from orders where merchant_id = ${merchantId}`;
    assert.equal(others.length, 0);
  }
});

/** Hides tokens that are drawn again for each answer. */
const plain = (text: string) => text.replaceAll(/[\w+/=-]{16,}/g, '…');

test('no screen asks the other cell, and each shows the same without one', async () => {
  const world = stage.worlds[1]!;
  const { users, examples, merchantId } = await fillMerchant(world);
  await addTwins(stage.worlds, merchantId);
  const { cells: _, cell: __, ...rest } = world;
  const alone = { ...rest, metrics: openMetrics() };
  const app = newApp(alone);
  dashboardRoutes(app, alone, { files: await buildDashboard() });
  const session = { ...users.owner, stage: 'full' as const, address: '127.0.0.1', agent: 'test' };
  const { token } = await world.sql.begin(tx => startSession(tx, world, session));
  const headers = { cookie: `milaan=${token}`, 'accept-language': 'en', 'user-agent': 'test' };
  const differing: string[] = [];
  let shown = 0;
  for (const { method, path, permission } of allRoutes) {
    if (method !== 'GET' || permission === 'anyone' || permission === 'operator') continue;
    const url = path.replaceAll(
      /:(\w+)/g,
      (_, name: string) => examples[name.replaceAll('_', '').toLowerCase()] ?? 'x',
    );
    // Twice: what the first look changes has changed for the second, and for the one that is compared.
    await app.inject({ url, headers });
    const truth = await app.inject({ url, headers });
    const answer = await ask(url, headers);
    const text = await answer.text();
    if (text.includes('<main')) shown++;
    const isSame =
      answer.status === truth.statusCode && plain(text) === plain(truth.body.replace(/^\ufeff/, ''));
    if (!isSame || text.includes(wrongCell)) differing.push(`${url} ${answer.status} ${truth.statusCode}`);
  }
  assert.deepEqual(differing, []);
  assert.ok(shown > 30, `${shown} screens`);
  await app.close();
});

test('a connect code is redeemed in the cell of its business', async () => {
  const { createHash } = await import('node:crypto');
  for (const [cell, world] of stage.worlds.entries()) {
    const { merchantId, users, examples } = await fillMerchant(world);
    const verifier = 'v'.repeat(43);
    const request = {
      shopName: 'Shop',
      returnUrl: 'https://shop.example/back',
      webhookUrl: 'https://shop.example/hook',
      state: 's'.repeat(16),
      codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
    };
    const who = {
      merchantId,
      userId: users.owner.userId,
      actor: users.owner.email,
      address: '',
      accountId: examples['accountid']!,
      now: world.clock.now(),
    };
    const code = await world.sql.begin(tx => agreeToConnect(tx, request, who));
    const answer = await ask(
      '/connect/token',
      {},
      JSON.stringify({ code, code_verifier: verifier, return_url: request.returnUrl }),
    );
    assert.equal(answer.status, 200, `cell ${cell}`);
    const { api_key } = (await answer.json()) as { api_key: string };
    assert.equal((await ask('/api/v1/orders', { 'x-api-key': api_key })).status, 200);
  }
});

test('a business in a cell missing from this process’s older file gets 503, and an unknown key of a listed cell 401', async () => {
  const statusOf = async (id: number) =>
    (await ask('/api/v1/orders', { 'x-api-key': newApiKey(id, 'live') })).status;
  await waitFor('the new cell', async () => (await statusOf(2 ** 48 - 5)) === 503);
  // A range that its own cell did not give away: an interrupted add-cell wrote it to the other cells.
  assert.equal(await statusOf(2 ** 48 - 10), 401);
  assert.equal((await ask(`/pay/${newPayToken(2 ** 48 - 5)}`)).status, 503);
});

test('the process is ready while one cell accepts orders, and reports on each; metrics have the cell’s number', async () => {
  const answer = await ask('/readyz');
  const said = (await answer.json()) as { checks: Record<string, { database: string }> };
  assert.deepEqual(
    [answer.status, Object.keys(said.checks), said.checks['cell 1']?.database],
    [200, ['cell 0', 'cell 1'], 'ok'],
  );
  assert.equal((await ask('/metrics')).status, 404);
  const text = await (await ask('/metrics', { authorization: 'Bearer token' })).text();
  assert.match(text, /^milaan_ready\{cell="0"\} 1\nmilaan_ready\{cell="1"\} 1$/m);
  assert.match(text, /^milaan_info\{version="[^"]+"\} 1$/m);
  const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  assert.equal(new Set(types).size, types.length);
  assert.equal((await ask('/healthz')).status, 200);
});
