import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { second } from '../../src/clock.ts';
import { runModel } from './run-model.ts';

test('in random histories of orders, payments, forgeries, crashes and time the service does what the model says', async context => {
  const seed = randomInt(2 ** 31);
  context.diagnostic(`seed ${seed}`);
  const { played, failure } = await runModel({ runs: 60, seed, timeLimit: 40 * second });
  assert.equal(failure, null, failure ?? '');
  assert.ok(played > 0);
  context.diagnostic(`${played} histories`);
});
