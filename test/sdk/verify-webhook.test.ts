import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type VerifyOptions, verifyWebhook, WebhookRefused } from '../../sdk/src/milaan.ts';
import { day, hour } from '../../src/base/clock.ts';
import { revealWebhookSecret, rotateWebhookSecret } from '../../src/outbox/webhooks/reveal-webhook-secret.ts';
import { sendTestEvent } from '../../src/outbox/webhooks/send-test-event.ts';
import { fc } from '../support/same-dice.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from '../support/test-world.ts';
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { addPaidEvent, deliverOne } from '../support/webhook-world.ts';

let world: TestWorld;
let receiver: Receiver;
let merchantId: number;
before(async () => {
  world = await openTestWorld();
  receiver = await startReceiver();
  ({ merchantId } = await addTestMerchant(world));
});
after(async () => {
  await receiver.stop();
  await world.stop();
});

/** A webhook as the service really sends it. */
async function delivered(): Promise<Received> {
  await addPaidEvent(world, merchantId, receiver.url);
  await deliverOne(world);
  return receiver.received.at(-1)!;
}

const secretNow = async () => (await revealWebhookSecret(world.sql, world, merchantId))!.secret;
const at = (change = 0): VerifyOptions => ({ now: new Date(world.clock.now().getTime() + change) });
const bytes = (text: string) => new TextEncoder().encode(text);

async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => assert.fail('the webhook was accepted'),
    problem => problem,
  );
  assert.ok(error instanceof WebhookRefused, String(error));
  return error.reason;
}

test('accepts what the service sends, as bytes and as text, and returns the typed event', async () => {
  const { headers, body } = await delivered();
  const secret = await secretNow();
  const event = await verifyWebhook(bytes(body), headers, secret, at());
  assert.ok(event.type === 'payment.paid');
  assert.equal(event.id, headers['webhook-id']);
  assert.equal(event.data.status, 'paid');
  assert.equal(event.data.customer?.name, 'आशा 😀');
  assert.deepEqual(await verifyWebhook(Buffer.from(body), new Headers(headers), [secret], at()), event);
  assert.deepEqual(await verifyWebhook(body, headers, secret.replace('whsec_', ''), at()), event);
  const shouted = Object.fromEntries(Object.entries(headers).map(([name, v]) => [name.toUpperCase(), v]));
  assert.deepEqual(await verifyWebhook(body, shouted, secret, at()), event);
});

test('a test event is distinguished from a payment', async () => {
  assert.ok((await sendTestEvent(world, merchantId, receiver.url)).ok);
  await deliverOne(world);
  const { headers, body } = receiver.received.at(-1)!;
  const event = await verifyWebhook(body, headers, await secretNow(), at());
  assert.equal(event.type, 'webhook.test');
});

test('during a rotation either secret verifies, alone or in a list, and afterwards only the new one', async () => {
  const old = await secretNow();
  const fresh = (await rotateWebhookSecret(world.sql, world, merchantId, null))!;
  world.clock.advance(hour);
  const both = await delivered();
  assert.equal(both.headers['webhook-signature']!.split(' ').length, 2);
  for (const secret of [old, fresh, [old, fresh], [fresh, old]]) {
    assert.equal((await verifyWebhook(both.body, both.headers, secret, at())).type, 'payment.paid');
  }
  world.clock.advance(day);
  const later = await delivered();
  assert.equal(await refusal(verifyWebhook(later.body, later.headers, old, at())), 'wrong_signature');
  assert.equal((await verifyWebhook(later.body, later.headers, [old, fresh], at())).type, 'payment.paid');
});

test('accepts five minutes of difference between the clocks, and not a second more', async () => {
  const { headers, body } = await delivered();
  const secret = await secretNow();
  const check = (change: number, tolerance?: number) =>
    verifyWebhook(body, headers, secret, { ...at(change), ...(tolerance !== undefined && { tolerance }) });
  assert.equal((await check(300_000)).type, 'payment.paid');
  assert.equal((await check(-300_000)).type, 'payment.paid');
  assert.equal(await refusal(check(301_000)), 'too_old');
  assert.equal(await refusal(check(-301_000)), 'too_new');
  assert.equal(await refusal(check(11_000, 10)), 'too_old');
  assert.equal(await refusal(check(0, Number.NaN)), 'too_old');
});

test('refuses a request whose headers are missing, doubled or not of this form', async () => {
  const { headers, body } = await delivered();
  const secret = await secretNow();
  const check = (change: Record<string, string | string[] | undefined>) =>
    refusal(verifyWebhook(body, { ...headers, ...change }, secret, at()));
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    assert.equal(await check({ [name]: undefined }), 'missing_header');
    assert.equal(await check({ [name]: '' }), 'missing_header');
    assert.equal(await check({ [name]: [headers[name]!, headers[name]!] }), 'malformed_header');
  }
  assert.equal(await check({ 'webhook-timestamp': '1e9' }), 'malformed_header');
  const signature = headers['webhook-signature']!;
  assert.equal(await check({ 'webhook-signature': signature.replace('v1,', 'v2,') }), 'wrong_signature');
  assert.equal(await check({ 'webhook-signature': 'v1,' }), 'wrong_signature');
  assert.equal(await check({ 'webhook-signature': `v1,${signature.slice(3, 20)}` }), 'wrong_signature');
  assert.equal(await check({ 'webhook-signature': 'v1,!' }), 'wrong_signature');
  assert.equal(await check({ 'webhook-signature': `${signature} `.repeat(11) }), 'malformed_header');
});

test('refuses every changed byte of body, id, time and signature', async () => {
  const { headers, body } = await delivered();
  const secret = await secretNow();
  const parts = {
    body,
    id: headers['webhook-id']!,
    timestamp: headers['webhook-timestamp']!,
    signature: headers['webhook-signature']!.slice(3),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('body', 'id', 'timestamp', 'signature' as const),
      fc.nat(),
      fc.constantFrom(...'0123456789abcXYZ"{ '),
      async (part, place, character) => {
        const text = parts[part as keyof typeof parts];
        const at_ = place % text.length;
        // The last character of base64 has bits that mean nothing.
        fc.pre(text[at_] !== character && !(part === 'signature' && at_ >= text.length - 2));
        const changed = { ...parts, [part]: text.slice(0, at_) + character + text.slice(at_ + 1) };
        const sent = {
          'webhook-id': changed.id,
          'webhook-timestamp': changed.timestamp,
          'webhook-signature': `v1,${changed.signature}`,
        };
        await assert.rejects(verifyWebhook(changed.body, sent, secret, at()), WebhookRefused);
      },
    ),
    { numRuns: 300 },
  );
});

test('agrees with the public verifier of Standard Webhooks on what it accepts', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const now = new Date();
  const body = '{"type":"payment.paid","timestamp":"2026-11-15T06:30:00.000Z","data":{}}';
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };
  new Webhook(secret).verify(body, headers);
  assert.equal((await verifyWebhook(body, headers, secret)).type, 'payment.paid');
});

test('explains the shop’s own faults: a parsed body, an invalid secret', async () => {
  const { headers, body } = await delivered();
  const secret = await secretNow();
  await assert.rejects(verifyWebhook(JSON.parse(body), headers, secret, at()), /express\.raw/);
  for (const none of ['', 'whsec_', 'whsec_***', undefined as unknown as string]) {
    await assert.rejects(verifyWebhook(body, headers, none, at()), TypeError);
  }
  await assert.rejects(verifyWebhook(body, headers, [], at()), TypeError);
});
