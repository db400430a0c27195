import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { credentialPlace } from '../../src/alerts/mailboxes/open-login.ts';
import { newSecretKey, secretBox } from '../../src/base/secrets.ts';
import { readPlans, storePlans } from '../../src/business/merchants/plans.ts';
import { webhookSecretBinding } from '../../src/outbox/webhooks/sign-webhook.ts';
import { runMilaan, startMilaan } from '../support/run-milaan.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
let env: Record<string, string>;
before(async () => {
  database = await openTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'milaan-cli-'));
  writeFileSync(
    join(folder, 'plans.json'),
    '{"gold": {"monthly_limit_paise": 100000000, "history_days": 365}}',
  );
  await storePlans(database.sql, readPlans(join(folder, 'plans.json')));
  env = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: database.url,
    SECRET_KEY: newSecretKey(),
    PLANS_FILE: join(folder, 'plans.json'),
  };
});
after(async () => {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

const milaan = (...args: string[]) => runMilaan(env, ...args);

describe('npm run milaan', () => {
  test('--help lists every command, and each has its own help', async () => {
    const { out } = await startMilaan(env, '--help');
    for (const name of [
      'create-business',
      'list-businesses',
      'disable',
      'enable',
      'set-plan',
      'add-upi-account',
      'rotate-secret-key',
      'verify',
      'explain-alert',
    ]) {
      assert.match(out, new RegExp(`^  ${name} `, 'm'));
    }
    assert.match((await milaan('create-business', '--help')).out, /--email/);
  });

  test('creates a business with its first user and a key, lists, disables, enables, and changes its plan', async () => {
    const created = await startMilaan(
      env,
      'create-business',
      '--name',
      'Chai Point',
      '--email',
      'asha@chai.example.in',
      '--plan',
      'gold',
    );
    assert.equal(created.code, 0, created.err);
    assert.match(created.out, /API key {3}ml_live_[0-9A-Za-z]{38}/);
    assert.match(created.out, /sign in {3}https:\/\/pay\.example\.in\/dashboard\/sign-in/);
    const id = /business {2}(\d+)/.exec(created.out)?.[1] ?? '';
    const line = async () => (await milaan('list-businesses')).out.trim();
    assert.equal(await line(), [id, 'active', 'gold', 'asha@chai.example.in', 'Chai Point'].join('\t'));
    assert.equal((await milaan('disable', '--business', id, '--reason', 'shut')).code, 0);
    assert.match(await line(), /\tdisabled\t/);
    assert.equal((await milaan('enable', '--business', id)).code, 0);
    assert.equal((await milaan('set-plan', '--business', id, '--plan', 'standard')).code, 0);
    assert.match(await line(), /\tactive\tstandard\t/);
    const account = ['add-upi-account', '--business', id, '--upi-id', 'chai@okaxis', '--payee-name', 'Chai'];
    const added = await milaan(...account, '--bank', 'hdfc', '--account-digits', '4321');
    assert.match(added.out, /^account {2}acc_/, added.err);
    assert.match(added.err, /^warning: the next release has no add-upi-account/m);
    assert.match(added.err, /^it takes orders once an owner confirms it on the dashboard/m);
    const [row] = await database.sql`
      select bank, account_digits, is_default, removed_at is null as in_use from upi_accounts`;
    assert.deepEqual(row, { bank: 'hdfc', account_digits: '4321', is_default: false, in_use: false });
    for (const [more, sentence] of [
      [['--bank', 'hdfc'], /--account-digits must be the last 4 digits.*alerts of HDFC Bank print/],
      [['--bank', 'citi'], /--bank must be one of axis, /],
      [['--bank', 'icici'], /ICICI Bank cannot be confirmed. No alert mail for UPI payments is known/],
      [['--bank', 'hdfc', '--account-digits', '4321'], /has chai@okaxis already/],
    ] as const)
      assert.match((await milaan(...account, ...more)).err, sentence);
    const audited = await database.sql<{ action: string }[]>`
      select action from audit_log where merchant_id = ${Number(id)} order by seq`;
    assert.deepEqual(
      audited.map(row => row.action),
      ['business.open', 'business.disable', 'business.enable', 'business.plan', 'upi_account.propose'],
    );
  });

  test('refuses in one sentence: an unknown command, business or plan, a used address, a short password, a missing option', async () => {
    const cases: [string[], RegExp][] = [
      [['dance'], /there is no command "dance"/],
      [['cells', 'verify'], /cells verify was removed in this release: use verify/],
      [['new-secret-key'], /new-secret-key was removed in this release: use openssl rand -base64 32/],
      [['mcp'], /mcp was removed in this release: use milaan-mcp/],
      [['disable', '--business', '12'], /disable needs --reason/],
      [['enable', '--business', '12'], /there is no business 12/],
      [['set-plan', '--business', '12', '--plan', 'iron'], /there is no plan "iron"/],
      [
        ['create-business', '--name', 'B', '--email', 'ASHA@chai.example.in'],
        /belongs to another user already/,
      ],
      [
        ['create-business', '--name', 'B', '--email', 'b@example.in', '--password', 'short'],
        /at least 12 characters/,
      ],
      [['create-business', '--name', 'B'], /needs --email/],
      [
        ['create-business', '--name', 'x'.repeat(121), '--email', 'b@example.in'],
        /--name must have 1 to 120/,
      ],
      [['create-business', '--name', ' ', '--email', 'b@example.in'], /--name must have 1 to 120/],
      [
        ['create-business', '--name', 'B', '--email', `${'b'.repeat(65)}@example.in`],
        /like an email address/,
      ],
      [['create-business', '--color', 'red'], /color.*create-business --help lists its options/],
      [['disable', '12'], /'12'.*disable --help lists its options/],
    ];
    for (const [args, sentence] of cases) {
      const said = await (args === cases[0]![0] ? startMilaan : runMilaan)(env, ...args);
      assert.equal(said.code, 1, args.join(' '));
      assert.match(said.err, sentence);
      assert.doesNotMatch(said.err, /^\s+at /m);
    }
    assert.equal((await milaan('list-businesses')).out.trim().split('\n').length, 1, 'nothing half-made');
  });

  test('rotates the secret key: every sealed value is sealed again under the first key, and the old one can be removed', async () => {
    const [old, fresh] = [env['SECRET_KEY'] ?? '', newSecretKey()];
    const box = secretBox([Buffer.from(old, 'base64')]);
    const [row] = await database.sql`select merchant_id from merchants`;
    const merchantId: number = row?.['merchant_id'];
    await database.sql`update merchants set old_webhook_secret = ${box.seal('whsec_old', webhookSecretBinding(merchantId))}`;
    await database.sql`
      insert into mailboxes (merchant_id, provider, address, host, port, username, credential, revision, connected_at)
      values (${merchantId}, 'other', 'shop@example.in', 'imap.example.in', 993, 'shop',
        ${box.seal('{}', credentialPlace(merchantId))}, 1, now())`;
    env['SECRET_KEY'] = `${fresh},${old}`;
    assert.match((await milaan('rotate-secret-key')).out, /^3 stored secrets sealed again/);
    env['SECRET_KEY'] = fresh;
    assert.match((await milaan('rotate-secret-key')).out, /^0 stored secrets/);
    env['SECRET_KEY'] = `${newSecretKey()},${old}`;
    const lost = await milaan('rotate-secret-key');
    assert.equal(lost.code, 1);
    assert.match(
      lost.err,
      /0 stored secrets sealed again, but 3 were sealed with a key that is not in SECRET_KEY/,
    );
    assert.doesNotMatch(lost.err, /^\s+at /m);
    env['SECRET_KEY'] = fresh;

    const keyId = box.seal('x', 'y').split('.')[0];
    const columns = await database.sql`
      select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type = 'text'`;
    for (const { table_name, column_name } of columns) {
      const left = await database.sql.unsafe(
        `select 1 from ${table_name} where ${column_name} like '${keyId}.%'`,
      );
      assert.equal(left.length, 0, `${table_name}.${column_name} is still sealed with the old key`);
    }
  });

  test('verify lists the rules that hold, and exits with 1 on a breach', async () => {
    const fine = await milaan('verify');
    assert.deepEqual([fine.code, fine.out.trim().split('\n').at(-1)], [0, 'all rules hold']);
    assert.doesNotMatch(fine.out, /\bR\d|decision \d/, 'numbers of our own say nothing to an operator');
    await database.sql`insert into collections (merchant_id, month, collected_paise)
      select merchant_id, '2026-11-01', 7 from merchants`;
    const broken = await milaan('verify');
    assert.equal(broken.code, 1);
    assert.match(
      broken.out,
      /BROKEN {2}Each month's collections [\s\S]*counter 7 paise, orders and takings 0[\s\S]*1 breaches/,
    );
  });

  test('deletes a named business, and restores it within seven days', async () => {
    const made = await milaan('create-business', '--name', 'Short Lived', '--email', 'short@example.in');
    const id = /business {2}(\d+)/.exec(made.out)?.[1] ?? '';
    const unnamed = await milaan('delete-business', '--business', id);
    assert.deepEqual([unnamed.code, /is "Short Lived": say so with --name/.test(unnamed.err)], [1, true]);
    const gone = await milaan('delete-business', '--business', id, '--name', 'Short Lived');
    assert.match(gone.out, /is closed, and gone on \d{4}-\d\d-\d\d; --cancel takes it back/);
    const state = async () =>
      (await milaan('list-businesses')).out.split('\n').find(line => line.startsWith(`${id}\t`));
    assert.match((await state()) ?? '', /\tleaving\t/);
    assert.match(
      (await milaan('delete-business', '--business', id, '--name', 'Short Lived')).err,
      /it is leaving already/,
    );
    assert.equal((await milaan('delete-business', '--business', id, '--cancel')).code, 0);
    assert.match((await state()) ?? '', /\tactive\t/);
    assert.match(
      (await milaan('delete-business', '--business', id, '--cancel')).err,
      /no deletion to take back/,
    );
    const audited = await database.sql<{ action: string }[]>`
      select action from audit_log where merchant_id = ${Number(id)} order by seq`;
    assert.deepEqual(
      audited.map(row => row.action),
      ['business.open', 'business.delete', 'business.delete_cancel'],
    );
  });

  test('--version prints the version, and upgrade says what it will do before it does it, and never goes back', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.equal((await milaan('--version')).out, `milaan ${version}\n`);
    assert.match((await milaan('upgrade')).out, /^the database is at the schema of version .* already$/m);
    const fresh = await openTestDatabase();
    await fresh.sql`drop schema public cascade`;
    await fresh.sql`create schema public`;
    const [mine, key] = [env['DATABASE_URL'] ?? '', env['SECRET_KEY'] ?? ''];
    env = { ...env, DATABASE_URL: fresh.url, SECRET_KEY: key };
    assert.match((await milaan('list-businesses')).err, /is not at this version's schema.*upgrade/);
    env['BANKS_FILE'] = 'package.json';
    assert.match((await milaan('upgrade')).err, /package\.json, line \d+: a bank has no field/);
    delete env['BANKS_FILE'];
    const printed = await milaan('upgrade', '--dry-run');
    assert.match(
      printed.out,
      /^an empty database, prepared for version[\s\S]*^ {2}0001_merchants\.sql +[A-Z].*\.$/m,
    );
    assert.doesNotMatch(printed.out, /decision \d/);
    assert.equal((await fresh.sql`select to_regclass('merchants') as found`)[0]?.['found'], null);
    assert.match((await milaan('upgrade')).out, /^done: \d+ applied$/m);
    await fresh.sql`insert into migrations (name) values ('9999_from_the_future.sql')`;
    for (const command of ['upgrade', 'list-businesses']) {
      const back = await milaan(command);
      assert.deepEqual([back.code, /migrated by a newer version/.test(back.err)], [1, true], command);
    }
    env = { ...env, DATABASE_URL: mine };
    await fresh.stop();
  });
});
