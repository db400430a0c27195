import assert from 'node:assert/strict';
import { test } from 'node:test';
import { second } from '../../src/base/clock.ts';
import { runPlans } from '../support/model/plans/run-plans.ts';
import { runModel } from '../support/model/run-model.ts';

/** The same histories at every run, so that what fails is what was changed; `npm run drill -- model` plays others. */
const seed = 20_261_115;

test('random histories of orders, payments, forgeries, crashes and time end as the model says', async context => {
  const { played, failure } = await runModel({ runs: 60, seed, timeLimit: 20 * second });
  assert.equal(failure, null, failure ?? '');
  assert.ok(played > 0);
  context.diagnostic(`${played} histories`);
});

test('plan periods that are bought, moved, lapsed, ended or killed on the way match a calendar', async () => {
  await runPlans({ runs: 30, seed });
});
