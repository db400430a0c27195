import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { liveSettings } from '../support/live-config.ts';
import { newDataDir, removeDataDir, startReady } from '../support/program.ts';
import { openTestDatabase } from '../support/test-database.ts';

test('a slow machine does not make the program give up on its database', async () => {
  const [database, dataDir] = [await openTestDatabase(), newDataDir()];
  const slow = pathToFileURL(join(import.meta.dirname, 'slow-machine-process.ts')).href;
  const program = await startReady(dataDir, {
    env: { ...liveSettings, DATABASE_URL: database.url, HOST: '127.0.0.1', NODE_OPTIONS: `--import ${slow}` },
  });
  program.child.kill('SIGTERM');
  assert.equal(await program.ended, 0, program.output());
  removeDataDir(dataDir);
  await database.stop();
});
