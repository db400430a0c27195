import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRoom } from '../../src/base/make-room.ts';

test('what has lapsed goes two at a time, from the oldest on, and no further than the first that has not', () => {
  const kept = new Map([1, 2, 3, 9, 4].map(until => [`until ${until}`, until]));
  const at = (now: number) => makeRoom(kept, 10, until => until <= now);
  at(5);
  assert.deepEqual([...kept.values()], [3, 9, 4]);
  at(5);
  assert.deepEqual([...kept.values()], [9, 4]);
  at(5);
  assert.deepEqual([...kept.values()], [9, 4]);
});

test('where it is full the oldest goes, lapsed or not, and only one', () => {
  const kept = new Map([7, 8, 9].map(until => [`until ${until}`, until]));
  makeRoom(kept, 3, () => false);
  assert.deepEqual([...kept.values()], [8, 9]);
});
