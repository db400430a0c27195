import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destinationOf, parseHost, parseWebhookUrl } from '../../../src/base/network/parse-destination.ts';
import { liveConfig, sandboxConfig } from '../../support/live-config.ts';

const live = liveConfig();
const sandbox = sandboxConfig();

function isTaken(url: string, rules = live): boolean {
  return parseWebhookUrl(url, rules).ok;
}

test('accepts public names and addresses, with port, path, query, IDN and one trailing dot', () => {
  const good = [
    'https://shop.example.in/hook',
    'HTTP://Shop.Example.IN:8080/hook?a=b#c',
    'https://shop.example.in./hook',
    'https://बाज़ार.example.in/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:8443/x',
    'https://my_shop.example.in/%20',
    'https://shop.example.in/@user',
  ];
  for (const url of good) assert.equal(isTaken(url), true, url);
});

test('a name is stored without its trailing dot, in lower case and in the usual notation', () => {
  const parsed = parseWebhookUrl('https://SHOP.Example.in./x', live);
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.host, { name: 'shop.example.in', port: 443, isLiteral: false, isTrusted: false });
});

const refused = {
  'other schemes and relative addresses': [
    'ftp://a.in/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//a.in/',
    'a.in',
    '',
    'https:a.in',
    'https:/a.in',
    'https:///a.in',
    'https://',
    'data:text/plain,x',
    'gopher://a.in/',
    'httpss://a.in',
  ],
  'spaces, control characters and backslashes': [
    ' https://a.in/',
    'https://a.in/ ',
    'https://a.in/a b',
    'https://a.\tin/',
    'https://a.in/\n',
    'https://a.in\\@127.0.0.1/',
    'https:\\\\a.in/',
    'https://a.in/\u0000',
    'https://a.in/\u00a0',
    'https://a.in/\u2028',
    'https://a.in/\u007f',
    'https://a.in/\ud800',
  ],
  userinfo: [
    'https://u@a.in/',
    'https://u:p@a.in/',
    'https://@a.in/',
    'https://:@a.in/',
    'https://a.in:80@127.0.0.1/',
  ],
  'localhost and single labels': [
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://intranet/',
    'http://intranet./',
    'http://a.in../',
    'http://ｌocalhost/',
    'http://xn--a/',
  ],
  'private suffixes': [
    'http://a.localhost/',
    'http://a.internal/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://router.home.arpa/',
    'http://a.internal./',
    'http://A.INTERNAL/',
    'http://home.arpa/',
    'http://a。internal/',
  ],
  'loopback in every notation': [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://１２７.0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://%31%32%37.0.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
  ],
  'private and reserved addresses': [
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://169.254.169.254/latest/',
    'http://2852039166/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://203.0.113.7/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[2002:a00:1::]/',
    'http://[2001:0:1::]/',
    'http://[ff02::1]/',
  ],
  'hosts that are none': [
    'http://a..b/',
    'http://.a.in/',
    'http://a*.in/',
    'http://1.2.3.4.5/',
    'http://999.1.1.1/',
    'http://[::1%25lo]/',
    'http://a.in:0/',
    'http://a.in:65536/',
    `http://${'a'.repeat(64)}.in/`,
    `http://${'a.'.repeat(127)}in/`,
  ],
  'more than 500 characters': [`https://a.in/${'x'.repeat(488)}`, `https://a.in/${'😀'.repeat(488)}`],
};

for (const [kind, urls] of Object.entries(refused)) {
  test(`refuses ${kind}`, () => {
    for (const url of urls) assert.equal(isTaken(url), false, JSON.stringify(url));
  });
}

test('500 code points are accepted, though they are more in UTF-16', () => {
  assert.equal(isTaken(`https://a.in/${'😀'.repeat(487)}`), true);
});

test('the sandbox allows loopback and nothing else', () => {
  for (const url of [
    'http://localhost:3000/',
    'http://shop.localhost/',
    'http://127.0.0.1:1/',
    'http://[::1]/',
  ]) {
    assert.equal(isTaken(url, sandbox), true, url);
  }
  for (const url of [
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://intranet/',
    'http://a.internal/',
  ]) {
    assert.equal(isTaken(url, sandbox), false, url);
  }
});

test('a sandbox that others can reach allows its demo shop, and no other port or name of this machine', () => {
  const shared = sandboxConfig({ HOST: '0.0.0.0', SANDBOX_PUBLIC: 'yes' });
  assert.equal(isTaken('http://127.0.0.1:8081/webhooks/upi', shared), true);
  for (const url of [
    'http://127.0.0.1:8080/',
    'http://127.0.0.1/',
    'http://127.0.0.2:8081/',
    'http://localhost:8081/',
    'http://localhost:3000/',
    'http://shop.localhost/',
    'http://[::1]:8081/',
    'http://0.0.0.0:8081/',
    'http://10.0.0.1:8081/',
  ]) {
    assert.equal(isTaken(url, shared), false, url);
  }
  const allowed = sandboxConfig({ SANDBOX_PUBLIC: 'yes', WEBHOOK_ALLOW: 'localhost:3000' });
  assert.equal(isTaken('http://localhost:3000/', allowed), true);
});

test('the operator allows exactly a host, one port of a host, an address or a range', () => {
  const rules = liveConfig({
    WEBHOOK_ALLOW: 'shop, erp.internal:8080, 10.1.0.0/16, 192.168.0.7:9000, fd00::/8',
  });
  for (const url of [
    'http://shop/',
    'http://shop:81/',
    'http://erp.internal:8080/',
    'http://10.1.2.3/',
    'http://192.168.0.7:9000/',
    'http://[fd00::1]/',
  ]) {
    assert.equal(isTaken(url, rules), true, url);
  }
  for (const url of [
    'http://shop2/',
    'http://erp.internal/',
    'http://a.erp.internal:8080/',
    'http://10.2.0.1/',
    'http://192.168.0.7/',
    'http://127.0.0.1/',
    'http://[fe80::1]/',
  ]) {
    assert.equal(isTaken(url, rules), false, url);
  }
});

test('an IMAP host follows the same rules', () => {
  for (const host of ['imap.example.in', '8.8.8.8', '2606:4700:4700::1111']) {
    assert.equal(parseHost(host, 993, live).ok, true, host);
  }
  for (const host of [
    'localhost',
    'imap',
    '127.0.0.1',
    '::1',
    '[::1]',
    '2130706433',
    'a.in/b',
    'a.in:80',
    'u@a.in',
    'a.in#',
    'a%2ein',
    '',
    'a b.in',
    'a.internal',
    '127.0.0.1%0a.in',
  ]) {
    assert.equal(parseHost(host, 993, live).ok, false, host);
  }
});

test('deliveries are counted by host, also for a text that is no URL', () => {
  assert.equal(destinationOf('https://Shop.example.in.:8443/a'), 'shop.example.in');
  assert.equal(destinationOf('nonsense'), 'unknown');
});
