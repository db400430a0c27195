import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { payableOf } from '../../support/credit.ts';
import { matchingShop } from '../../support/matching-shop.ts';

const shop = matchingShop();
const { order, statusOf, credit, confirm, leaveOnly } = shop;

/** An order that gets exactly the amount of a stray payment, some time after the stray mail arrived. */
async function orderAfter(stray: number, milliseconds: number) {
  await leaveOnly(stray);
  shop.api.world.clock.advance(milliseconds);
  const created = await order({ amount: Math.floor(stray / 100) });
  assert.equal(payableOf(created), stray);
  return created;
}

describe('a mail that was here before the order never pays it (R14)', () => {
  test('a stray payment judged no_order is settled: nobody checks it again, and no later order gets it', async () => {
    const stray = await credit({ amount: paise(9_037) });
    assert.equal((await confirm(stray)).outcome, 'no_order');
    const [row] = await shop.api.world.sql`select next_try_at from alerts where alert_id = ${stray.alertId}`;
    assert.equal(row?.['next_try_at'], null);
    const created = await orderAfter(stray.amount, 55 * second);
    assert.deepEqual(await confirm(stray), { outcome: 'no_order', orderId: null });
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('a stray payment that waited unjudged pays no later order, not even one of the same millisecond', async () => {
    const stray = await credit({ amount: paise(9_137) });
    const created = await orderAfter(stray.amount, 0);
    assert.equal((await confirm(stray)).outcome, 'no_order');
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('a mail that is found hours later, after an outage, arrived after its order and pays it', async () => {
    const created = await order({ amount: 94 });
    const alertTime = shop.api.world.clock.now();
    shop.api.world.clock.advance(7200 * second);
    const found = await credit({ amount: payableOf(created), alertTime });
    assert.equal((await confirm(found)).outcome, 'paid');
  });

  test('verify finds an order that an earlier mail paid', async () => {
    const created = await order({ amount: 95 });
    const paid = await credit({ amount: payableOf(created) });
    await confirm(paid);
    const { sql } = shop.api.world;
    const shift = (by: number) =>
      sql`update alerts set arrival_number = arrival_number + ${by} where alert_id = ${paid.alertId}`;
    await shift(-1000);
    assert.deepEqual(await findBreaches(shop.api.world), [
      `R14: ${created.order_id} was paid by alert ${paid.alertId}, which was stored before it was created`,
    ]);
    await shift(1000);
  });

  test('verify finds a credit that arrived after an order and did not pay it', async () => {
    const created = await order({ amount: 96 });
    const paid = await credit({ amount: payableOf(created) });
    const { sql } = shop.api.world;
    const setVerdict = (verdict: string) =>
      sql`update alerts set verdict = ${verdict} where alert_id = ${paid.alertId}`;
    await setVerdict('no_order');
    assert.deepEqual(await findBreaches(shop.api.world), [
      `R14: credit ${paid.alertId} says no_order, but ${created.order_id} waited for its amount at its time, and was there first`,
    ]);
    await setVerdict('unjudged');
    assert.equal((await confirm(paid)).outcome, 'paid');
  });
});
