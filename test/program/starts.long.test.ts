import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { runningEmbedded } from '../../src/base/database/embedded.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import { has, needs } from '../support/needs.ts';
import { newDataDir, type Program, removeDataDir, startProgram, startReady } from '../support/program.ts';
import { refuseStart } from '../support/run-milaan.ts';
import { openTestDatabase } from '../support/test-database.ts';

const secretKey = Buffer.alloc(32, 1).toString('base64');

const postmasterOf = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (condition()) return;
    await sleep(100);
  }
  assert.fail(`never happened: ${what}`);
}

const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

function nobodyReads(file: string): boolean {
  const [command = '', ...args] = asNobody;
  return spawnSync(command, [...args, 'test', '-r', file]).status === 0;
}

describe('the sandbox', () => {
  test('Ctrl-C while the database is being prepared ends the sandbox cleanly, and the next start works', async () => {
    const dataDir = newDataDir();
    const program = startProgram(dataDir);
    await until(() => /preparing/.test(program.output()), 'preparing');
    program.child.kill('SIGINT');
    await program.ended;
    const again = await startReady(dataDir);
    again.child.kill('SIGINT');
    assert.equal(await again.ended, 0);
    removeDataDir(dataDir);
  });

  describe('two side by side', () => {
    /** Two very different starts: in a folder that only root can read, and as an ordinary user. */
    const isClosed = has('root') && has('user namespaces');
    const byNobody = has('root') && nobodyReads('src/main.ts');
    let one: Program;
    let other: Program;
    before(async () => {
      const ofNobody = newDataDir();
      if (byNobody) chmodSync(ofNobody, 0o777);
      [one, other] = await Promise.all([
        startReady(newDataDir({ open: !isClosed })),
        startReady(ofNobody, {
          env: { HOST: has('IPv6') ? '::1' : '127.0.0.1' },
          ...(byNobody && { prefix: asNobody }),
        }),
      ]);
    });
    after(async () => {
      for (const { child, ended, dataDir } of [one, other]) {
        child.kill('SIGTERM');
        assert.equal(await ended, 0);
        removeDataDir(dataDir);
      }
    });

    needs('IPv6').test(
      'run in two folders, and an IPv6 address is in brackets wherever it is shown',
      async () => {
        assert.match(one.url, /^http:\/\/127\.0\.0\.1:\d+$/);
        assert.match(other.url, /^http:\/\/\[::1\]:\d+$/);
        for (const { url } of [one, other]) assert.equal((await fetch(`${url}/readyz`)).status, 200);
      },
    );

    needs('root', 'user namespaces').test('root may close the folder to everybody else', () => {
      assert.equal(statSync(one.dataDir).mode & 0o777, 0o700);
    });

    needs('root').test('an ordinary user runs it too', async () => {
      if (!byNobody) return;
      const status = readFileSync(`/proc/${other.child.pid}/status`, 'utf8');
      assert.match(status, /^Uid:\t65534\t65534\t/m);
      assert.equal((await fetch(`${other.url}/readyz`)).status, 200);
    });

    test('a second sandbox in the same folder is refused in one sentence, and the first continues', async () => {
      const second = startProgram(one.dataDir);
      assert.equal(await second.ended, 1);
      assert.match(
        second.output(),
        /^milaan: the data folder .* is in use by another Milaan \(process \d+\)$/m,
      );
      assert.equal((await fetch(`${one.url}/readyz`)).status, 200);
    });

    test('a killed database is started again by its sandbox', async () => {
      process.kill(postmasterOf(other.dataDir), 'SIGKILL');
      let status = 0;
      for (let tries = 0; tries < 1_000 && status !== 200; tries++) {
        await sleep(100);
        status = (await fetch(`${other.url}/readyz`).catch(() => assert.fail(other.output()))).status;
      }
      assert.equal(status, 200, other.output());
    });

    test('kill -9 leaves no database running, and the next start has all the data', async () => {
      const master = postmasterOf(one.dataDir);
      const sql = connect(runningEmbedded(one.dataDir) ?? '', { most: 1 });
      await sql`create table kept as select 42 as answer`;
      await sql.end();
      one.child.kill('SIGKILL');
      assert.equal(await one.ended, 'SIGKILL');
      await until(() => !isAlive(master), 'the database ends by itself');

      one = await startReady(one.dataDir);
      assert.doesNotMatch(one.output(), /preparing|migrating/);
      const after = connect(runningEmbedded(one.dataDir) ?? '', { most: 1 });
      assert.deepEqual([...(await after`select answer from kept`)], [{ answer: 42 }]);
      await after.end();
    });
  });
});

describe('live mode', () => {
  test('live mode runs one role on the operator’s PostgreSQL, and several processes may migrate it at once', async () => {
    const database = await openTestDatabase();
    await database.sql`drop schema public cascade`;
    await database.sql`create schema public`;
    const env = {
      PUBLIC_URL: 'https://pay.example.in',
      DATABASE_URL: database.url,
      SECRET_KEY: secretKey,
      HOST: '127.0.0.1',
    };
    const dataDir = newDataDir();
    const programs = await Promise.all(
      ['web', 'mail', 'deliver'].map(role => startReady(dataDir, { env, args: [role] })),
    );
    const [web, mail] = programs;
    assert.equal((await fetch(`${web?.url}/api/v1/orders`)).status, 401);
    assert.equal((await fetch(`${mail?.url}/api/v1/orders`)).status, 404, 'only web has the API');
    const stray = (headers: Record<string, string>) => fetch(`${web?.url}/pya/ord`, { headers });
    assert.match(await (await stray({})).text(), /"not_found"/);
    const page = await stray({ accept: 'text/html,*/*', 'accept-language': 'hi' });
    assert.equal(page.status, 404);
    assert.match(await page.text(), /<h1>यहाँ कुछ नहीं है<\/h1>[\s\S]*\/pay\/…/, 'a person reads where to go');
    assert.equal((await fetch(`${mail?.url}/readyz`)).status, 200);
    assert.equal(
      (await fetch(`${web?.url}/sandbox/clock`, { method: 'POST' })).status,
      404,
      'nothing of the sandbox is there',
    );
    const applied =
      await database.sql`select name, count(*) as count from migrations group by name having count(*) > 1`;
    assert.equal(applied.length, 0);
    for (const program of programs) program.child.kill('SIGTERM');
    assert.deepEqual(await Promise.all(programs.map(program => program.ended)), [0, 0, 0]);
    await database.stop();
    removeDataDir(dataDir);
  });

  test('live mode reports at the start that a stored secret was sealed with a key missing in SECRET_KEY', async () => {
    const database = await openTestDatabase();
    const lost = secretBox([Buffer.alloc(32, 7)]);
    await createMerchant(database.sql, { clock: systemClock, secrets: lost }, { name: 'Chai Point' });
    const dataDir = newDataDir();
    const env = { PUBLIC_URL: 'https://pay.example.in', DATABASE_URL: database.url, SECRET_KEY: secretKey };
    const program = await startReady(dataDir, { env, args: ['deliver'] });
    assert.match(
      program.output(),
      /warning: 1 stored secrets were sealed with a key that is not in SECRET_KEY/,
    );
    program.child.kill('SIGTERM');
    assert.equal(await program.ended, 0);
    await database.stop();
    removeDataDir(dataDir);
  });

  test('live mode refuses a database that a newer version has migrated', async () => {
    const database = await openTestDatabase();
    await database.sql`insert into migrations (name) values ('9999_from_the_future.sql')`;
    const dataDir = newDataDir();
    const env = { PUBLIC_URL: 'https://pay.example.in', DATABASE_URL: database.url, SECRET_KEY: secretKey };
    const program = await refuseStart({ ...env, DATA_DIR: dataDir, PORT: '0' });
    assert.equal(program.code, 1);
    assert.match(
      program.err,
      /^milaan: the database has been migrated by a newer version \(9999_from_the_future\.sql\)/m,
    );
    await database.stop();
    removeDataDir(dataDir);
  });
});
