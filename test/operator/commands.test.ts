import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { newSecretKey } from '../../src/base/secrets.ts';
import { commands, deprecatedCommands, renamedCommands } from '../../src/operator/commands/commands.ts';
import { runMilaan } from '../support/run-milaan.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let env: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'milaan-commands-'));
before(async () => {
  database = await openTestDatabase();
  env = { PUBLIC_URL: 'https://pay.example.in', DATABASE_URL: database.url, SECRET_KEY: newSecretKey() };
});
after(async () => {
  await database.stop();
  rmSync(folder, { recursive: true });
});

test('upgrade, refused because of an older process, says to stop that process and run upgrade again', async () => {
  const { sql } = database;
  const [last] = await sql`delete from migrations where name like '0036%' returning *`;
  const older = new pg.Client({
    connectionString: database.url,
    application_name: 'milaan 0.0.9 (0002) web',
  });
  await older.connect();
  const { code, err } = await runMilaan(env, 'upgrade').finally(() => older.end());
  await sql`insert into migrations ${sql(last!)}`;
  assert.equal(code, 1);
  assert.match(err, /version 0\.0\.9, 1 connections.*: stop every older process, then try again/);
  assert.doesNotMatch(err, /command upgrade/);
});

test('the help of every command that reads settings names them, and backup names its own', async () => {
  for (const [name, load] of Object.entries(commands)) {
    const { needs } = await load();
    if (needs !== 'database' && needs !== 'any schema' && needs !== 'settings') continue;
    const { code, out } = await runMilaan({}, ...name.split(' '), '--help');
    assert.equal(code, 0);
    assert.match(out, /^Settings: .*DATABASE_URL.*CELLS_FILE.*SECRET_KEY/m, name);
  }
  const { out } = await runMilaan({}, 'backup', '--help');
  assert.match(out, /^ {2}--dir +where to write to, instead of BACKUP_DIR/m);
  assert.match(
    out,
    /^Settings: BACKUP_KEY \(age public key\), BACKUP_DIR \(\/var\/backups\/milaan\), BACKUP_DAYS \(14\), /m,
  );
  for (const [name, setting] of [
    ['upgrade', 'BANKS_FILE'],
    ['upgrade', 'PLANS_FILE'],
    ['explain-alert', 'BANKS_FILE'],
    ['explain-alert', 'DNS_SERVERS'],
    ['listen', 'MILAAN_API_KEY'],
  ] as const)
    assert.match(
      (await runMilaan({}, name, '--help')).out,
      new RegExp(`\\b${setting}\\b`),
      `${name} ${setting}`,
    );
});

test('backup writes to --dir, and explains in a sentence why it cannot', async () => {
  const change = {
    ...env,
    BACKUP_KEY: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    BACKUP_DIR: join(folder, 'setting'),
  };
  writeFileSync(join(folder, 'file'), '');
  for (const [given, reason] of [
    [join(folder, 'file'), 'EEXIST'],
    [join(folder, 'file', 'below'), 'ENOTDIR'],
  ] as const) {
    const { code, err } = await runMilaan(change, 'backup', '--untried', '--dir', given);
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^milaan: the backup cannot be written: ${reason}.* '${given}`, 'm'));
    assert.doesNotMatch(err, /^\s+at /m);
  }
  assert.ok(!existsSync(change.BACKUP_DIR), 'the setting was used although a directory was given');
});

test('every old command name works, with its options, and prints the new one on stderr', async () => {
  for (const [old, now] of Object.entries(renamedCommands)) {
    const { code, out, err } = await runMilaan({}, ...old.split(' '), '--help');
    assert.equal(code, 0);
    assert.match(out, new RegExp(`^Usage: .* ${now.split(' ')[0]} `, 'm'));
    assert.match(err, new RegExp(`${old} is now ${now}; the old name is removed in the next release`));
    assert.ok(!(old in commands));
  }
  const { out: listed } = await runMilaan(env, 'plans');
  assert.match(listed, /^standard\t/m);
  const { err: refused } = await runMilaan(env, 'approve-business', '--business', '12');
  assert.match(refused, /there is no business 12, it does not wait for approval/);
  const { err: unknown } = await runMilaan(env, 'cells', 'open');
  assert.match(unknown, /open-cell needs one cell: the number of the cell/);
});

test('there are at most 30 commands, a deprecated one is listed apart, and both have a summary of one line', async () => {
  const { out } = await runMilaan({}, '--help');
  const [listed = '', deprecated = ''] = out.split('Deprecated, removed in the next release:');
  const names = [...listed.matchAll(/^ {2}(\S+) +\S/gm)].map(([, name]) => name);
  assert.deepEqual(names, ['sandbox', ...Object.keys(commands)]);
  assert.ok(names.length <= 30, `${names.length} commands`);
  for (const name of Object.keys(deprecatedCommands))
    assert.match(deprecated, new RegExp(`^  ${name} +\\S`, 'm'));
});
