import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newReference } from '../../src/sandbox/pay-order.ts';

test('a reference begins like a real one: the last digit of the year and the day of the year, in India', () => {
  for (const [at, begins] of [
    ['2026-10-04T06:00:00Z', '6277'],
    ['2026-12-31T18:29:59Z', '6365'],
    ['2026-12-31T18:30:00Z', '7001'],
    ['2028-12-31T00:00:00Z', '8366'],
  ] as const) {
    const reference = newReference(new Date(at));
    assert.match(reference, /^\d{12}$/);
    assert.equal(reference.slice(0, 4), begins, at);
  }
});
