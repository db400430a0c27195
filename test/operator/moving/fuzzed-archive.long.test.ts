import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { openMovingStage } from '../../support/moving-stage.ts';
import { fuzzArchives } from '../../support/mutate-archive.ts';

openMovingStage();

/** An import takes 0.6 s, most of it for temporary tables: `ARCHIVES=2000` takes 20 minutes. */
const runs = Number(process.env['ARCHIVES'] ?? 250);

test('each mutated archive is taken in and keeps every rule, or is refused and leaves nothing', {
  timeout: 40 * minute,
}, async t => {
  const taken = await fuzzArchives(runs);
  t.diagnostic(`${taken} were taken in`);
  assert.ok(taken > 0 && taken < runs, `${taken} were taken in`);
});
