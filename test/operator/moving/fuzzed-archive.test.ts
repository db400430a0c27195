import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMovingStage } from '../../support/moving-stage.ts';
import { fuzzArchives } from '../../support/mutate-archive.ts';

openMovingStage();

test('each of 50 mutated archives is taken in and keeps every rule, or is refused and leaves nothing', async t => {
  const taken = await fuzzArchives(50);
  t.diagnostic(`${taken} were taken in`);
  assert.ok(taken > 0 && taken < 50, `${taken} were taken in`);
});
