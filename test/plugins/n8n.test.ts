import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook as verifyBySdk, WebhookRefused } from '../../sdk/src/milaan.ts';

/** The nodes themselves run inside a real n8n in `npm run drill -- n8n`; here the rule that all rests on. */
type Headers = Record<string, string | string[] | undefined>;
type Verify = (
  rawBody: Uint8Array,
  headers: Headers,
  secret: string,
  now: Date,
) => { event: unknown } | { refused: string };
// Import it by address: n8n's package is CommonJS, which our own compiler settings refuse.
const address = pathToFileURL('plugins/n8n/nodes/MilaanTrigger/verify-webhook.ts').href;
const { verifyWebhook } = (await import(address)) as { verifyWebhook: Verify };

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const now = new Date();
const body = readFileSync('test/plugins/medusa/recorded-paid.json', 'utf8');

function signed(text: string, { age = 0, by = secret, ...change }: Record<string, unknown> = {}) {
  const time = new Date(now.getTime() - Number(age));
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(String(by)).sign('evt_1', time, text),
    ...change,
  } as Headers;
}

const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const fitting = String(signed(body)['webhook-signature']);
const cases: Record<string, [text: string, headers: Headers]> = {
  genuine: [body, signed(body)],
  'changed by one space': [`${body} `, signed(body)],
  'written again': [JSON.stringify(JSON.parse(body)), signed(body)],
  'by another secret': [body, signed(body, { by: other })],
  'by both secrets while one is replaced': [
    body,
    signed(body, { 'webhook-signature': `${signed(body, { by: other })['webhook-signature']} ${fitting}` }),
  ],
  'of another version': [body, signed(body, { 'webhook-signature': fitting.replace('v1,', 'v2,') })],
  'with too many signatures': [body, signed(body, { 'webhook-signature': `${fitting} `.repeat(11).trim() })],
  'with ten signatures': [body, signed(body, { 'webhook-signature': `${fitting} `.repeat(10).trim() })],
  'with an empty signature': [body, signed(body, { 'webhook-signature': 'v1,' })],
  'without a signature': [body, signed(body, { 'webhook-signature': undefined })],
  'without an id': [body, signed(body, { 'webhook-id': '' })],
  'with another id': [body, signed(body, { 'webhook-id': 'evt_2' })],
  'with a time twice': [body, signed(body, { 'webhook-timestamp': ['1', '2'] })],
  'with a time in words': [body, signed(body, { 'webhook-timestamp': '1e9' })],
  '300 seconds old': [body, signed(body, { age: 300_000 })],
  '302 seconds old': [body, signed(body, { age: 302_000 })],
  '302 seconds ahead': [body, signed(body, { age: -302_000 })],
  'signed, and no event': ['[]', signed('[]')],
  'signed, and no JSON': ['paid', signed('paid')],
};

for (const [name, [text, headers]] of Object.entries(cases)) {
  test(`the n8n trigger and the SDK give the same verdict on an event ${name}`, async () => {
    const bySdk = await verifyBySdk(text, headers, secret, { now }).catch(error => {
      assert.ok(error instanceof WebhookRefused);
      return null;
    });
    const verified = verifyWebhook(Buffer.from(text), headers, secret, now);
    assert.deepEqual('event' in verified ? verified.event : null, bySdk);
  });
}

test('a missing or invalid secret accepts nothing', () => {
  for (const wrong of ['', 'whsec_', '  ', 'whsec_!!', other])
    assert.ok('refused' in verifyWebhook(Buffer.from(body), signed(body), wrong, now));
});
