import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInThread } from '../../src/base/run-in-thread.ts';

test('a thread that hangs, dies, ends silently or fills its memory is given up in time', async () => {
  const run = (code: string, timeLimit: number) =>
    runInThread(new URL(`data:text/javascript,${encodeURIComponent(code)}`), null, {
      timeLimit,
      memoryMb: 16,
    });
  const patient = 60_000;
  assert.equal(await run('for (;;);', 200), 'gave_up');
  assert.equal(await run('throw new Error()', patient), 'gave_up');
  assert.equal(await run('process.exit(0)', patient), 'gave_up');
  assert.equal(await run('const all = []; for (;;) all.push(new Array(1e5).fill({}))', patient), 'gave_up');
});
