import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { checkDestination } from '../../../src/base/network/check-destination.ts';
import { openDns } from '../../../src/base/network/dns.ts';
import { addresses, type DnsReply, startDnsServer } from '../../support/dns-server.ts';
import { liveConfig } from '../../support/live-config.ts';
import { testClock } from '../../support/test-world.ts';

const table: Record<string, string[]> = {
  'shop.example.in': ['93.184.216.34', '2606:4700:4700::1111'],
  'private.example.in': ['10.0.0.1'],
  'mixed.example.in': ['93.184.216.34', '127.0.0.1'],
  'six.example.in': ['93.184.216.34', '::1'],
};
const special: Record<string, DnsReply> = {
  'broken.example.in': 'servfail',
  'silent.example.in': 'silence',
  'cname.example.in': [
    { name: 'cname.example.in', type: 'CNAME', data: 'db.corp.example' },
    { name: 'db.corp.example', type: 'A', data: '10.0.0.9' },
  ],
};
const server = await startDnsServer(question => special[question.name] ?? addresses(table)(question));
after(() => server.stop());

function freshWorld() {
  return { dns: openDns([server.address]), config: liveConfig(), clock: testClock() };
}

const world = freshWorld();

test('a name with public addresses is accepted, and its host is the destination', async () => {
  assert.deepEqual(await checkDestination(world, 'https://SHOP.example.in:8443/hook'), {
    ok: true,
    destination: 'shop.example.in',
  });
});

for (const name of ['private', 'mixed', 'six', 'cname']) {
  test(`a name that resolves to a refused address is refused: ${name}`, async () => {
    const checked = await checkDestination(world, `https://${name}.example.in/`);
    assert.equal(checked.ok, false);
    // The reason names no address: a stranger learns nothing about the inner network.
    assert.doesNotMatch(JSON.stringify(checked), /\d+\.\d+\.\d+|::/);
  });
}

for (const name of ['missing', 'broken', 'silent']) {
  test(`a name that does not resolve now is accepted: ${name}`, async () => {
    const checked = await checkDestination(world, `https://${name}.example.in/`);
    assert.deepEqual(checked, { ok: true, destination: `${name}.example.in` });
  });
}

test('an address needs no DNS, and a refused name is never asked for', async () => {
  const before = server.asked.length;
  assert.equal((await checkDestination(world, 'https://8.8.8.8/')).ok, true);
  assert.equal((await checkDestination(world, 'https://127.0.0.1/')).ok, false);
  assert.equal((await checkDestination(world, 'https://a.internal/')).ok, false);
  assert.equal(server.asked.length, before);
});

test('many simultaneous creates ask DNS once; a verdict is forgotten after seconds, a refusal sooner', async () => {
  const own = freshWorld();
  const count = (name: string) => server.asked.filter(line => line === `${name}.example.in A`).length;
  const [shop, refused] = [count('shop'), count('private')];
  await Promise.all(Array.from({ length: 50 }, () => checkDestination(own, 'https://shop.example.in/')));
  await checkDestination(own, 'https://private.example.in/');
  own.clock.advance(6 * second);
  await checkDestination(own, 'https://shop.example.in/other');
  await checkDestination(own, 'https://private.example.in/');
  assert.deepEqual([count('shop') - shop, count('private') - refused], [1, 2]);
  own.clock.advance(1 * minute);
  table['shop.example.in'] = ['127.0.0.1'];
  assert.equal((await checkDestination(own, 'https://shop.example.in/')).ok, false);
});
