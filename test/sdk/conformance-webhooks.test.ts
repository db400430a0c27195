import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { everyClient } from '../support/every-client.ts';

const { everywhere, tabled } = everyClient();
const now = 1_794_724_200;
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const older = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;

function signature(body: string | Buffer, by = secret, at: number | string = now): string {
  const key = Buffer.from(by.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`evt_1.${at}.`).update(body).digest('base64')}`;
}

function webhook(
  body: string | Buffer,
  headers: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) {
  const usual = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(now),
    'webhook-signature': signature(body),
  };
  const args = { body: Buffer.from(body).toString('base64'), headers: { ...usual, ...headers }, secret };
  return { call: 'verifyWebhook', args: { ...args, options: { now }, ...more } };
}

for (const type of [
  'payment.paid',
  'payment.review',
  'payment.unmatched',
  'webhook.test',
  'one.of.tomorrow',
]) {
  everywhere(`event \`${type}\``, async client => {
    const event = {
      type,
      timestamp: '2026-11-15T06:30:00.000Z',
      data: { customer: { name: 'आशा 👍' }, amount: 499.37 },
    };
    const said = await client.ask(webhook(JSON.stringify(event)));
    assert.deepEqual(said.value, { id: 'evt_1', ...event });
  });
}

const event = '{"type":"payment.paid","timestamp":"","data":{}}';

everywhere('either of two secrets, either of two signatures, other versions passed over', async client => {
  const both = { 'webhook-signature': `v2,x ${signature(event, older)} ${signature(event)}` };
  for (const given of [
    secret,
    older,
    [older, secret],
    [`whsec_${Buffer.alloc(9).toString('base64')}`, older],
  ])
    assert.equal((await client.ask(webhook(event, both, { secret: given }))).value?.type, 'payment.paid');
  assert.match((await client.ask(webhook(event, {}, { secret: [] }))).mistake ?? '', /^Milaan: /);
  assert.match((await client.ask(webhook(event, {}, { secret: 'whsec_' }))).mistake ?? '', /^Milaan: /);
});

everywhere('names of headers in any case', async client => {
  const { args } = webhook(event);
  const headers = Object.fromEntries(
    Object.entries(args.headers).map(([name, value]) => [
      name.replace(/\b[a-z]/g, letter => letter.toUpperCase()),
      value,
    ]),
  );
  assert.equal(
    (await client.ask({ call: 'verifyWebhook', args: { ...args, headers } })).value?.type,
    'payment.paid',
  );
});

const refusals: Record<string, ReturnType<typeof webhook>[]> = {
  missing_header: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    webhook(event, { [name]: '' }),
  ),
  malformed_header: [
    webhook(event, { 'webhook-timestamp': 'soon' }),
    webhook(event, { 'webhook-timestamp': '1e9' }),
    webhook(event, { 'webhook-timestamp': `${now}\n` }),
    webhook(event, { 'Webhook-Id': 'evt_2' }),
    webhook(event, { 'webhook-signature': `${signature(event)} `.repeat(11).trim() }),
  ],
  too_old: [
    webhook(event, {}, { options: { now: now + 301 } }),
    webhook(event, {}, { options: { now: now + 6, tolerance: 5 } }),
  ],
  too_new: [webhook(event, {}, { options: { now: now - 301 } })],
  wrong_signature: [
    webhook(event, {}, { secret: older }),
    webhook(event, { 'webhook-signature': signature(`${event} `) }),
    webhook(event, { 'webhook-id': 'evt_2' }),
    webhook(event, { 'webhook-signature': 'v1,é' }),
    webhook(event, { 'webhook-signature': signature(event).slice('v1,'.length) }),
  ],
  malformed_body: ['[]', '{"type":5}', '{"type":', Buffer.from('{"type":"\xff"}', 'latin1')].map(body =>
    webhook(body),
  ),
};
for (const [reason, cases] of Object.entries(refusals)) {
  everywhere(`refused webhook \`${reason}\``, async client => {
    for (const one of cases)
      assert.deepEqual(await client.ask(one), { refused: reason }, JSON.stringify(one));
  });
}

everywhere('the edge of the tolerance is inside it', async client => {
  for (const at of [now - 300, now + 300])
    assert.equal(
      (await client.ask(webhook(event, {}, { options: { now: at } }))).value?.type,
      'payment.paid',
    );
});

tabled('Webhooks');
