import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianPostgres, startPrimary } from '../../drills/standby/postgres.ts';
import { connect } from '../../src/base/database/connect.ts';
import { migrate } from '../../src/base/database/migrate.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { needs } from '../support/needs.ts';
import { startMilaan } from '../support/run-milaan.ts';
import { waitFor } from '../support/wait-for.ts';

const { test, use } = needs('age', 'PostgreSQL');

/** Debian's server, because its pg_dump refuses the newer one that the sandbox brings. */
const stage = use(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-backup-'));
  chmodSync(folder, 0o711);
  const server = await startPrimary(debianPostgres() ?? '', join(folder, 'server'));
  const sql = connect(server.url, { most: 2 });
  await migrate(sql);
  const identity = join(folder, 'key.txt');
  execFileSync('age-keygen', ['--output', identity], { stdio: 'ignore' });
  const env = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: server.url,
    SECRET_KEY: newSecretKey(),
    BACKUP_KEY: String(execFileSync('age-keygen', ['-y', identity])).trim(),
    BACKUP_DIR: join(folder, 'backups'),
  };
  return {
    env,
    identity,
    sql,
    async stop() {
      await sql.end({ timeout: 1 });
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

test('a backup that cannot be sealed ends, and pg_dump keeps no table locked', {
  timeout: 60_000,
}, async () => {
  const { env, sql } = stage;
  // More than the pipes hold: pg_dump waits for somebody who reads it.
  await sql`create table bulk as select md5(n::text) as text from generate_series(1, 200000) n`;
  for (const more of [[], ['--untried']]) {
    const { code, err } = await startMilaan(
      { ...env, BACKUP_KEY: `age1${'q'.repeat(58)}` },
      'backup',
      ...more,
    );
    assert.equal(code, 1);
    assert.match(err, /^milaan: age failed/m);
    await waitFor('pg_dump is gone', async () => {
      const [row] =
        await sql`select from pg_stat_activity where application_name in ('pg_dump', 'pg_restore')`;
      return !row;
    });
    assert.deepEqual(readdirSync(env.BACKUP_DIR), []);
  }
  await sql`drop table bulk`;
});

test('a backup drops the scratch databases that killed ones left, and none that is in use', async () => {
  const { env, sql } = stage;
  await sql.unsafe('create database milaan_trial_0000dead');
  await sql.unsafe('create database milaan_trial_0000feed');
  const url = new URL(env.DATABASE_URL);
  url.pathname = '/milaan_trial_0000feed';
  const other = connect(url.href, { most: 1 });
  await other`select`;
  const { code, out, err } = await startMilaan(env, 'backup');
  assert.equal(code, 0, err);
  assert.match(out, /^tried: .* all rules hold$/m);
  const left = await sql`select datname::text as name from pg_database where datname like 'milaan\\_trial%'`;
  assert.deepEqual([...left], [{ name: 'milaan_trial_0000feed' }]);
  await other.end();
});

test('a restore ends with what to do next, also if the backup is from an older version', async () => {
  const { env, identity, sql } = stage;
  const file = `${identity}.older.age`;
  const [last] =
    await sql`delete from migrations where name = (select max(name) from migrations) returning *`;
  const dump = execFileSync('pg_dump', ['--format=custom', `--dbname=${env.DATABASE_URL}`], {
    maxBuffer: 1e8,
  });
  await sql`insert into migrations ${sql(last!)}`;
  execFileSync('age', ['--recipient', env.BACKUP_KEY, '--output', file], { input: dump });
  const older = await startMilaan(env, 'restore', file, '--identity', identity, '--into', 'restored');
  assert.equal(older.code, 0, older.err);
  assert.deepEqual(older.out.trim().split('\n').slice(-3), [
    'write the name restored into DATABASE_URL',
    'the backup is from an older version: run upgrade (1 migrations), then verify',
    'start mail and deliver at once, and web 17 minutes after the lost database took its last order',
  ]);
  await sql.unsafe('drop database restored');
});
