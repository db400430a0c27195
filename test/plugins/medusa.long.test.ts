import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import type { MilaanPaymentProvider } from '../../plugins/medusa/src/milaan-payment-provider.ts';
import type { reconcile as Reconcile } from '../../plugins/medusa/src/reconcile.ts';
import { buildMedusa, writePackage } from '../../scripts/build-medusa.ts';
import { buildSdk } from '../../src/developers/clients/build-sdk.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';

/** The package as a shop installs it, against the real service; Medusa itself is the drill's. */
let folder: string;
let sandbox: TestSandbox;
let baseUrl: string;
let Provider: typeof MilaanPaymentProvider;
let reconcile: typeof Reconcile;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'milaan-medusa-test-'));
  writePackage(join(folder, 'node_modules/@milaan/medusa'), await buildMedusa());
  writePackage(join(folder, 'node_modules/@milaan/sdk'), (await buildSdk())!);
  const load = (file: string) =>
    import(pathToFileURL(join(folder, 'node_modules/@milaan/medusa/dist', file)).href);
  const loaded = await load('provider.js');
  assert.equal(loaded.default.module, 'payment');
  Provider = loaded.default.services[0];
  ({ reconcile } = await load('reconcile.js'));
  sandbox = await openTestSandbox();
  baseUrl = await sandbox.app.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

let sessions = 0;
const newSession = () => `payses_01K${String(++sessions).padStart(8, '0')}`;
const said: string[] = [];
const logger = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) };

function newProvider() {
  const options = {
    baseUrl,
    apiKey: sandbox.file.api_key,
    webhookSecret: sandbox.file.webhook_secret,
    webhookUrl: 'https://shop.example.com/hooks/payment/milaan_milaan',
    successUrl: 'https://shop.example.com/paid',
    failureUrl: 'https://shop.example.com/again',
  };
  Provider.validateOptions(options);
  return new Provider({ logger }, options);
}

/** A session as Medusa starts it, with whatever a storefront sent along. */
async function begun(amount: unknown = 640, sent: Record<string, unknown> = {}) {
  const session_id = newSession();
  const started = await newProvider().initiatePayment({
    data: { ...sent, session_id },
    context: {
      idempotency_key: session_id,
      customer: { email: 'asha@example.com', first_name: 'Asha', last_name: null },
    },
    amount: amount as number,
    currency_code: 'inr',
  });
  return { session_id, id: started.id, data: { ...sent, ...started.data } };
}

/** The webhook that Milaan sent to a real Medusa in the drill, for this test's session, signed now. */
function recorded(merchant_order_id: string, { age = 0, secret = sandbox.file.webhook_secret } = {}) {
  const event = JSON.parse(readFileSync('test/plugins/medusa/recorded-paid.json', 'utf8'));
  event.data.merchant_order_id = merchant_order_id;
  const rawData = Buffer.from(JSON.stringify(event));
  const time = new Date(Date.now() - age);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', time, rawData.toString()),
  };
  return { data: event, rawData, headers, amount: event.data.amount as number };
}

test('a session is created under its own id, with the sum in any of Medusa’s forms', async () => {
  for (const amount of [640, '640', { value: '640' }, { numeric: 640 }, { toString: () => '640' }]) {
    const { session_id, id, data } = await begun(amount);
    const order = await sandbox.order(id);
    assert.equal(order['merchant_order_id'], session_id);
    assert.equal(order['amount'], 640);
    assert.deepEqual(order['customer'], { email: 'asha@example.com', name: 'Asha' });
    assert.equal(data['payable_amount'], order['payable_amount']);
    assert.match(String(data['payment_url']), /\/pay\//);
  }
});

test('only a paid order is captured; every other status is passed on unchanged', async () => {
  const { id, data } = await begun();
  const provider = newProvider();
  assert.equal((await provider.authorizePayment({ data })).status, 'pending');
  await sandbox.pay(id, 'wrong_paise');
  assert.equal((await provider.authorizePayment({ data })).status, 'pending');
  await sandbox.post('/sandbox/clock', { advance_seconds: 301 });
  assert.equal((await provider.authorizePayment({ data })).status, 'requires_more');
  await sandbox.pay(id, 'exact');
  const paid = await provider.authorizePayment({ data });
  assert.equal(paid.status, 'captured');
  assert.match(String(paid.data['bank_reference']), /^\d{12}$/);
  assert.equal((await provider.getPaymentStatus({ data })).status, 'captured');
});

test('a storefront that sends another session’s order gains nothing', async () => {
  const other = await begun(1);
  await sandbox.pay(other.id, 'exact');
  const { id, data } = await begun(900, {
    order_id: other.id,
    amount: 1,
    merchant_order_id: other.session_id,
  });
  assert.equal(data['order_id'], id);
  assert.equal((await newProvider().authorizePayment({ data })).status, 'pending');
  await assert.rejects(newProvider().authorizePayment({ data: { ...data, order_id: other.id } }), {
    type: 'not_allowed',
  });
});

test('a changed cart gets a new link, and the old one no longer completes it', async () => {
  const { session_id, id, data } = await begun(640);
  const context = { idempotency_key: session_id };
  const same = await newProvider().updatePayment({ data, context, amount: 640, currency_code: 'inr' });
  assert.equal(same.data['order_id'], id);
  const changed = await newProvider().updatePayment({ data, context, amount: 720.5, currency_code: 'inr' });
  assert.equal(changed.data['merchant_order_id'], `${session_id}.2`);
  assert.equal((await sandbox.order(String(changed.data['order_id'])))['amount'], 720.5);
  await sandbox.pay(id, 'exact');
  assert.equal((await newProvider().authorizePayment({ data: changed.data })).status, 'pending');
});

test('a signed payment names its session and the session’s own sum; other events are ignored', async () => {
  const provider = newProvider();
  const session = newSession();
  for (const id of [session, `${session}.2`]) {
    const { amount, ...event } = recorded(id);
    assert.deepEqual(await provider.getWebhookActionAndData(event), {
      action: 'captured',
      data: { session_id: session, amount },
    });
  }
  // Medusa works on it later, from a queue.
  assert.equal(
    (await provider.getWebhookActionAndData(recorded(session, { age: 3_600_000 }))).action,
    'captured',
  );
  const none = { action: 'not_supported' };
  const forged = recorded(session, { secret: `whsec_${Buffer.alloc(32).toString('base64')}` });
  assert.deepEqual(await provider.getWebhookActionAndData(forged), none);
  assert.deepEqual(await provider.getWebhookActionAndData({ ...recorded(session), headers: {} }), none);
  assert.deepEqual(await provider.getWebhookActionAndData(recorded('woo-12-1-abcdefghij')), none);
});

test('other currencies, foreign sessions and missing options are refused with a reason', async () => {
  const provider = newProvider();
  const session_id = newSession();
  await assert.rejects(
    provider.initiatePayment({ data: { session_id }, amount: 5, currency_code: 'usd' }),
    /Indian rupees only, and this cart is in USD/,
  );
  await assert.rejects(
    provider.initiatePayment({ data: {}, amount: 5, currency_code: 'inr' }),
    /no payment session/,
  );
  await assert.rejects(
    provider.initiatePayment({ data: { session_id }, amount: {}, currency_code: 'inr' }),
    /this sum cannot be paid/,
  );
  await assert.rejects(provider.authorizePayment({ data: {} }), /not started with Milaan/);
  assert.throws(
    () => Provider.validateOptions({ baseUrl: 'https://pay.example.in' }),
    /apiKey, webhookSecret/,
  );
});

test('a paid session cannot be cancelled, an unpaid one can; a refund says what to send back', async () => {
  const { id, data } = await begun();
  await newProvider().deletePayment({ data });
  await sandbox.pay(id, 'exact');
  await assert.rejects(newProvider().deletePayment({ data }), /paid already/);
  const paid = await newProvider().authorizePayment({ data });
  const refunded = await newProvider().refundPayment({ data: paid.data, amount: 40 });
  assert.deepEqual(refunded.data['to_send_back'], [
    { amount: 40, bank_reference: paid.data['bank_reference'] },
  ]);
  assert.match(said.at(-1)!, /send ₹40\.00 back .*bank reference \d{12}/);
});

test('the job settles payments whose webhook was lost, skips failing ones, and names money without a session', async () => {
  const [paid, open, given] = [await begun(300), await begun(310), await begun(320)];
  await sandbox.pay(paid.id, 'exact');
  await sandbox.pay(given.id, 'exact');
  const kept = [
    { id: newSession(), provider_id: 'pp_milaan_milaan', data: { order_id: 'ML-0000000000' } },
    { id: open.session_id, provider_id: 'pp_milaan_milaan', data: open.data },
    { id: paid.session_id, provider_id: 'pp_milaan_milaan', data: paid.data },
    { id: 'payses_other', provider_id: 'pp_stripe_stripe', data: {} },
  ];
  const ran: unknown[] = [];
  const parts: Record<string, unknown> = {
    logger,
    query: {
      graph: async ({ filters }: { filters: { id?: string[] } }) => ({
        data: filters.id ? kept.filter(({ id }) => filters.id?.includes(id)) : kept,
      }),
    },
    workflows: { run: async (id: string, { input }: { input: unknown }) => ran.push([id, input]) },
  };
  said.length = 0;
  await reconcile({ baseUrl, apiKey: sandbox.file.api_key })({ resolve: name => parts[name] });
  assert.deepEqual(ran, [
    ['process-payment-workflow', { action: 'captured', data: { session_id: paid.session_id, amount: 300 } }],
  ]);
  assert.ok(
    said.some(line => line.includes('could not be settled')),
    said.join('\n'),
  );
  assert.ok(
    said.some(line => line.includes(given.session_id) && line.includes('given up')),
    said.join('\n'),
  );
  assert.ok(!said.some(line => line.includes(open.session_id)));
});
