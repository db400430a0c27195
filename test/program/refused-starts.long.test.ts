import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newDataDir, removeDataDir, startProgram } from '../support/program.ts';
import { refuseStart } from '../support/run-milaan.ts';
import { openTestDatabase } from '../support/test-database.ts';

const secretKey = Buffer.alloc(32, 1).toString('base64');

/** One that reads its settings in vain and one that looks around first are started by the machine, the others here. */
const started = ['half of live mode', 'a database that cannot be reached'];

async function refused(dataDir: string, env: Record<string, string>, args: string[] = []) {
  const { code, out, err } = await refuseStart({ DATA_DIR: dataDir, PORT: '0', ...env }, ...args);
  return { code, output: out + err };
}

describe('a start that cannot work ends with one clear sentence and exit code 1, without a stack trace', () => {
  const cases: [what: string, make: (dataDir: string) => Record<string, string>, sentence: RegExp][] = [
    [
      'half of live mode',
      () => ({ PUBLIC_URL: 'https://pay.example.in' }),
      /^milaan: live mode needs PUBLIC_URL, DATABASE_URL and SECRET_KEY; missing: DATABASE_URL, SECRET_KEY$/m,
    ],
    [
      'a database that cannot be reached',
      () => ({
        PUBLIC_URL: 'https://pay.example.in',
        DATABASE_URL: 'postgres://milaan:very-secret@127.0.0.1:1/milaan',
        SECRET_KEY: Buffer.alloc(32).toString('base64'),
      }),
      /^milaan: the database at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/m,
    ],
    [
      'a data folder that cannot be written',
      dataDir => {
        writeFileSync(join(dataDir, 'file'), '');
        return { DATA_DIR: join(dataDir, 'file', 'below') };
      },
      /^milaan: the data folder .* cannot be written: /m,
    ],
    [
      'a data folder where none can be made',
      () => ({ DATA_DIR: '/proc/milaan/data' }),
      /^milaan: the data folder .* cannot be written: /m,
    ],
    [
      'a broken plans file',
      dataDir => {
        writeFileSync(join(dataDir, 'plans.json'), '{"gold": {"monthly_limit": 5}}');
        return { PLANS_FILE: join(dataDir, 'plans.json') };
      },
      /^milaan: PLANS_FILE .*: plan "gold" has an unknown field "monthly_limit"$/m,
    ],
    [
      'a plans file that is not there',
      () => ({ PLANS_FILE: '/nowhere/plans.json' }),
      /^milaan: PLANS_FILE cannot be read: ENOENT/m,
    ],
    [
      'a host that is no name of an address',
      () => ({ HOST: 'nowhere.invalid', SANDBOX_PUBLIC: 'yes' }),
      /^milaan: HOST nowhere\.invalid is not an address of this machine$/m,
    ],
    [
      'an address of another machine',
      () => ({ HOST: '192.0.2.1', SANDBOX_PUBLIC: 'yes' }),
      /^milaan: HOST 192\.0\.2\.1 is not an address of this machine$/m,
    ],
    [
      'a sandbox that others can reach, which nobody said is meant',
      () => ({ HOST: '0.0.0.0' }),
      /^milaan: HOST 0\.0\.0\.0 lets others reach the sandbox, which asks nobody for a key: set SANDBOX_PUBLIC=yes if you mean it$/m,
    ],
    [
      'a wrong port',
      () => ({ PORT: 'many' }),
      /^milaan: PORT must be a whole number from 0 to 65535, not "many"$/m,
    ],
  ];
  for (const [what, make, sentence] of cases) {
    test(what, async () => {
      const dataDir = newDataDir();
      mkdirSync(dataDir, { recursive: true });
      const env = make(dataDir);
      const program = started.includes(what) ? startProgram(dataDir, { env }) : null;
      const { code, output } = program
        ? { code: await program.ended, output: program.output() }
        : await refused(dataDir, env);
      assert.equal(code, 1, output);
      assert.match(output, sentence);
      assert.doesNotMatch(output, /^\s+at |very-secret/m);
      removeDataDir(dataDir);
    });
  }

  test('all configuration errors are reported at once', async () => {
    const { code, output } = await refused(
      '/nowhere',
      { PORT: 'x', RATE_LIMITS: 'some', LOG_LEVEL: 'loud' },
      ['webb'],
    );
    assert.equal(code, 1);
    for (const name of ['PORT', 'RATE_LIMITS', 'LOG_LEVEL', 'unknown role webb'])
      assert.ok(output.includes(name), name);
  });

  test('all errors inside the named files are reported at once', async () => {
    const dataDir = newDataDir();
    writeFileSync(join(dataDir, 'plans.json'), '{');
    writeFileSync(join(dataDir, 'banks.json'), '[');
    const { code, output } = await refused(dataDir, {
      PLANS_FILE: join(dataDir, 'plans.json'),
      BANKS_FILE: join(dataDir, 'banks.json'),
      WEBHOOK_ALLOW: 'shop, erp internal',
    });
    assert.equal(code, 1);
    const lines = output.trim().split('\n');
    assert.deepEqual(
      ['plans.json', 'banks.json', 'WEBHOOK_ALLOW'].map(
        name => lines.filter(line => line.includes(name)).length,
      ),
      [1, 1, 1],
      output,
    );
    assert.equal(existsSync(join(dataDir, 'postgres')), false, 'no database was made for nothing');
    removeDataDir(dataDir);
  });

  test('a database user who may not create tables is reported', async () => {
    const database = await openTestDatabase();
    const guest = `guest_${randomUUID().slice(0, 8)}`;
    await database.sql.unsafe(`create role ${guest} login password 'very-secret'`);
    const url = new URL(database.url);
    [url.username, url.password] = [guest, 'very-secret'];
    const dataDir = newDataDir();
    const env = { PUBLIC_URL: 'https://pay.example.in', DATABASE_URL: url.href, SECRET_KEY: secretKey };
    const { code, output } = await refused(dataDir, env);
    assert.equal(code, 1);
    assert.match(
      output,
      /^milaan: the database at .* cannot be used: permission denied .*; DATABASE_URL must name .* a user who owns/m,
    );
    assert.doesNotMatch(output, /^\s+at |very-secret/m);
    await database.sql.unsafe(`drop role ${guest}`);
    await database.stop();
    removeDataDir(dataDir);
  });

  test('a port in use is reported before a database is created or migrated', async () => {
    const dataDir = newDataDir();
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { code, output } = await refused(dataDir, { PORT: String(port) });
    assert.equal(code, 1);
    assert.match(
      output,
      new RegExp(`^milaan: port ${port} is already in use: set PORT to another one$`, 'm'),
    );
    assert.equal(existsSync(join(dataDir, 'postgres')), false);
    server.close();
    removeDataDir(dataDir);
  });
});

test('a process with DATABASE_URL does not start on one of several databases', async () => {
  const database = await openTestDatabase();
  const dataDir = newDataDir();
  const live = { PUBLIC_URL: 'https://pay.example.in', DATABASE_URL: database.url, SECRET_KEY: secretKey };
  try {
    await database.sql`insert into placed (merchant_id, last_id, cell, since) values (9, 99, 1, now())`;
    const { code, output } = await refused(dataDir, live);
    assert.equal(code, 1);
    assert.match(output, /^milaan: this database is one of several: set CELLS_FILE, .*DATABASE_URL$/m);
  } finally {
    await database.stop();
    removeDataDir(dataDir);
  }
});
