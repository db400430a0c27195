import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import test from 'node:test';
import { mutate } from '../../drills/mutate/mutate.ts';

test('no random change of a genuine mail is a credit unless everything signed is unchanged', async t => {
  const seed = randomInt(2 ** 31);
  t.diagnostic(`seed ${seed}; repeat with: npm run drill -- mutate --count 1500 --seed ${seed}`);
  const { credits, wrong } = await mutate(1500, seed);
  assert.deepEqual(wrong, []);
  // Some changes (an added foreign header, blanks) must leave a genuine mail genuine, or nothing was tested.
  assert.ok(credits > 0);
});
