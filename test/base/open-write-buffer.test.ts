import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWriteBuffer } from '../../src/base/open-write-buffer.ts';

type Count = { name: string; count: number };
const openCounts = (most: number) =>
  openWriteBuffer<Count>(most, (known, more) => ({ ...known, count: known.count + more.count }));

test('values of one key are joined, and returned once', () => {
  const counts = openCounts(10);
  for (const name of ['a', 'b', 'a']) counts.note(name, { name, count: 1 });
  assert.deepEqual(counts.take(), [
    { name: 'a', count: 2 },
    { name: 'b', count: 1 },
  ]);
  assert.deepEqual(counts.take(), []);
});

test('values that could not be written are kept together with newer ones', () => {
  const counts = openCounts(10);
  counts.note('a', { name: 'a', count: 2 });
  const taken = counts.take();
  counts.note('a', { name: 'a', count: 1 });
  for (const one of taken) counts.note(one.name, one);
  assert.deepEqual(counts.take(), [{ name: 'a', count: 3 }]);
});

test('a key above the limit is not kept; a known one still is', () => {
  const counts = openCounts(2);
  for (const name of ['a', 'b', 'c', 'a']) counts.note(name, { name, count: 1 });
  assert.deepEqual(counts.take(), [
    { name: 'a', count: 2 },
    { name: 'b', count: 1 },
  ]);
  counts.note('c', { name: 'c', count: 1 });
  assert.deepEqual(counts.take(), [{ name: 'c', count: 1 }]);
});
