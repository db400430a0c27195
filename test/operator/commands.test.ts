import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { newSecretKey } from '../../src/base/secrets.ts';
import { runMilaan } from '../support/run-milaan.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let env: Record<string, string>;
before(async () => {
  database = await openTestDatabase();
  env = { PUBLIC_URL: 'https://pay.example.in', DATABASE_URL: database.url, SECRET_KEY: newSecretKey() };
});
after(async () => {
  await database.stop();
});

test('upgrade, refused while an older process runs, says to stop it and run again, not to use upgrade', async () => {
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
