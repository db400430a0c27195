import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newSecretKey } from '../../src/base/secrets.ts';
import { newDataDir, removeDataDir, startReady } from '../support/program.ts';
import { refuseStart, runMilaan, startMilaan } from '../support/run-milaan.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
let live: Record<string, string>;
before(async () => {
  database = await openTestDatabase();
  folder = newDataDir();
  live = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: database.url,
    SECRET_KEY: newSecretKey(),
  };
});
after(async () => {
  await database.stop();
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

test('commands work on a running sandbox, and on a stopped one only with --sandbox', async () => {
  const dataDir = newDataDir();
  const sandbox = await startReady(dataDir);
  const running = await startMilaan({ DATA_DIR: dataDir }, 'list-businesses');
  assert.equal(running.code, 0, running.err);
  assert.equal(running.err.split('\n')[0]?.startsWith(`sandbox in ${dataDir}`), true, running.err);
  const meant = await runMilaan({ ...live, DATA_DIR: dataDir }, 'list-businesses', '--sandbox');
  assert.equal(meant.out, running.out, 'the live settings are left alone');
  const invited = await runMilaan(
    { DATA_DIR: dataDir },
    'create-operator',
    '--email',
    'op@example.in',
    '--sandbox',
  );
  assert.match(invited.out, new RegExp(`sign in +${sandbox.url}/`), 'the port that is used');
  sandbox.child.kill('SIGTERM');
  await sandbox.ended;
  const stopped = await runMilaan({ DATA_DIR: dataDir }, 'list-businesses');
  assert.equal(stopped.code, 1);
  assert.match(stopped.err, /there are no live settings.*--sandbox/);
  const again = await startMilaan({ DATA_DIR: dataDir }, 'list-businesses', '--sandbox');
  assert.deepEqual([again.code, again.out], [0, running.out], again.err);
  removeDataDir(dataDir);
});

describe('--live', () => {
  test('--live prevents a sandbox, for the program and for commands', async () => {
    const dataDir = newDataDir();
    const env = { DATA_DIR: dataDir, PORT: '0' };
    const program = await refuseStart(env, '--live');
    assert.equal(program.code, 1);
    assert.match(
      program.err,
      /^milaan: live mode needs PUBLIC_URL, DATABASE_URL and SECRET_KEY; missing: PUBLIC_URL, DATABASE_URL, SECRET_KEY$/m,
    );
    const flagged = await refuseStart(env, '--live', '--sandbox');
    assert.equal(flagged.code, 1);
    assert.match(flagged.err, /^milaan: --live and --sandbox exclude each other$/m);
    const command = await runMilaan({ DATA_DIR: dataDir }, 'verify', '--live');
    assert.equal(command.code, 1);
    assert.match(command.err, /live mode needs PUBLIC_URL/);
    assert.equal(existsSync(join(dataDir, 'postgres')), false);
    removeDataDir(dataDir);
  });
});

describe('the program itself', () => {
  test('the program reads the same file, and prints first what it is and its settings’ source', async () => {
    const dataDir = newDataDir();
    const named = envFile('program.env', { ...live, HOST: '127.0.0.1' });
    const program = await startReady(dataDir, { args: ['web', '--env-file', named] });
    assert.match(
      program.output(),
      new RegExp(
        `^Milaan \\d+\\.\\d+\\.\\d+, live mode \\(web\\)\\n  live, database .* \\(settings: ${named}\\)$`,
        'm',
      ),
    );
    program.child.kill('SIGTERM');
    assert.equal(await program.ended, 0);
    removeDataDir(dataDir);
  });
});
