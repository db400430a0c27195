import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress, isSameAddress } from '../../../src/base/network/public-address.ts';
import { fc } from '../../support/same-dice.ts';

const publicOnes = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4009:80b::200e',
];

const others = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'link-local and metadata services': ['169.254.169.254', 'fe80::1', '168.63.129.16', 'fd00:ec2::254'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255', '100.100.100.200'],
  'protocol assignments': ['192.0.0.1', '192.0.0.192', '2001::1', '2001:1::1', '2001:1ff::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  '6to4': ['192.88.99.1', '2002:7f00:1::', '2002:808:808::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: ['240.0.0.1', '255.255.255.255', '4000::1', '5f00::1', '8000::1', 'e000::1'],
  'unspecified and IPv4-compatible': ['::', '::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  mapped: ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1'],
  Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'unique local and site local': ['fc00::1', 'fdff::1', 'fec0::1'],
  discard: ['100::1'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  'what is no plain address': [
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '1.1.1',
    '::1%lo',
    'fe80::1%eth0',
    '1.1.1.1%eth0',
    '[::1]',
    ' 8.8.8.8',
    '8.8.8.8\n',
  ],
};

test('global unicast addresses are public', () => {
  for (const address of publicOnes) assert.equal(isPublicAddress(address), true, address);
});

for (const [kind, addresses] of Object.entries(others)) {
  test(`not public: ${kind}`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
  });
}

test('no IPv6 address outside 2000::/3 is public, whatever it is', () => {
  fc.assert(
    fc.property(fc.ipV6(), text => {
      const first = Number.parseInt(text.split(':')[0] || '0', 16);
      fc.pre(first < 0x2000 || first > 0x3fff);
      assert.equal(isPublicAddress(text), false, text);
    }),
  );
});

test('a peer address in IPv4-mapped form is the same address, another one is not', () => {
  assert.equal(isSameAddress('::ffff:10.0.0.1', '10.0.0.1'), true);
  assert.equal(isSameAddress('2606:4700::1', '2606:4700:0:0:0:0:0:1'), true);
  assert.equal(isSameAddress('10.0.0.2', '10.0.0.1'), false);
  assert.equal(isSameAddress('', '10.0.0.1'), false);
});
