import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkForwarding } from '../../src/operator/doctor/check-forwarding.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { openForwardingStage } from '../support/forwarding-stage.ts';
import { use } from '../support/use.ts';

const stage = use(openForwardingStage);
const dns = use(() =>
  startDnsServer(({ name, type }) => {
    if (name === 'alerts.milaan.example' && type === 'MX')
      return [{ name, type, ttl: 60, data: { preference: 10, exchange: 'mx.milaan.example' } }];
    if (name === 'mx.milaan.example' && type === 'A') return [{ name, type, ttl: 60, data: '127.0.0.1' }];
    return 'nxdomain';
  }),
);

const look = (mailDomain: string | null, port = stage.port) =>
  checkForwarding(stage.world.sql, { mailDomain, dnsServers: [dns.address] }, port);

test('the doctor checks where the MX record leads, and that a mail server answers there', async () => {
  assert.deepEqual(await look('alerts.milaan.example'), [
    { state: 'ok', what: 'MX', found: 'alerts.milaan.example leads to mx.milaan.example' },
    { state: 'ok', what: 'mail in', found: `mx.milaan.example port ${stage.port} greets` },
    { state: 'ok', what: 'forwardings', found: '0 open, none silent' },
  ]);
});

test('the doctor names a domain without MX record, a closed port, and an installation that receives no mail', async () => {
  assert.deepEqual(
    (await look('elsewhere.example')).map(({ state, what }) => [state, what]),
    [['fault', 'MX']],
  );
  assert.deepEqual(
    (await look('alerts.milaan.example', 1)).map(({ state, what }) => [state, what]),
    [
      ['ok', 'MX'],
      ['warning', 'mail in'],
      ['ok', 'forwardings'],
    ],
  );
  assert.deepEqual((await look(null))[0]?.state, 'ok');
});
