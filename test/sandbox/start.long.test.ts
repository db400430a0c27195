import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { paiseFromRupees } from '../../src/base/money.ts';
import { openBank } from '../../src/sandbox/open-bank.ts';
import type { SandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { writeAlert } from '../../src/sandbox/write-alert.ts';
import { orderBody } from '../support/api.ts';
import { handMail } from '../support/mail-provider.ts';
import { newDataDir, type Program, removeDataDir, startReady } from '../support/program.ts';
import { prepare, use } from '../support/use.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const dataDir = newDataDir();
let program: Program;
const filePath = join(dataDir, 'sandbox.json');
const readFile = () => JSON.parse(readFileSync(filePath, 'utf8')) as SandboxFile;

const shop = use(startReceiver);
prepare(async () => {
  program = await startReady(dataDir);
});
after(async () => {
  program.child.kill('SIGTERM');
  await program.ended;
  removeDataDir(dataDir);
});

async function stopped(): Promise<void> {
  program.child.kill('SIGTERM');
  assert.equal(await program.ended, 0, program.output());
}

async function create(
  file: SandboxFile,
  webhookUrl = shop.url,
): Promise<{ status: number; orderId: string }> {
  const answer = await fetch(`${file.base_url}/api/v1/orders`, {
    method: 'POST',
    headers: { 'x-api-key': file.api_key, 'content-type': 'application/json' },
    body: JSON.stringify(orderBody({ webhook_url: webhookUrl, merchant_order_id: crypto.randomUUID() })),
  });
  return {
    status: answer.status,
    orderId: ((await answer.json()) as { order_id: string }).order_id,
  };
}

async function pay(file: SandboxFile, orderId: string, how: string): Promise<unknown> {
  const answer = await fetch(`${file.base_url}/sandbox/orders/${orderId}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ how }),
  });
  return ((await answer.json()) as { verdict: unknown }).verdict;
}

test('the first start writes sandbox.json, readable only by its owner, and prints the same', async () => {
  const file = readFile();
  assert.deepEqual(Object.keys(file), [
    'base_url',
    'shop_url',
    'smtp_url',
    'api_key',
    'webhook_secret',
    'email',
    'password',
    'mailbox',
    'bank',
    'account_digits',
    'forward_to',
  ]);
  assert.equal(statSync(filePath).mode & 0o777, 0o600);
  assert.equal(file.base_url, program.url);
  assert.match(file.api_key, /^ml_test_/);
  assert.match(file.webhook_secret, /^whsec_/);
  for (const value of [file.api_key, file.webhook_secret, file.email, file.password, file.shop_url, filePath])
    assert.ok(program.output().includes(String(value)), String(value));
  assert.equal((await fetch(file.shop_url!)).status, 200);
});

test('a payment reaches a shop on this machine, signed with its clock, even after the sandbox’s has leapt', async () => {
  const file = readFile();
  for (const how of ['exact', 'late', 'delayed']) {
    const { orderId } = await create(file);
    const before = shop.received.length;
    assert.equal(await pay(file, orderId, how), 'paid');
    await shop.until(before + 1);
    const { body, headers } = shop.received[before]!;
    const event = new Webhook(file.webhook_secret).verify(body, headers) as {
      type: string;
      data: { order_id: string; status: string };
    };
    assert.deepEqual([event.type, event.data.order_id, event.data.status], ['payment.paid', orderId, 'paid']);
  }
});

test('an alert delivered by SMTP pays, because the demo mailbox is an address that counts', async () => {
  const file = readFile();
  const { orderId } = await create(file);
  const order = await fetch(`${file.base_url}/api/v1/orders/${orderId}`, {
    headers: { 'x-api-key': file.api_key },
  });
  const { payable_amount, created_at } = (await order.json()) as {
    payable_amount: number;
    created_at: string;
  };
  const raw = await writeAlert(openBank(dataDir), {
    to: file.mailbox,
    amount: paiseFromRupees(payable_amount),
    accountDigits: file.account_digits,
    reference: '640000000001',
    at: new Date(new Date(created_at).getTime() + 1000),
  });
  const before = shop.received.length;
  const { port } = new URL(file.smtp_url!);
  assert.equal((await handMail(Number(port), { to: file.forward_to, raw })).code, 250);
  await shop.until(before + 1);
  assert.equal(JSON.parse(shop.received[before]!.body).data.order_id, orderId);
});

test('a leap of the clock does not send a slow shop its webhook twice', async () => {
  const file = readFile();
  const slow = await startReceiver(response => {
    setTimeout(() => response.writeHead(200).end(), 500);
  });
  const { orderId } = await create(file, slow.url);
  assert.equal(await pay(file, orderId, 'exact'), 'paid');
  await slow.until(1);
  const leap = await fetch(`${file.base_url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"advance_seconds":86400}',
  });
  assert.equal(leap.status, 200);
  const other = await create(file);
  const before = shop.received.length;
  assert.equal(await pay(file, other.orderId, 'exact'), 'paid');
  await shop.until(before + 1);
  assert.equal(slow.received.length, 1);
  await slow.stop();
});

test('a later start has the same key, secret, sign-in and time', async () => {
  const file = readFile();
  const clock = await fetch(`${file.base_url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"advance_seconds":3600}',
  });
  const { now } = (await clock.json()) as { now: string };
  await stopped();
  program = await startReady(dataDir);
  const again = readFile();
  const urls = { base_url: null, shop_url: null, smtp_url: null };
  assert.deepEqual({ ...again, ...urls }, { ...file, ...urls });
  assert.match(program.output(), /The clock is \d+ s ahead;/);
  const { orderId, status } = await create(again);
  assert.equal(status, 201);
  const order = await fetch(`${again.base_url}/api/v1/orders/${orderId}`, {
    headers: { 'x-api-key': again.api_key },
  });
  assert.ok(((await order.json()) as { created_at: string }).created_at > now);
});

test('without the file a new key and password are made, and the secret stays', async () => {
  const file = readFile();
  await stopped();
  rmSync(filePath);
  program = await startReady(dataDir);
  const again = readFile();
  assert.notEqual(again.api_key, file.api_key);
  assert.notEqual(again.password, file.password);
  assert.equal(again.webhook_secret, file.webhook_secret);
  const { orderId, status } = await create(again);
  assert.equal(status, 201);
  assert.equal(await pay(again, orderId, 'exact'), 'paid');
});
