import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise, paiseFromRupees, rupees, rupeesText } from '../../src/base/money.ts';
import { fc } from '../support/same-dice.ts';

// R9
test('converts rupees as amount*100 rounded to the nearest integer, quirks of binary fractions included', () => {
  assert.deepEqual(
    [0.005, 1.005, 1e2, 499, 499.37, 999999.999, 1000000].map(paiseFromRupees),
    [1, 100, 10000, 49900, 49937, 100000000, 100000000],
  );
});

test('every whole number of paise stays the same through JSON rupees', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_299 }), value => {
      assert.equal(paiseFromRupees(JSON.parse(JSON.stringify(rupees(paise(value))))), value);
      assert.equal(
        rupeesText(paise(value)),
        (BigInt(value) / 100n).toString() + '.' + String(value % 100).padStart(2, '0'),
      );
    }),
  );
});

test('refuses to call a fraction, a negative number or infinity paise', () => {
  for (const value of [0.5, -1, Number.POSITIVE_INFINITY, Number.NaN, 2 ** 53])
    assert.throws(() => paise(value), RangeError);
});
