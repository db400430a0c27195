import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCountCalls } from '../../../src/base/http/count-calls.ts';

const hour = 3_600_000;

test('a caller above the limit gets 429, others do not', () => {
  const count = openCountCalls(2, hour, 100);
  assert.deepEqual([count('a'), count('a'), count('b')], [null, null, null]);
  const wait = count('a')!;
  assert.ok(wait > 0 && wait <= hour);
  assert.equal(count('b'), null);
});

test('the count begins again with the next window', async () => {
  const count = openCountCalls(1, 500, 100);
  assert.equal(count('a'), null);
  assert.notEqual(count('a'), null);
  await sleep(510);
  assert.equal(count('a'), null);
});

test('if there are too many callers, the one seen longest ago is forgotten', () => {
  const count = openCountCalls(1, hour, 2);
  for (const caller of ['a', 'b', 'a', 'c']) count(caller);
  assert.notEqual(count('a'), null, 'heard lately');
  assert.equal(count('b'), null, 'forgotten');
});
