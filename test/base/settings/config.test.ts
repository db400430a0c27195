import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { readConfig } from '../../../src/base/settings/config.ts';

const live = {
  PUBLIC_URL: 'https://pay.example.in/',
  DATABASE_URL: 'postgres://milaan:pw@db.example.in/milaan',
  SECRET_KEY: '11'.repeat(32),
};
const problemsOf = (env: Record<string, string>, args: string[] = []) => {
  const read = readConfig(args, env);
  return 'problems' in read ? read.problems : [];
};

test('without settings it is the sandbox with all roles, only on this machine', () => {
  const read = readConfig([], {});
  assert.ok('config' in read);
  const { mode, roles, host, port, rateLimits } = read.config;
  assert.deepEqual(
    [mode, roles, host, port],
    ['sandbox', ['web', 'mail', 'deliver', 'receive'], '127.0.0.1', 8080],
  );
  assert.deepEqual(rateLimits, { perKey: 6000, perAddress: 12000 });
});

test('PORT alone also moves the sandbox’s shop', () => {
  const shopAt = (env: Record<string, string>) => {
    const read = readConfig([], env);
    return 'config' in read ? read.config.shopPort : null;
  };
  assert.deepEqual([{}, { PORT: '9000' }, { PORT: '0' }, { PORT: '65535' }].map(shopAt), [8081, 9001, 0, 0]);
});

test('a sandbox that others can reach needs SANDBOX_PUBLIC', () => {
  for (const HOST of ['127.0.0.1', '127.8.9.1', '::1', 'localhost'])
    assert.deepEqual(problemsOf({ HOST }), []);
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', '10.0.0.1', '::ffff:10.0.0.1', 'shop.example.in']) {
    assert.match(problemsOf({ HOST })[0] ?? '', /^HOST .* lets others reach the sandbox.*SANDBOX_PUBLIC=yes/);
    assert.deepEqual(problemsOf({ HOST, SANDBOX_PUBLIC: 'yes' }), []);
  }
  assert.deepEqual(problemsOf({ ...live, HOST: '0.0.0.0' }), []);
  assert.match(problemsOf({ SANDBOX_PUBLIC: 'true' })[0] ?? '', /^SANDBOX_PUBLIC must be yes or no$/);
});

test('live mode needs all three settings, and names the missing ones', () => {
  const read = readConfig(['web'], live);
  assert.ok('config' in read);
  assert.deepEqual(
    [read.config.mode, read.config.roles, read.config.publicUrl],
    ['live', ['web'], 'https://pay.example.in'],
  );
  for (const name of Object.keys(live)) {
    const half = Object.fromEntries(Object.entries(live).filter(([key]) => key !== name));
    assert.match(problemsOf(half)[0] ?? '', new RegExp(`missing: ${name}$`));
  }
});

test('all wrong values are reported at once', () => {
  const problems = problemsOf(
    {
      PUBLIC_URL: 'https://pay.example.in/shop',
      DATABASE_URL: 'mysql://x/y',
      SECRET_KEY: 'short',
      PORT: '70000',
      DATABASE_POOL: '1',
      ORDER_ID_PREFIX: 'M L',
      RATE_LIMITS: 'key=0,address=1',
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'loud',
      DNS_SERVERS: '127.0.0.1:53,[::1]:53,foo',
      BANKS_FILE: '/nowhere',
    },
    ['web', 'webb'],
  );
  const names = [
    'PUBLIC_URL',
    'DATABASE_URL',
    'SECRET_KEY',
    'PORT',
    'DATABASE_POOL',
    'ORDER_ID_PREFIX',
    'RATE_LIMITS',
    'TRUST_PROXY',
    'LOG_LEVEL',
    'DNS_SERVERS',
    'BANKS_FILE',
    'role webb',
  ];
  assert.deepEqual(
    names.filter(name => !problems.some(problem => problem.includes(name))),
    [],
  );
});

test('RATE_LIMITS=off switches the limits off', () => {
  const read = readConfig([], { RATE_LIMITS: 'off' });
  assert.ok('config' in read && read.config.rateLimits === 'off');
});

test('a DNS server has a valid port', () => {
  for (const wrong of ['127.0.0.1:99999', '127.0.0.1:0', '[::1]:70000', '[::1', 'dns.example'])
    assert.deepEqual(problemsOf({ DNS_SERVERS: `9.9.9.9,${wrong}` }), [
      `DNS_SERVERS must be addresses such as 9.9.9.9 or 127.0.0.1:53, not "${wrong}"`,
    ]);
  assert.deepEqual(problemsOf({ DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353, ::1, [::1], [::1]:65535' }), []);
});

test('WEBHOOK_ALLOW is checked with the other settings, and an entry that can never match is an error', () => {
  for (const wrong of [
    '10.0.0.0/33',
    'fd00::/129',
    '*.corp.example',
    'http://a.example',
    'a b',
    'a:0',
    'u@a',
    '@x',
  ])
    assert.deepEqual(problemsOf({ WEBHOOK_ALLOW: `a.example,${wrong}`, PORT: 'x' }), [
      'PORT must be a whole number from 0 to 65535, not "x"',
      `WEBHOOK_ALLOW: "${wrong}" is not a host, host:port, address or range`,
    ]);
  const right =
    'a.example,a.example:8080,printer,10.0.0.0/8,10.1.2.3,10.1.2.3:80,[::1]:80,fd00::/8,दुकान.भारत';
  assert.deepEqual(problemsOf({ WEBHOOK_ALLOW: right }), []);
  const read = readConfig([], { ...live, WEBHOOK_ALLOW: right });
  assert.ok('config' in read);
  assert.equal(read.config.webhookAllow.ranges.length, 3);
});

test('IMAP_CA_FILE without a certificate is an error: Node would ignore it, and every mailbox would fail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-config-'));
  const file = join(folder, 'ca.pem');
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  for (const content of ['', 'no certificate', broken, readFileSync('package.json', 'utf8')]) {
    writeFileSync(file, content);
    assert.match(
      problemsOf({ IMAP_CA_FILE: file }).join(),
      /^IMAP_CA_FILE must hold certificates in PEM form: /,
    );
  }
  writeFileSync(file, rootCertificates.slice(0, 3).join('\n'));
  assert.deepEqual(problemsOf({ IMAP_CA_FILE: file }), []);
  rmSync(folder, { recursive: true });
});

test('SMTP_URL names a server', () => {
  assert.match(
    problemsOf({ SMTP_URL: 'smtp://', MAIL_FROM: 'a@b.example' }).join(),
    /^SMTP_URL must look like/,
  );
});

test('PUSH_KEY is one valid key of the curve, in hex or base64; without it there are no push notices', () => {
  const keyOf = (value: string) => {
    const read = readConfig([], { PUSH_KEY: value });
    return 'config' in read ? read.config.pushKey?.toString('hex') : read.problems.join();
  };
  assert.equal(keyOf('07'.repeat(32)), '07'.repeat(32));
  assert.equal(keyOf(Buffer.alloc(32, 7).toString('base64')), '07'.repeat(32));
  assert.equal(keyOf(''), undefined);
  for (const wrong of ['00'.repeat(32), 'ff'.repeat(32), '07', `${'07'.repeat(32)},${'08'.repeat(32)}`])
    assert.match(keyOf(wrong) ?? '', /^PUSH_KEY must be one key of 32 random bytes/, wrong);
});

test('mail is received only with MAIL_DOMAIN, and every wrong setting for it is reported', () => {
  const read = readConfig([], live);
  assert.ok('config' in read);
  assert.deepEqual([read.config.mailDomain, read.config.receivePort], [null, 25]);
  assert.deepEqual(problemsOf(live, ['receive']), ['the role receive needs MAIL_DOMAIN']);
  const domain = { ...live, MAIL_DOMAIN: 'Alerts.Example.in' };
  assert.deepEqual(problemsOf(domain, ['receive']), []);
  for (const [RECEIVE_PORT, host, port] of [
    ['2525', '0.0.0.0', 2525],
    ['127.0.0.1:2525', '127.0.0.1', 2525],
    ['[::1]:25', '::1', 25],
  ] as const) {
    const listening = readConfig([], { ...domain, RECEIVE_PORT });
    assert.ok('config' in listening);
    assert.deepEqual([listening.config.receiveHost, listening.config.receivePort], [host, port]);
  }
  for (const RECEIVE_LMTP of ['/run/milaan/lmtp', '127.0.0.1:2424', '[::1]:2424'])
    assert.deepEqual(problemsOf({ ...domain, RECEIVE_PORT: 'off', RECEIVE_LMTP }), []);
  const wrong: [Record<string, string>, RegExp][] = [
    [{ MAIL_DOMAIN: 'alerts' }, /^MAIL_DOMAIN must be a domain/],
    [{ MAIL_DOMAIN: 'a@example.in' }, /^MAIL_DOMAIN must be a domain/],
    [{ RECEIVE_PORT: 'none' }, /^RECEIVE_PORT must be a whole number/],
    [{ RECEIVE_PORT: '127.0.0.1:' }, /^RECEIVE_PORT must be a whole number/],
    [{ RECEIVE_PORT: 'localhost:25' }, /^RECEIVE_PORT must be a port, or an address and a port/],
    [{ RECEIVE_PORT: 'off' }, /^RECEIVE_PORT is off and RECEIVE_LMTP not set/],
    [{ RECEIVE_LMTP: 'lmtp' }, /^RECEIVE_LMTP must be a path/],
    [{ RECEIVE_LMTP: '127.0.0.1:0' }, /^RECEIVE_LMTP must be a path/],
    [{ RECEIVE_CERT_FILE: '/etc/cert.pem' }, /^RECEIVE_CERT_FILE and RECEIVE_KEY_FILE belong together/],
    [
      { RECEIVE_CERT_FILE: '/etc/hostname', RECEIVE_KEY_FILE: '/etc/hostname' },
      /^RECEIVE_CERT_FILE and RECEIVE_KEY_FILE must be a certificate and its key/,
    ],
  ];
  for (const [change, problem] of wrong)
    assert.match(problemsOf({ ...domain, ...change })[0] ?? '', problem, JSON.stringify(change));
});

test('a removed setting is named with what to do instead, and stops the start if its value no longer works', () => {
  const mail = { ...live, MAIL_DOMAIN: 'alerts.example.in' };
  const terms = { ...live, OPERATOR_TERMS_URL: 'https://pay.example.in/terms#2026-11' };
  const cases: [env: Record<string, string>, name: string, value: string, stops: boolean][] = [
    [{}, 'SHOP_PORT', '9999', false],
    [live, 'SHOP_PORT', '9999', false],
    [mail, 'RECEIVE_HOST', '0.0.0.0', false],
    [mail, 'RECEIVE_HOST', '127.0.0.1', true],
    [{ ...mail, RECEIVE_PORT: '127.0.0.1:25' }, 'RECEIVE_HOST', '127.0.0.1', false],
    [live, 'RECEIVE_HOST', '127.0.0.1', false],
    [live, 'MILAAN_MODE', 'live', false],
    [live, 'MILAAN_MODE', 'sandbox', true],
    [{}, 'MILAAN_MODE', 'sandbox', false],
    [{}, 'MILAAN_MODE', 'live', true],
    [live, 'MILAAN_ENV_FILE', '/etc/other.env', true],
    [terms, 'OPERATOR_TERMS_VERSION', '2026-11', false],
    [terms, 'OPERATOR_TERMS_VERSION', '2026-12', true],
    [terms, 'OPERATOR_TERMS_VERSION', '2026', true],
    [live, 'OPERATOR_TERMS_VERSION', '2026-11', true],
  ];
  for (const [env, name, value, stops] of cases) {
    const read = readConfig([], { ...env, [name]: value });
    const said = 'problems' in read ? read.problems : read.config.warnings;
    assert.equal('problems' in read, stops, `${name}=${value}`);
    assert.equal(said.length, 1);
    assert.match(said[0]!, new RegExp(`^${name} was removed in this release: .*, and remove ${name}$`));
  }
  const named = readConfig([], { ...live, MILAAN_ENV_FILE: '/etc/a.env' }, { file: '/etc/a.env' });
  assert.ok('config' in named && named.config.warnings.length === 1);
  assert.deepEqual('config' in readConfig([], live) && problemsOf(live), []);
});

test('CELLS_FILE replaces DATABASE_URL, and cell 0 has its role', () => {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-cells-'));
  const file = join(folder, 'cells.json');
  const { DATABASE_URL: _, ...others } = live;
  const [a, b] = ['postgresql://u:geheim@h/a', 'postgres://u:geheim@h/b'];
  const good = {
    cells: [a, b],
    new: 1,
    ranges: [
      { from: 0, cell: 0 },
      { from: 2 ** 47, cell: 1 },
    ],
  };
  const problems = (written: unknown, more: Record<string, string> = {}) => {
    writeFileSync(file, typeof written === 'string' ? written : JSON.stringify(written));
    const found = problemsOf({ ...others, CELLS_FILE: file, ...more });
    // R10: the file has passwords in it.
    assert.doesNotMatch(found.join(), /geheim/);
    return found;
  };
  try {
    assert.deepEqual(problems(good), []);
    const read = readConfig([], { ...others, CELLS_FILE: file });
    assert.ok('config' in read);
    assert.equal(read.config.databaseUrl, a);
    assert.deepEqual(read.config.cells, { urls: [a, b], newCell: 1, ranges: good.ranges, file });
    assert.match(problems(good, { DATABASE_URL: a })[0] ?? '', /exclude each other/);
    assert.match(problemsOf({ ...others, CELLS_FILE: '/nowhere' })[0] ?? '', /^CELLS_FILE cannot be read/);
    assert.match(problemsOf({ CELLS_FILE: file })[0] ?? '', /missing: PUBLIC_URL, SECRET_KEY$/);
    for (const [change, wrong] of [
      [`{"cells": ["${a}"`, /it must hold JSON/],
      [{ ...good, cells: [] }, /"cells" must list/],
      [{ ...good, cells: [a, 'mysql://u:geheim@h/b'] }, /cell 1 must look like postgres/],
      [{ ...good, cells: [a, a] }, /cells 0 and 1 are the same/],
      [{ ...good, ranges: undefined }, /"ranges" must say/],
      [{ ...good, ranges: [{ from: 5, cell: 1 }] }, /the first range must begin "from" 0/],
      [{ ...good, ranges: [null, { from: 0, cell: 1 }] }, /range 0 must begin/],
      [
        { ...good, ranges: [...good.ranges, { from: 2 ** 48, cell: 0 }] },
        /range 2 must begin .* below 2\^48/,
      ],
      [{ ...good, ranges: [...good.ranges, { from: 2 ** 47, cell: 0 }] }, /range 2 .* overlap/],
      [
        { ...good, ranges: [...good.ranges, { from: 2 ** 47 + 1, cell: 2 }] },
        /range 2 names a cell that is not/,
      ],
      [{ ...good, new: 2 }, /"new" must be the number/],
      [{ ...good, ranges: [{ from: 0, cell: 0 }] }, /cell 1 has no range/],
    ] as const)
      assert.match(problems(change).join('\n'), wrong);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
