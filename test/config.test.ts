import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../src/config.ts';

const live = {
  PUBLIC_URL: 'https://pay.example.in/',
  DATABASE_URL: 'postgres://milaan:pw@db.example.in/milaan',
  SECRET_KEY: '11'.repeat(32),
};
const problemsOf = (env: Record<string, string>, args: string[] = []) => {
  const read = readConfig(args, env);
  return 'problems' in read ? read.problems : [];
};

test('nothing configured is the sandbox with all roles, on this machine alone', () => {
  const read = readConfig([], {});
  assert.ok('config' in read);
  const { mode, roles, host, port, rateLimits } = read.config;
  assert.deepEqual([mode, roles, host, port], ['sandbox', ['web', 'mail', 'deliver'], '127.0.0.1', 8080]);
  assert.deepEqual(rateLimits, { perKey: 6000, perAddress: 12000 });
});

test('live mode needs all three, and names what is missing', () => {
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

test('every wrong value is told, all of them at once', () => {
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
      PLANS_FILE: '/nowhere',
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
    'PLANS_FILE',
    'role webb',
  ];
  assert.deepEqual(
    names.filter(name => !problems.some(problem => problem.includes(name))),
    [],
  );
});

test('RATE_LIMITS=off switches them off', () => {
  const read = readConfig([], { RATE_LIMITS: 'off' });
  assert.ok('config' in read && read.config.rateLimits === 'off');
});
