import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { newSecretKey } from '../../src/base/secrets.ts';
import { findSettings } from '../../src/base/settings/find-settings.ts';
import { newDataDir, removeDataDir } from '../support/program.ts';
import { runMilaan, startMilaan } from '../support/run-milaan.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { prepare, use } from '../support/use.ts';

let folder: string;
let live: Record<string, string>;
const database = use(openTestDatabase);
prepare(async () => {
  folder = newDataDir();
  live = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: database.url,
    SECRET_KEY: newSecretKey(),
  };
});
after(async () => {
  removeDataDir(folder);
});

const envFile = (name: string, lines: Record<string, string>) => {
  const path = join(folder, name);
  writeFileSync(
    path,
    Object.entries(lines)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  return path;
};

describe('settings come from the environment first, then from one file', () => {
  const places = (...names: string[]) => names.map(name => join(folder, name));

  test('the file is the named one, else the first that exists, and the start prints it', () => {
    const one = envFile('one.env', { PORT: '1', HOST: '::1' });
    const two = envFile('two.env', { PORT: '2' });
    const nowhere = join(folder, 'none.env');
    for (const [args, env, port, from] of [
      [[], {}, '1', one],
      [[], { PORT: '3' }, '3', one],
      [[], { PORT: '3', SECRET_KEY: 'x' }, '3', `the environment and ${one}`],
      [['--env-file', two], {}, '2', two],
      [[`--env-file=${two}`], {}, '2', two],
    ] as const) {
      const found = findSettings([...args], env, [nowhere, one, two]);
      assert.deepEqual([found.env['PORT'], found.from, found.problems], [port, from, []]);
    }
    assert.equal(findSettings([], {}, [nowhere]).from, `none (looked at the environment, ${nowhere})`);
    assert.equal(findSettings([], { SECRET_KEY: 'x' }, [nowhere]).from, 'the environment');
    assert.equal(findSettings([], { HOME: '/root' }, places('one.env')).env['HOST'], '::1');
  });

  test('a named file that is missing or unreadable is an error, and never starts a sandbox', () => {
    assert.match(
      findSettings(['--env-file', join(folder, 'none.env')], {}, []).problems[0] ?? '',
      /none\.env cannot be read: ENOENT/,
    );
    assert.match(findSettings(['--env-file'], {}, []).problems[0] ?? '', /--env-file needs a file/);
    mkdirSync(join(folder, 'folder.env'));
    assert.match(
      findSettings([], {}, places('folder.env')).problems[0] ?? '',
      /^the settings in .*folder\.env cannot be read: EISDIR/,
    );
  });

  test('our own options are removed from the arguments, and others stay', () => {
    const found = findSettings(['web', '--sandbox', '--env-file', '/dev/null', '--name', 'B'], {}, []);
    assert.deepEqual(found.args, ['web', '--name', 'B']);
    assert.equal(found.meant, 'sandbox');
    assert.equal(findSettings(['--live'], {}, []).meant, 'live');
  });
});

describe('every command says first which installation it works on', () => {
  test('a live command prints the database and the settings’ source, and never the password', async () => {
    const { hostname, port, pathname, password } = new URL(database.url);
    const named = envFile('live.env', live);
    const said = await startMilaan({}, 'list-businesses', '--env-file', named);
    assert.equal(said.code, 0, said.err);
    assert.equal(
      said.err.split('\n')[0],
      `live, database ${pathname.slice(1)} at ${hostname}:${port} (settings: ${named})`,
    );
    assert.ok(!said.err.includes(password));
    assert.match((await runMilaan(live, 'list-businesses')).err, /^live, .* \(settings: the environment\)$/m);
    const missing = await runMilaan({}, 'list-businesses', '--env-file', join(folder, 'none.env'));
    assert.match(
      missing.err,
      /^milaan: the settings in .*none\.env cannot be read/,
      'in our words, not Node’s',
    );
    assert.equal(missing.code, 1);
  });

  test('a command without live settings and without a sandbox is refused, and creates no database', async () => {
    const dataDir = join(folder, 'nothing-here');
    for (const args of [
      ['create-business', '--name', 'B', '--email', 'b@example.in'],
      ['verify'],
      ['rotate-secret-key'],
    ]) {
      const said = await runMilaan({ DATA_DIR: dataDir }, ...args);
      assert.equal(said.code, 1, args[0]);
      assert.match(said.err, /^milaan: there are no live settings.*looked at the environment/m);
      assert.equal(said.out, '');
    }
    const meant = await runMilaan({ DATA_DIR: dataDir }, 'verify', '--sandbox');
    assert.equal(meant.code, 1);
    assert.match(meant.err, /^milaan: there is no sandbox in .*nothing-here: npm start makes one$/m);
    assert.equal(existsSync(dataDir), false);
  });
});

describe('success is reported only after a check', () => {
  test('rotate-secret-key on a database without a secret removes no key, and verify finds nothing to verify', async () => {
    const rotated = await runMilaan(live, 'rotate-secret-key');
    assert.equal(rotated.code, 1);
    assert.match(rotated.err, /holds no sealed secret.*remove no key from SECRET_KEY/);
    const verified = await runMilaan(live, 'verify');
    assert.equal(verified.code, 1);
    assert.match(verified.err, /there is nothing to verify/);
    assert.equal(verified.out, '');
  });

  test('rotate-secret-key and verify print how much they checked', async () => {
    const made = await runMilaan(
      live,
      'create-business',
      '--name',
      'Chai',
      '--email',
      'asha@chai.example.in',
    );
    assert.equal(made.code, 0, made.err);
    assert.match(
      (await runMilaan(live, 'rotate-secret-key')).out,
      /^0 stored secrets sealed again, 1 checked;/,
    );
    assert.match(
      (await runMilaan(live, 'verify')).out,
      /^looked at 1 business, 0 orders \(0 paid\), 0 alerts, 0 events$[\s\S]*^all rules hold$/m,
    );
  });

  test('on a read-only server a command explains in a sentence that it cannot write', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
    const said = await runMilaan(live, 'verify');
    await database.sql.unsafe(`set default_transaction_read_only = off;
      alter database ${name} reset default_transaction_read_only`);
    assert.equal(said.code, 1);
    assert.match(
      said.err,
      /^milaan: the database is unavailable, or a standby that only reads: .*The command may have changed something: look before you run it again$/m,
    );
  });

  test('a command never migrates, and says which one does', async () => {
    await database.sql`delete from migrations where name = (select max(name) from migrations)`;
    const said = await runMilaan(live, 'list-businesses');
    assert.equal(said.code, 1);
    assert.match(said.err, /is not at this version's schema.*upgrade/);
  });
});
