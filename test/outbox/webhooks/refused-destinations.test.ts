import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freePort } from '../../../src/base/free-port.ts';
import { openDns } from '../../../src/base/network/dns.ts';
import { attemptDelivery } from '../../../src/outbox/webhooks/attempt-delivery.ts';
import type { ClaimedDelivery } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { listenAndCount } from '../../support/counting-listener.ts';
import { addresses, type DnsReply, startDnsServer } from '../../support/dns-server.ts';
import { liveConfig } from '../../support/live-config.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { addPaidEvent, claimOne } from '../../support/webhook-world.ts';

const world = await openTestWorld();
const { merchantId } = await addTestMerchant(world);
const four = await listenAndCount('127.0.0.1', await freePort());
const six = await listenAndCount('::1', four.port);
const special: Record<string, DnsReply> = {
  'cname.example.in': [
    { name: 'cname.example.in', type: 'CNAME', data: 'db.corp.example' },
    { name: 'db.corp.example', type: 'A', data: '127.0.0.1' },
  ],
  'broken.example.in': 'servfail',
};
const table = {
  'inside.example.in': ['127.0.0.1'],
  'mixed.example.in': ['93.184.216.34', '127.0.0.1'],
  'six.example.in': ['::1'],
  'mapped.example.in': ['::ffff:127.0.0.1'],
};
const server = await startDnsServer(question => special[question.name] ?? addresses(table)(question));
after(async () => {
  await Promise.all([four.stop(), six.stop(), server.stop()]);
  await world.stop();
});

await addPaidEvent(world, merchantId, 'http://127.0.0.1:1/');
const claimed = await claimOne(world);
const live = { ...world, config: liveConfig(), dns: openDns([server.address]) };

/** The outcome for an address that came into the database without the checks of create. */
async function outcomeAt(url: string): Promise<string> {
  const delivery: ClaimedDelivery = { ...claimed, webhook_url: url };
  return (await attemptDelivery(live, delivery, new AbortController().signal)).outcome;
}

const classes = {
  'a decimal address': '2130706433',
  'an octal address': '0177.0.0.1',
  'a hex address': '0x7f000001',
  'a short address': '127.1',
  'a full-width address': '１２７.０.０.１',
  'a plain address': '127.0.0.1',
  'the unspecified address': '0.0.0.0',
  'an IPv6 address': '[::1]',
  'a mapped address': '[::ffff:127.0.0.1]',
  'a compatible address': '[::127.0.0.1]',
  localhost: 'localhost',
  'localhost with a dot': 'localhost.',
  'a name under .localhost': 'a.localhost',
  'a name that resolves inside': 'inside.example.in',
  'public and private in one answer': 'mixed.example.in',
  'AAAA ::1': 'six.example.in',
  'a mapped AAAA': 'mapped.example.in',
  'a CNAME to the inside': 'cname.example.in',
};

for (const [kind, host] of Object.entries(classes)) {
  test(`a send opens no connection to ${kind}`, async () => {
    for (const scheme of ['http', 'https']) {
      assert.equal(await outcomeAt(`${scheme}://${host}:${four.port}/`), 'refused_address');
    }
    assert.deepEqual([four.connections(), six.connections()], [0, 0]);
  });
}

// R11
test('user names and backslashes in an address lead nowhere', async () => {
  for (const url of [`http://a.in@127.0.0.1:${four.port}/`, `http://a.in\\@127.0.0.1:${four.port}/`]) {
    assert.equal(await outcomeAt(url), 'refused_address');
  }
  assert.deepEqual([four.connections(), six.connections()], [0, 0]);
});

test('a name server that fails is reported as such, and no connection is opened', async () => {
  assert.equal(await outcomeAt(`http://broken.example.in:${four.port}/`), 'dns_failed');
  assert.equal(four.connections(), 0);
});
