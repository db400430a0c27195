import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { secretBox } from '../../../src/base/secrets.ts';
import { signWebhook, webhookSecretBinding } from '../../../src/outbox/webhooks/sign-webhook.ts';

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const found = (pattern: RegExp) =>
  pattern.exec(page)?.[1] ?? assert.fail(`not in docs/webhooks.md: ${pattern}`);

const example = {
  id: found(/^webhook-id: (\S+)$/m),
  time: found(/^webhook-timestamp: (\d+)$/m),
  signature: found(/^webhook-signature: (\S+)$/m),
  secret: found(/`(whsec_[^`…]+)`/),
  body: found(/^(\{"type".*\})$/m),
};

test('the documentation’s example has our signature', () => {
  const secrets = secretBox([Buffer.alloc(32)]);
  const webhook_secret = secrets.seal(example.secret, webhookSecretBinding(1));
  const signed = signWebhook(
    { secrets },
    {
      merchantId: 1,
      shop: null,
      eventId: example.id,
      body: example.body,
      sealed: { webhook_secret, old_webhook_secret: null, secret_rotated_at: null },
      now: new Date(Number(example.time) * 1000),
    },
  );
  assert.equal(signed['webhook-signature'], example.signature);
});

test('the documented Node.js code accepts the example, and no changed one', async () => {
  const code = found(/```js\n([\s\S]*?)```/);
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const headers = { 'webhook-id': example.id, 'webhook-timestamp': example.time };
  const both = `v1,${createHmac('sha256', 'x').digest('base64')} ${example.signature}`;
  const now = Number(example.time);
  assert.equal(isGenuine(example.secret, { ...headers, 'webhook-signature': both }, example.body, now), true);
  const right = { ...headers, 'webhook-signature': example.signature };
  assert.equal(isGenuine(example.secret, right, example.body.replace('499', '1'), now), false);
  assert.equal(isGenuine(example.secret, right, example.body, now + 301), false);
  assert.equal(isGenuine(example.secret, { ...headers, 'webhook-signature': '' }, example.body, now), false);
});
