import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { compareSchema } from '../../../src/base/database/compare-schema.ts';
import { connect } from '../../../src/base/database/connect.ts';
import { migrate } from '../../../src/base/database/migrate.ts';
import {
  migrationNames,
  migrationsFolder,
  readFunctions,
} from '../../../src/base/database/migration-files.ts';
import { isOlder } from '../../../src/base/database/program-name.ts';
import { StartError } from '../../../src/base/start-error.ts';
import { version } from '../../../src/base/version.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const database = await openTestDatabase({ most: 4 });
const { sql } = database;
const folder = mkdtempSync(join(tmpdir(), 'milaan-functions-'));
const place = pathToFileURL(`${folder}/`);
after(async () => {
  rmSync(folder, { recursive: true });
  await database.stop();
});

/** All functions of the database as it would print them, by name and parameters. */
const functions = async () =>
  await sql<{ name: string; text: string }[]>`
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as text from pg_proc p
    where pronamespace = 'public'::regnamespace order by 1`;
const emptied = () => sql.unsafe('drop schema public cascade; create schema public');

/** Functions that stay in their migration: for its triggers or its own lines, and those that only 0.2.0 calls. */
const withoutFile = {
  triggers: ['audit_log_stays', 'drop_search_words'],
  calledByMigration: ['expect_large_businesses', 'has_settled'],
  droppedNext: [
    'archive_again',
    'claim_credit',
    'count_paid_piece',
    'forwarding_confirms',
    'pay_several',
    'tell_order_news',
  ],
};

test('a fresh database and one that 0.2.0 made have the same functions', async () => {
  await emptied();
  await migrate(sql);
  const fresh = await functions();
  await emptied();
  const old = mkdtempSync(join(tmpdir(), 'milaan-0.2.0-'));
  for (const name of migrationNames().filter(name => name < '0037'))
    cpSync(`migrations/${name}`, join(old, name));
  await migrate(sql, () => {}, { folder: pathToFileURL(`${old}/`) });
  rmSync(old, { recursive: true });
  const before = await functions();
  await migrate(sql);
  const upgraded = await functions();
  assert.deepEqual(upgraded, fresh);
  // Parameters and results of what the previous release calls are the same: `create or replace` would add an overload.
  assert.deepEqual(
    before.map(({ name }) => name).filter(name => !upgraded.some(one => one.name === name)),
    [],
  );
  const names = upgraded.map(({ name }) => name.split('(')[0]!);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  assert.deepEqual(twice, ['settled_elsewhere']);
});

test('each function has one file of its name, or a documented reason for none', async () => {
  const files = readFunctions(migrationsFolder).map(({ name }) => name.replace('.sql', ''));
  const names = new Set((await functions()).map(({ name }) => name.split('(')[0]!));
  assert.deepEqual([...names].sort(), [...files, ...Object.values(withoutFile).flat()].sort());
});

test('no migration since 0.2.0 repeats a function that has a file, which would win over it', () => {
  const files = readFunctions(migrationsFolder).map(({ name }) => name.replace('.sql', ''));
  for (const name of migrationNames().filter(name => name >= '0037')) {
    const made = [
      ...readFileSync(`migrations/${name}`, 'utf8').matchAll(/^create (?:or replace )?function (\w+)/gm),
    ];
    assert.deepEqual(
      made.map(found => found[1]!).filter(one => files.includes(one)),
      [],
      name,
    );
  }
});

/** The functions of a release, in a folder with the one migration that they need. */
const release = (files: Record<string, string>) => {
  rmSync(join(folder, 'functions'), { recursive: true, force: true });
  mkdirSync(join(folder, 'functions'));
  cpSync('migrations/0041_written_functions.sql', join(folder, '0041_written_functions.sql'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'functions', name), text);
};
const answering = (answer: string, type = 'text') =>
  `create or replace function answer() returns ${type} language sql as $$ select '${answer}'::${type} $$;\n`;
const run = async () => (await migrate(sql, () => {}, { folder: place })).applied;
const first = async (files: Record<string, string>) => {
  await emptied();
  release(files);
  return await run();
};
const answer = async () => (await sql`select answer() as answer`)[0]!['answer'];

test('a release writes its functions once, and again when a file has changed', async () => {
  assert.deepEqual(await first({ 'answer.sql': answering('one') }), [
    '0041_written_functions.sql',
    'functions',
  ]);
  assert.deepEqual(await run(), []);
  release({ 'answer.sql': answering('one').replaceAll('\n', '\r\n') });
  assert.deepEqual(await run(), []);
  release({ 'answer.sql': answering('two') });
  assert.deepEqual(await run(), ['functions']);
  assert.equal(await answer(), 'two');
});

test('an older release does not change the functions of a newer one', async () => {
  await first({ 'answer.sql': answering('newer') });
  await sql`update written_functions set version = '999.0.0'`;
  release({ 'answer.sql': answering('older') });
  assert.deepEqual(await run(), []);
  assert.equal(await answer(), 'newer');
  await sql`update written_functions set version = '0.0.9'`;
  assert.deepEqual(await run(), ['functions']);
  assert.equal(await answer(), 'older');
  assert.deepEqual(await sql`select version from written_functions`, [{ version }]);
});

test('a release whose function cannot be replaced writes none, and names the file', async () => {
  await first({ 'answer.sql': answering('one') });
  release({ 'answer.sql': answering('two'), 'later.sql': answering('3', 'int') });
  await assert.rejects(run(), (error: Error) => {
    assert.ok(error instanceof StartError);
    assert.match(
      error.message,
      /^migrations\/functions\/later\.sql cannot replace .*return type.*no function was written/,
    );
    return true;
  });
  assert.equal(await answer(), 'one');
});

test('processes that start at once write the functions once', async () => {
  await emptied();
  release({ 'answer.sql': answering('one') });
  const starters = Array.from({ length: 5 }, () => connect(database.url, { most: 2 }));
  const done = await Promise.all(starters.map(one => migrate(one, () => {}, { folder: place })));
  await Promise.all(starters.map(one => one.end()));
  assert.deepEqual(done.flatMap(({ applied }) => applied).sort(), [
    '0041_written_functions.sql',
    'functions',
  ]);
});

test('pending functions are named before an upgrade, and prevent commands from working', async () => {
  await emptied();
  await migrate(sql);
  const waiting = async () => (await compareSchema(sql)).waiting.map(({ name }) => name);
  assert.deepEqual(await waiting(), []);
  await sql`update written_functions set checksum = 'another'`;
  assert.deepEqual(await waiting(), ['functions']);
  await sql`update written_functions set version = '999.0.0'`;
  assert.deepEqual(await waiting(), []);
});

test('releases are compared number by number', () => {
  assert.ok(isOlder('0.2.0', '0.10.0'));
  assert.ok(isOlder('0.2.9', '0.3.0-rc1'));
  assert.ok(!isOlder('1.0.0', '0.9.9'));
  assert.ok(!isOlder('0.2.0', '0.2.0'));
  assert.ok(isOlder('0.3.0-rc.1', '0.3.0'));
  assert.ok(!isOlder('0.3.0', '0.3.0-rc.1'));
});
