import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { nearMissKind } from '../../../src/payments/matching/credit.ts';

const order = (amount: number, payable: number) => ({
  amount_paise: paise(amount),
  payable_paise: paise(payable),
});

test('a near miss is the base amount, whole rupees, swapped paise or one wrong digit, and nothing else', () => {
  const cases: [received: number, amount: number, payable: number, kind: string | null][] = [
    [500_37, 500_00, 500_37, null],
    [500_00, 500_00, 500_37, 'base'],
    [499_50, 499_50, 500_12, 'base'],
    [500_00, 500_00, 501_37, 'base'],
    [501_00, 500_00, 501_37, 'rounded'],
    [500_00, 499_50, 500_12, 'rounded'],
    [501_00, 500_00, 500_63, 'rounded'],
    [501_00, 500_00, 500_50, 'rounded'],
    [501_00, 500_00, 500_49, null],
    [502_00, 500_00, 500_63, null],
    [500_73, 500_00, 500_37, 'swapped'],
    [500_70, 500_00, 500_07, 'swapped'],
    [500_38, 500_00, 500_37, 'wrong_digit'],
    [500_97, 500_00, 500_37, 'wrong_digit'],
    [500_07, 500_00, 500_37, 'wrong_digit'],
    [500_48, 500_00, 500_37, null],
    [501_37, 500_00, 500_37, null],
    [37, 500_00, 500_37, null],
  ];
  for (const [received, amount, payable, kind] of cases)
    assert.equal(nearMissKind(paise(received), order(amount, payable)), kind, `${received} for ${payable}`);
});
