import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAlive } from '../../src/base/database/embedded.ts';
import { newDataDir, removeDataDir, startReady } from '../support/program.ts';

test('starts without configuration, prints where it listens, and stops on SIGTERM with its database', async () => {
  const dataDir = newDataDir();
  const program = await startReady(dataDir);
  assert.match(
    program.output(),
    /preparing the database[\s\S]*migrating: 0001_merchants\.sql[\s\S]*listening on http:\/\/127\.0\.0\.1:\d+/,
  );
  assert.equal((await fetch(`${program.url}/readyz`)).status, 200);
  const place = join(dataDir, 'postgres', 'postmaster.pid');
  const master = Number(readFileSync(place, 'utf8').split('\n')[0]);
  program.child.kill('SIGTERM');
  assert.equal(await program.ended, 0, program.output());
  assert.equal(isAlive(master), false);
  assert.equal(existsSync(place), false);
  removeDataDir(dataDir);
});
