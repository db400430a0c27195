import assert from 'node:assert/strict';
import test from 'node:test';
import { mutate } from '../../drills/mutate/mutate.ts';

/** The same changes at every run, so that what fails is what was changed; `npm run drill -- mutate --seed N` tries others. */
const seed = 20_261_115;

test('no random change of a genuine mail is a credit unless everything signed is unchanged', async () => {
  const { credits, wrong } = await mutate(1500, seed);
  assert.deepEqual(wrong, []);
  // Some changes (an added foreign header, blanks) must leave a genuine mail genuine, or nothing was tested.
  assert.ok(credits > 0);
});
