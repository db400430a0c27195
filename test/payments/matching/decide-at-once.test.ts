import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { randomDigits } from '../../../src/base/random.ts';
import { payableOf } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';

const shop = reviewShop();
const { order, statusOf, stateOf, claim } = shop;
const reference = () => `60${randomDigits(10)}`;

describe('200 at once', () => {
  test('claims of two customers and the mail leave the credit with neither of them', async () => {
    const orders = [await order({ amount: 900 }), await order({ amount: 901 })];
    const told = reference();
    const given = await shop.credit({ amount: paise(123_45), reference: told });
    const deeds = Array.from({ length: 200 }, (_, n) =>
      n % 20 === 7 ? shop.confirm(given) : claim(orders[n % 2].order_id, told),
    );
    await settled(deeds);
    for (const { order_id } of orders) await patiently(() => claim(order_id, told));
    await patiently(() => shop.confirm(given));
    for (const { order_id } of orders) assert.equal(await statusOf(order_id), 'pending');
    assert.ok([null, 'open'].includes(await stateOf(given.alertId)));
  });

  test('an exact mail, copies of it and claims of another’s customer pay B once or make it wait, never both', async () => {
    for (let round = 0; round < 4; round++) {
      const [a, b] = [await order({ amount: 902 }), await order({ amount: 903 })];
      const told = reference();
      const copies = await Promise.all(
        Array.from({ length: 5 }, () => shop.credit({ amount: payableOf(b), reference: told })),
      );
      const deeds = Array.from({ length: 50 }, (_, n) =>
        n % 2 === round % 2 ? shop.confirm(copies[n % 5]!) : claim(a.order_id, told),
      );
      await settled(deeds);
      for (const copy of copies) await patiently(() => shop.confirm(copy));
      const status = await statusOf(b.order_id);
      const states = await Promise.all(copies.map(copy => stateOf(copy.alertId)));
      const waiting = states.filter(state => state === 'attached').length;
      assert.ok(status === 'paid' ? waiting === 0 : status === 'manual_review' && waiting === 1, status);
      assert.notEqual(await statusOf(a.order_id), 'paid');
    }
  });
});

/** Two hundred share few connections: who waited too long comes again below. */
const settled = (deeds: Promise<unknown>[]) => Promise.allSettled(deeds);

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await work().then(
      value => ({ value }),
      () => null,
    );
    if (done) return done.value;
  }
}
