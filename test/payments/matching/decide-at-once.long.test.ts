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
  test('a credit that two customers claim at once with its mail is with neither of them', async () => {
    const orders = [await order({ amount: 900 }), await order({ amount: 901 })];
    const reported = reference();
    const given = await shop.credit({ amount: paise(123_45), reference: reported });
    const decisions = Array.from({ length: 200 }, (_, n) =>
      n % 20 === 7 ? shop.confirm(given) : claim(orders[n % 2].order_id, reported),
    );
    await settled(decisions);
    for (const { order_id } of orders) await patiently(() => claim(order_id, reported));
    await patiently(() => shop.confirm(given));
    for (const { order_id } of orders) assert.equal(await statusOf(order_id), 'pending');
    assert.ok([null, 'open'].includes(await stateOf(given.alertId)));
  });

  test('an exact mail, its copies and another customer’s claims pay B once or make it wait, never both', async () => {
    for (let round = 0; round < 4; round++) {
      const [a, b] = [await order({ amount: 902 }), await order({ amount: 903 })];
      const reported = reference();
      const copies = await Promise.all(
        Array.from({ length: 5 }, () => shop.credit({ amount: payableOf(b), reference: reported })),
      );
      const decisions = Array.from({ length: 50 }, (_, n) =>
        n % 2 === round % 2 ? shop.confirm(copies[n % 5]!) : claim(a.order_id, reported),
      );
      await settled(decisions);
      for (const copy of copies) await patiently(() => shop.confirm(copy));
      const status = await statusOf(b.order_id);
      const states = await Promise.all(copies.map(copy => stateOf(copy.alertId)));
      const waiting = states.filter(state => state === 'attached').length;
      assert.ok(status === 'paid' ? waiting === 0 : status === 'manual_review' && waiting === 1, status);
      assert.notEqual(await statusOf(a.order_id), 'paid');
    }
  });

  test('money of an earlier day waits however many judges have it; the same day’s money pays the order once', async () => {
    const { clock } = shop.api.world;
    clock.set(new Date('2027-06-10T06:00:00Z'));
    for (const withOwn of [false, true]) {
      const created = await order({ amount: 904 });
      const amount = payableOf(created);
      const credits = [
        ...['7160', '7159', '7158'].map(day => `${day}${randomDigits(8)}`),
        ...(withOwn ? [`7161${randomDigits(8)}`] : []),
      ];
      const given = await Promise.all(credits.map(reference => shop.credit({ amount, reference })));
      await settled(Array.from({ length: 200 }, (_, n) => shop.confirm(given[n % given.length]!)));
      for (const one of given) await patiently(() => shop.confirm(one));
      assert.equal(await statusOf(created.order_id), withOwn ? 'paid' : 'manual_review');
      const states = await Promise.all(given.map(({ alertId }) => stateOf(alertId)));
      assert.equal(states.filter(state => state === 'attached').length, withOwn ? 0 : 1);
      if (withOwn) assert.equal((await shop.get(created.order_id)).bank_reference, credits.at(-1));
    }
  });

  test('one near miss waits, also with others and the exact payment at once, until the order is paid once', async () => {
    await shop.holdNearMisses();
    for (const withExact of [false, true]) {
      const rupees = withExact ? 7100 : 7000;
      const created = await order({ amount: rupees });
      const amounts = Array.from({ length: 4 }, () => paise(rupees * 100));
      if (withExact) amounts.push(payableOf(created));
      const given = await Promise.all(amounts.map(amount => shop.credit({ amount, reference: reference() })));
      await settled(Array.from({ length: 200 }, (_, n) => shop.confirm(given[n % given.length]!)));
      for (const one of given) await patiently(() => shop.confirm(one));
      assert.equal(await statusOf(created.order_id), withExact ? 'paid' : 'manual_review');
      const states = await Promise.all(given.map(({ alertId }) => stateOf(alertId)));
      assert.equal(states.filter(state => state === 'attached').length, withExact ? 0 : 1, states.join());
    }
  });
});

/** Two hundred share few connections: who waited too long comes again below. */
const settled = (work: Promise<unknown>[]) => Promise.allSettled(work);

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await work().then(
      value => ({ value }),
      () => null,
    );
    if (done) return done.value;
  }
}
