import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { fuzzArchives } from '../../support/fuzz-archives.ts';
import { openMovingStage } from '../../support/moving-stage.ts';

openMovingStage();

/** `ARCHIVES=20000 SEED=7` tries more, and others. */
const runs = Number(process.env['ARCHIVES'] ?? 2_000);

test('each mutated archive is imported and keeps every rule, or is refused and leaves nothing', {
  timeout: 40 * minute,
}, async t => {
  const most = { imported: 50, refused: 20 };
  const { imported, refused, byCommand } = await fuzzArchives(runs, most);
  t.diagnostic(`${imported} imported, ${refused} refused; by the command ${JSON.stringify(byCommand)}`);
  assert.equal(imported + refused, runs);
  assert.deepEqual(byCommand, most);
});
