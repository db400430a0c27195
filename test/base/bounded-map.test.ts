import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from '../../src/base/bounded-map.ts';

const filled = (most: number, values: readonly number[], hasLapsed?: (value: number) => boolean) => {
  const map = new BoundedMap<string, number>(most, hasLapsed);
  for (const value of values) map.set(`key ${value}`, value);
  return map;
};

test('a full map forgets its oldest entry and only that one', () => {
  const map = filled(3, [7, 8, 9]);
  assert.deepEqual([...map.set('key 10', 10).values()], [8, 9, 10]);
});

test('a written entry becomes the newest and displaces none', () => {
  const map = filled(3, [7, 8, 9]);
  assert.deepEqual([...map.set('key 7', 70).values()], [8, 9, 70]);
  assert.deepEqual([...map.set('key 10', 10).values()], [9, 70, 10]);
});

test('a map for one entry holds the last', () => {
  assert.deepEqual([...filled(1, [1, 2, 3])], [['key 3', 3]]);
});

test('each write drops up to two lapsed entries, from the oldest to the first that has not lapsed', () => {
  let now = 0;
  const map = filled(10, [1, 2, 3, 9, 4], until => until <= now);
  now = 5;
  assert.deepEqual([...map.set('a', 20).values()], [3, 9, 4, 20]);
  assert.deepEqual([...map.set('b', 21).values()], [9, 4, 20, 21]);
  assert.deepEqual([...map.set('c', 22).values()], [9, 4, 20, 21, 22]);
});

test('never holds more than its bound, whatever is written', () => {
  const map = new BoundedMap<number, number>(100);
  for (let at = 0; at < 5_000; at++) {
    map.set((at * 7919) % 1_009, at);
    assert.ok(map.size <= 100);
  }
  assert.equal(map.size, 100);
});
