import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { day, later, systemClock } from '../../src/base/clock.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { endingLogin } from '../../src/operator/doctor/check-mail.ts';
import { noteRoutine } from '../../src/operator/queries.ts';
import { connectShop, createPatiently, openLiveShop } from '../support/live-shop.ts';
import { needs } from '../support/needs.ts';
import { newDataDir, type Program, removeDataDir, startReady } from '../support/program.ts';
import { runMilaan, startMilaan } from '../support/run-milaan.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const { test, use } = needs('Dovecot');

let program: Program;
let env: Record<string, string>;
const dataDir = newDataDir();
const database = use(openTestDatabase);
const shop = use(openLiveShop);
use(async () => {
  const secretKey = newSecretKey();
  env = {
    ...shop.env,
    PUBLIC_URL: 'http://127.0.0.1:1',
    DATABASE_URL: database.url,
    SECRET_KEY: secretKey,
    METRICS_TOKEN: 'figures-please',
  };
  program = await startReady(dataDir, { env });
  env['PUBLIC_URL'] = program.url;
  const { apiKey } = await connectShop(shop, database.url, secretKey);
  const { order } = await createPatiently(program.url, apiKey, {
    amount: 50,
    webhook_url: shop.receiver.url,
  });
  await shop.bankWrites(order.payable_amount);
  await waitFor('the webhook', () => shop.receiver.received.length > 0);
  return {
    async stop() {
      program.child.kill('SIGTERM');
      await program.ended;
      removeDataDir(dataDir);
    },
  };
});

/** Its lines by what they are about: the state, and what was found with what to do. */
async function examine(change: Record<string, string> = {}) {
  const command = 'NODE_OPTIONS' in change ? startMilaan : runMilaan;
  const { code, out, err } = await command({ ...env, ...change }, 'doctor');
  const findings = new Map<string, string>();
  let last = '';
  for (const line of out.split('\n')) {
    const [, state = '', what = '', found = ''] =
      /^(ok|WARNING|FAULT) +(\S+(?: \S+)?) {2,}(.*)$/.exec(line) ?? [];
    if (state) last = what;
    if (state) findings.set(last, `${state}: ${found}`);
    else if (line.startsWith(' ')) findings.set(last, `${findings.get(last)} → ${line.trim()}`);
  }
  return { code, findings, err, sum: out.trim().split('\n').at(-1) ?? '' };
}

test('the doctor reports what works: clock, database, rights, writing, the bank’s key, the mail server, the service itself', async () => {
  const { findings, err } = await examine();
  const well = [
    'clock',
    'database',
    'schema',
    'rights',
    'writing',
    'pooler',
    'bloat',
    'transactions',
    'secrets',
    'DNS',
    'IMAP',
    'push',
    'address',
    'version',
  ];
  assert.deepEqual(
    well.filter(what => !findings.get(what)?.startsWith('ok:')),
    [],
    `${err}${[...findings].join('\n')}`,
  );
  assert.match(findings.get('DNS') ?? '', /alerts\._domainkey\.hdfcbank\.net is found/);
  assert.match(findings.get('IMAP') ?? '', /\(1 mailbox\) answers/);
});

test('the doctor reports each fault with what to do, and ends with 1', async () => {
  const { code, findings, sum } = await examine();
  assert.equal(code, 1);
  assert.match(findings.get('TLS') ?? '', /^FAULT: .* is not https → put a proxy/);
  assert.match(findings.get('backup') ?? '', /^FAULT: never ran → set BACKUP_KEY/);
  assert.match(findings.get('verify') ?? '', /^FAULT: never ran → run milaan verify/);
  assert.match(findings.get('standby') ?? '', /^WARNING: none follows → /);
  assert.match(findings.get('mail out') ?? '', /^WARNING: SMTP_URL is not set → /);
  assert.match(findings.get('proxy') ?? '', /^WARNING: every caller looks like the proxy → set TRUST_PROXY/);
  assert.match(sum, /^\d+ ok, \d+ warnings, 3 faults$/);
});

test('a verify that ran is well, and one with a breach is a fault', async () => {
  assert.equal((await runMilaan(env, 'verify')).code, 0);
  assert.match((await examine()).findings.get('verify') ?? '', /^ok: 0 hours ago: all rules hold$/);
  await database.sql`update collections set collected_paise = collected_paise + 1`;
  assert.equal((await runMilaan(env, 'verify')).code, 1);
  assert.match((await examine()).findings.get('verify') ?? '', /^FAULT: failed 0 hours ago: 1 breaches/);
  await database.sql`update collections set collected_paise = collected_paise - 1`;
});

test('a wrong key, an unreachable resolver or SMTP server, and a user without rights are faults', async () => {
  const { findings } = await examine({
    SECRET_KEY: newSecretKey(),
    DNS_SERVERS: '127.0.0.1:1',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'pay@example.in',
  });
  assert.match(findings.get('secrets') ?? '', /^FAULT: 2 were sealed with a key that is not in SECRET_KEY/);
  assert.match(findings.get('DNS') ?? '', /^FAULT: DNS failed for alerts\._domainkey/);
  assert.match(findings.get('mail out') ?? '', /^FAULT: 127\.0\.0\.1:1: .*ECONNREFUSED/);
});

test('a clock two minutes ahead, a backup two days old and a dead address are reported', async () => {
  const clockFile = join(dataDir, 'clock');
  writeFileSync(clockFile, '120000');
  await noteRoutine(database.sql, {
    routine: 'backup',
    now: later(systemClock.now(), -2 * day),
    succeeded: true,
    details: 'tried',
  });
  const { findings } = await examine({
    DRILL_CLOCK_FILE: clockFile,
    NODE_OPTIONS: `--import=${resolve('drills/faults/shifted-clock.ts')}`,
    PUBLIC_URL: 'https://127.0.0.1:1',
  });
  assert.match(findings.get('clock') ?? '', /^FAULT: 1[12]\d\.\d s from .* → set both clocks by NTP/);
  const advice = existsSync('/run/systemd/system')
    ? 'check its timer'
    : 'find out why nothing ran milaan backup';
  assert.match(findings.get('backup') ?? '', new RegExp(`^WARNING: last ran 48 hours ago → ${advice}`));
  assert.match(findings.get('TLS') ?? '', /^FAULT: 127\.0\.0\.1: .*ECONNREFUSED/);
  assert.match(findings.get('address') ?? '', /^FAULT: https:\/\/127\.0\.0\.1:1: /);
  await database.sql`delete from routines where routine = 'backup'`;
});

test('a proxy that forwards the caller’s own X-Forwarded-For is a fault', async () => {
  const trusting = await startReady(dataDir, { env: { ...env, TRUST_PROXY: 'yes' }, args: ['web'] });
  const { findings } = await examine({ PUBLIC_URL: trusting.url, TRUST_PROXY: 'yes' });
  assert.match(findings.get('proxy') ?? '', /^FAULT: callers may pretend to be any address/);
  trusting.child.kill('SIGTERM');
  await trusting.ended;
});

test('without a database the doctor still checks the address', async () => {
  const { code, findings } = await examine({
    DATABASE_URL: 'postgres://milaan:very-secret@127.0.0.1:1/milaan',
  });
  assert.equal(code, 1);
  assert.match(
    findings.get('database') ?? '',
    /^FAULT: the database milaan at 127\.0\.0\.1:1: .*ECONNREFUSED/,
  );
  assert.match(findings.get('address') ?? '', /^ok: /);
  assert.ok(![...findings.values()].some(line => line.includes('very-secret')));
});

test('the owner is notified before a Microsoft login ends', () => {
  const [found] = endingLogin({ smtpUrl: 'smtp://pay%40shop.in:secret@smtp.office365.com:587' });
  assert.equal(found?.state, 'warning');
  assert.match(found.found, /^Microsoft ends password logins at smtp\.office365\.com from December 2026 on$/);
  for (const smtpUrl of ['smtp://smtp.office365.com:25', 'smtp://a:b@mail.example.in', null])
    assert.deepEqual(endingLogin({ smtpUrl }), []);
});

test('a role that may create no database is advised to get createdb, and its failed backup leaves no file', async () => {
  const role = `keeper_${randomUUID().slice(0, 8)}`;
  const { url, sql } = database;
  const at = new URL(url);
  const before = at.username;
  await sql.unsafe(`create role ${role} login password 'pw'; grant ${before} to ${role}`);
  [at.username, at.password] = [role, 'pw'];
  const folder = join(dataDir, 'backups');
  const change = {
    DATABASE_URL: at.href,
    BACKUP_DIR: folder,
    BACKUP_KEY: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  };
  const { findings } = await examine(change);
  assert.match(
    findings.get('createdb') ?? '',
    new RegExp(`^WARNING: ${role} may not create databases.* → alter role ${role} createdb`),
  );
  const failed = await runMilaan({ ...env, ...change }, 'backup');
  assert.equal(failed.code, 1);
  assert.match(failed.err, /no scratch database can be made/);
  assert.deepEqual(readdirSync(folder), []);
  await sql.unsafe(`drop role ${role}`);
});
