import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { second } from '../../../src/base/clock.ts';
import { freePort } from '../../../src/base/free-port.ts';
import { DnsError, openDns } from '../../../src/base/network/dns.ts';
import {
  guardedConnect,
  NoConnection,
  RefusedAddress,
  TlsFailed,
} from '../../../src/base/network/guarded-connect.ts';
import { type Host, parseHost } from '../../../src/base/network/parse-destination.ts';
import type { Config } from '../../../src/base/settings/config.ts';
import { listenAndCount } from '../../support/counting-listener.ts';
import { type DnsReply, startDnsServer } from '../../support/dns-server.ts';
import { liveConfig } from '../../support/live-config.ts';

/** The name server's next answers, in turn; the last one stays. */
const script = new Map<string, DnsReply[]>();
const server = await startDnsServer(({ name, type }) => {
  const turns = script.get(`${name} ${type}`) ?? [[]];
  return (turns.length > 1 ? turns.shift() : turns[0]) ?? [];
});
// A port that nobody else is given, at any of the three.
const one = await listenAndCount('127.0.0.1', await freePort());
const two = await listenAndCount('127.0.0.2', one.port);
const six = await listenAndCount('::1', one.port);
after(() => Promise.all([server.stop(), one.stop(), two.stop(), six.stop()]));

const records = (name: string, type: string, ...data: string[]) =>
  data.map(address => ({ name, type, ttl: 0, data: address }));

function connectTo(host: Host, config: Config, signal = AbortSignal.timeout(10 * second)) {
  return guardedConnect({ dns: openDns([server.address]), config }, host, { tls: false, signal });
}

function hostNamed(name: string, config: Config): Host {
  const parsed = parseHost(name, one.port, config);
  assert.ok(parsed.ok, name);
  return parsed.host;
}

const opened = () => one.connections() + two.connections() + six.connections();

const live = liveConfig();
const onlyTwo = liveConfig({ WEBHOOK_ALLOW: '127.0.0.2' });

const answers: Record<string, [type: string, ...addresses: string[]][]> = {
  'a loopback answer': [['A', '127.0.0.1']],
  'the unspecified address, which Linux takes for loopback': [['A', '0.0.0.0']],
  'AAAA ::1': [['AAAA', '::1']],
  'an IPv4-mapped answer': [['AAAA', '::ffff:127.0.0.1']],
  'an IPv4-compatible answer': [['AAAA', '::7f00:1']],
  'public and private in one answer': [['A', '93.184.216.34', '127.0.0.1']],
  'a public A beside a private AAAA': [
    ['A', '93.184.216.34'],
    ['AAAA', '::1'],
  ],
  'the metadata address': [['A', '169.254.169.254']],
};

for (const [kind, turns] of Object.entries(answers)) {
  test(`opens no connection for ${kind}`, async () => {
    script.clear();
    for (const [type, ...data] of turns)
      script.set(`t.example.in ${type}`, [records('t.example.in', type, ...data)]);
    const before = opened();
    await assert.rejects(connectTo(hostNamed('t.example.in', live), live), RefusedAddress);
    assert.equal(opened(), before);
  });
}

// R11
test('opens no connection for a CNAME to an internal address', async () => {
  script.clear();
  script.set('t.example.in A', [
    [
      { name: 't.example.in', type: 'CNAME', data: 'db.corp.example' },
      ...records('db.corp.example', 'A', '127.0.0.1'),
    ],
  ]);
  const before = opened();
  await assert.rejects(connectTo(hostNamed('t.example.in', live), live), RefusedAddress);
  assert.equal(opened(), before);
});

test('opens no connection for an address literal, even when the caller forgot to refuse it', async () => {
  const before = opened();
  for (const name of ['127.0.0.1', '::1', '0.0.0.0', '::ffff:127.0.0.1']) {
    const host = { name, port: one.port, isLiteral: true, isTrusted: false };
    await assert.rejects(connectTo(host, live), RefusedAddress, name);
  }
  assert.equal(opened(), before);
});

test('a name that changes its address is connected at the checked address, and checked again each time', async () => {
  script.clear();
  script.set('t.example.in A', [
    records('t.example.in', 'A', '127.0.0.2'),
    records('t.example.in', 'A', '127.0.0.1'),
  ]);
  const before = [one.connections(), two.connections()];
  const socket = await connectTo(hostNamed('t.example.in', onlyTwo), onlyTwo);
  assert.equal(socket.remoteAddress, '127.0.0.2');
  socket.destroy();
  await assert.rejects(connectTo(hostNamed('t.example.in', onlyTwo), onlyTwo), RefusedAddress);
  assert.deepEqual([one.connections(), two.connections()], [before[0], before[1]! + 1]);
});

test('a failing name server, also for one address family alone, is a temporary fault and opens no connection', async () => {
  script.clear();
  const before = opened();
  script.set('t.example.in A', [records('t.example.in', 'A', '127.0.0.2')]);
  script.set('t.example.in AAAA', ['servfail']);
  const temporary = (error: unknown) => error instanceof DnsError && error.kind === 'temporary';
  await assert.rejects(connectTo(hostNamed('t.example.in', onlyTwo), onlyTwo), temporary);
  assert.equal(opened(), before);
});

test('a name that does not exist is reported as such', async () => {
  script.clear();
  script.set('t.example.in A', ['nxdomain']);
  script.set('t.example.in AAAA', ['nxdomain']);
  const missing = (error: unknown) => error instanceof DnsError && error.kind === 'not_found';
  await assert.rejects(connectTo(hostNamed('t.example.in', live), live), missing);
});

test('a silent name server is given up at the caller’s deadline, and opens no connection', async () => {
  script.clear();
  script.set('t.example.in A', ['silence']);
  const before = opened();
  const stop = new AbortController();
  const connecting = connectTo(hostNamed('t.example.in', live), live, stop.signal);
  stop.abort(new Error('time is up'));
  await assert.rejects(connecting, /time is up/);
  assert.equal(opened(), before);
});

test('an unreachable first address does not hide a working second one', async () => {
  script.clear();
  const config = liveConfig({ WEBHOOK_ALLOW: '127.0.0.0/8' });
  script.set('t.example.in A', [records('t.example.in', 'A', '127.0.0.9', '127.0.0.2')]);
  const socket = await connectTo(hostNamed('t.example.in', config), config);
  assert.equal(socket.remoteAddress, '127.0.0.2');
  socket.destroy();
});

test('a closed port is reported only as a connection that failed', async () => {
  const closed = await listenAndCount('127.0.0.2');
  await closed.stop();
  const host = { ...hostNamed('127.0.0.2', onlyTwo), port: closed.port };
  await assert.rejects(connectTo(host, onlyTwo), NoConnection);
});

test('TLS is requested for the name, though an address is connected', async t => {
  script.clear();
  script.set('t.example.in A', [records('t.example.in', 'A', '127.0.0.2')]);
  const names: string[] = [];
  const tls = createTlsServer({
    SNICallback: (name, done) => {
      names.push(name);
      done(new Error('no certificate'));
    },
  });
  tls.on('tlsClientError', () => {});
  t.after(() => tls.close());
  tls.listen(0, '127.0.0.2');
  await once(tls, 'listening');
  const { port } = tls.address() as { port: number };
  const host = { ...hostNamed('t.example.in', onlyTwo), port };
  const world = { dns: openDns([server.address]), config: onlyTwo };
  const signal = AbortSignal.timeout(10 * second);
  await assert.rejects(guardedConnect(world, host, { tls: true, signal }), TlsFailed);
  assert.deepEqual(names, ['t.example.in']);
});
