import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hour, later, minute } from '../../../src/base/clock.ts';
import { payableOf } from '../../support/credit.ts';
import { matchingShop } from '../../support/matching-shop.ts';

const shop = matchingShop();
const { order, statusOf, credit, confirm, leaveOnly } = shop;

describe('the time of the alert chooses the order', () => {
  test('pays an expired order up to ten minutes late, and not a millisecond more', async () => {
    const [inTime, late] = [await order({ amount: 50 }), await order({ amount: 51 })];
    const end = later(new Date(inTime.expires_at), 10 * minute);
    shop.api.world.clock.set(later(end, 1 * hour));
    const last = await credit({ amount: payableOf(inTime), alertTime: end });
    assert.deepEqual(await confirm(last), { outcome: 'paid', orderId: inTime.order_id });
    const tooLate = await credit({ amount: payableOf(late), alertTime: later(end, 1) });
    assert.deepEqual(await confirm(tooLate), { outcome: 'too_late', orderId: late.order_id });
    assert.equal(await statusOf(late.order_id), 'expired');
  });

  test('a second payment of a paid order is an extra payment, however late, and never too late', async () => {
    const created = await order({ amount: 52 });
    const amount = payableOf(created);
    await confirm(await credit({ amount }));
    shop.api.world.clock.advance(3 * hour);
    assert.deepEqual(await confirm(await credit({ amount })), {
      outcome: 'extra_payment',
      orderId: created.order_id,
    });
  });

  test('accepts an alert up to a minute older than its order, and not a millisecond more', async () => {
    const [early, tooEarly] = [await order({ amount: 60 }), await order({ amount: 61 })];
    const start = later(new Date(early.expires_at), -6 * minute);
    const accepted = await credit({ amount: payableOf(early), alertTime: start });
    assert.equal((await confirm(accepted)).outcome, 'paid');
    const refused = await credit({ amount: payableOf(tooEarly), alertTime: later(start, -1) });
    assert.equal((await confirm(refused)).outcome, 'no_order');
  });

  test('a mail delayed by 20 minutes pays the order it belongs to, never the next holder of the amount', async () => {
    const first = await order({ amount: 70 });
    const amount = payableOf(first);
    const alertTime = later(shop.api.world.clock.now(), 2 * minute);
    await leaveOnly(amount);
    shop.api.world.clock.advance(17 * minute);
    const next = await order({ amount: 70 });
    assert.equal(payableOf(next), amount);
    shop.api.world.clock.advance(5 * minute);
    assert.deepEqual(await confirm(await credit({ amount, alertTime })), {
      outcome: 'paid',
      orderId: first.order_id,
    });
    assert.equal(await statusOf(next.order_id), 'expired');
  });

  test('an alert at the expiry: an order read as expired a moment before is paid a moment after', async () => {
    const created = await order({ amount: 80 });
    const paid = await credit({ amount: payableOf(created) });
    shop.api.world.clock.advance(5 * minute);
    assert.equal(await statusOf(created.order_id), 'expired');
    assert.equal((await confirm(paid)).outcome, 'paid');
    assert.equal(await statusOf(created.order_id), 'paid');
  });
});
