import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freePort } from '../../src/base/free-port.ts';
import { openSandbox } from '../../src/sandbox/start-sandbox.ts';
import { type Running, startRoles } from '../../src/start-roles.ts';
import { addTestOrder } from '../support/checkout-site.ts';
import { liveSettings } from '../support/live-config.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from '../support/test-world.ts';

let world: TestWorld;
let running: Running;
let merchant: TestMerchant;
let origin: string;
const said: string[] = [];
const dataDir = mkdtempSync(join(tmpdir(), 'milaan-live-'));

/** All roles as `npm start` starts them, configured live. */
before(async () => {
  const port = await freePort();
  world = await openTestWorld({
    ...liveSettings,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
  });
  running = await startRoles(world, line => said.push(line));
  merchant = await addTestMerchant(world);
  origin = `http://127.0.0.1:${port}`;
});
after(async () => {
  await running.stop();
  await world.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('live, every sandbox address is unknown', async () => {
  const order = await addTestOrder(world, merchant);
  const calls: [string, string, string, string][] = [
    ['POST', `/sandbox/orders/${order.orderId}/pay`, 'application/json', '{"how":"exact"}'],
    ['POST', '/sandbox/mail', 'message/rfc822', 'From: a@b.example\r\n\r\n'],
    ['PUT', '/sandbox/dns/a.example', 'text/plain', 'x'],
    ['POST', '/sandbox/clock', 'application/json', '{"advance_seconds":1}'],
    ['POST', '/sandbox/reset', 'application/json', '{}'],
  ];
  for (const [method, path, type, body] of calls) {
    const answer = await fetch(origin + path, { method, headers: { 'content-type': type }, body });
    assert.equal(answer.status, 404, path);
    assert.equal(((await answer.json()) as { error: string }).error, 'not_found', path);
  }
  const [row] = await world.sql<{ status: string }[]>`select status from orders`;
  assert.equal(row?.status, 'pending');
});

test('live, the page has no bar, and the API document has no sandbox', async () => {
  const order = await addTestOrder(world, merchant, { payable: 50_037 });
  const page = await (await fetch(origin + order.path)).text();
  assert.match(page, new RegExp(order.orderId));
  assert.doesNotMatch(page, /sandbox/i);
  const document = await (await fetch(`${origin}/api/v1/openapi.json`)).text();
  assert.doesNotMatch(document, /sandbox/i);
});

test('live, there is no demo business, no shop, no bank key and no sandbox.json', async () => {
  const rows = await world.sql`select from users`;
  assert.equal(rows.length, 0);
  assert.deepEqual(readdirSync(dataDir), []);
  assert.deepEqual(said, [`listening on ${origin}`]);
});

test('live, the sandbox cannot be opened by mistake either', async () => {
  await assert.rejects(openSandbox(world, { judgesItself: true }), /nothing of the sandbox may run live/);
});
