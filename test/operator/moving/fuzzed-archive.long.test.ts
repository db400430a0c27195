import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { openMovingStage } from '../../support/moving-stage.ts';
import { fuzzArchives } from '../../support/mutate-archive.ts';

openMovingStage();

test('each of 2,000 mutated archives is taken in and keeps every rule, or is refused and leaves nothing', {
  timeout: 40 * minute,
}, async t => {
  const taken = await fuzzArchives(2_000);
  t.diagnostic(`${taken} were taken in`);
  assert.ok(taken > 0 && taken < 2_000, `${taken} were taken in`);
});
