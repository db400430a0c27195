import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../src/base/http/api-error.ts';
import { takeTurns } from '../../../src/base/http/take-turns.ts';

function opened() {
  const held = Promise.withResolvers<string>();
  return { ...held, work: () => held.promise };
}

test('a limited number runs at once, the rest in turn, and a full queue refuses more', async () => {
  const inTurn = takeTurns({ atOnce: 2, waiting: 1, retryAfterSeconds: 3 });
  const jobs = [opened(), opened(), opened()];
  let running = 0;
  const results = jobs.map(job =>
    inTurn(async () => {
      running++;
      return await job.work();
    }),
  );
  await assert.rejects(
    inTurn(async () => assert.fail('it ran')),
    (error: unknown) => error instanceof ApiError && error.headers['retry-after'] === '3',
  );
  assert.equal(running, 2);
  jobs[0]!.resolve('first');
  assert.equal(await results[0], 'first');
  assert.equal(running, 3);
  // Full again: two run and nobody waits, so one more may wait and the next may not.
  const waits = inTurn(async () => 'waited');
  await assert.rejects(
    inTurn(async () => 'never'),
    ApiError,
  );
  jobs[1]!.reject(new Error('it failed'));
  jobs[2]!.resolve('third');
  await assert.rejects(results[1]!, /it failed/);
  assert.deepEqual([await results[2], await waits], ['third', 'waited']);
  assert.equal(await inTurn(async () => 'free again'), 'free again');
});
