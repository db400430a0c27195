import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { freePort } from '../../src/base/free-port.ts';
import type { SandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { orderBody } from '../support/api.ts';
import { runSandbox } from '../support/running-sandbox.ts';
import { until } from '../support/until.ts';

let sandbox: Awaited<ReturnType<typeof runSandbox>>;
let file: SandboxFile;
let origin: string;
/** Another program has the port after the sandbox's. */
const neighbour = createServer();
let taken: number;
before(async () => {
  const port = await freePort();
  taken = port + 1;
  await new Promise<void>(resolve => neighbour.listen(taken, '127.0.0.1', resolve));
  sandbox = await runSandbox({ HOST: '0.0.0.0', SANDBOX_PUBLIC: 'yes', PORT: String(port) });
  file = sandbox.file;
  origin = file.base_url.replace('0.0.0.0', '127.0.0.1');
});
after(async () => {
  await sandbox.stop();
  neighbour.close();
});

async function create(webhookUrl: string) {
  const answer = await fetch(`${origin}/api/v1/orders`, {
    method: 'POST',
    headers: { 'x-api-key': file.api_key, 'content-type': 'application/json' },
    body: JSON.stringify(orderBody({ webhook_url: webhookUrl, merchant_order_id: crypto.randomUUID() })),
  });
  return { status: answer.status, body: (await answer.json()) as { order_id: string; details?: string } };
}

test('a reachable sandbox calls no server of this machine but its demo shop', async () => {
  const others = [`${origin}/api/v1/orders`, 'http://localhost:3000/hook', `http://127.0.0.1:${taken}/`];
  for (const url of others) {
    const { status, body } = await create(url);
    assert.equal(status, 400, url);
    assert.match(String(body.details), /^webhook_url must not be /, url);
  }
});

test('a reachable sandbox’s demo shop receives a payment’s webhook on the port that was free', async () => {
  const number = 'tea-0123456789abcdef';
  await fetch(`${file.shop_url}/buy`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ product: 'assam', number }),
  });
  const headers = { 'x-api-key': file.api_key, 'content-type': 'application/json' };
  const list = await fetch(`${origin}/api/v1/orders?merchant_order_id=${number}`, { headers });
  const { data } = (await list.json()) as { data: { order_id: string }[] };
  const pay = `${origin}/sandbox/orders/${data[0]!.order_id}/pay`;
  assert.equal((await fetch(pay, { method: 'POST', headers, body: '{"how":"exact"}' })).status, 200);
  await until('the shop receives it', async () =>
    (await (await fetch(`${file.shop_url}/orders`)).text()).includes('told by webhook'),
  );
});
