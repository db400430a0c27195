import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzArchives } from '../../support/fuzz-archives.ts';
import { openMovingStage } from '../../support/moving-stage.ts';

openMovingStage();

test('each of 50 mutated archives is imported and keeps every rule, or is refused and leaves nothing', async t => {
  const most = { imported: 3, refused: 3 };
  const { imported, refused, byCommand } = await fuzzArchives(50, most);
  t.diagnostic(`${imported} imported, ${refused} refused; by the command ${JSON.stringify(byCommand)}`);
  assert.ok(imported > 0 && refused > 0);
  assert.deepEqual(byCommand, most);
});
