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
  test('a stray payment judged no_order is settled: nothing looks at it again, and no later order gets it', async () => {
    const stray = await credit({ amount: paise(9_037) });
    assert.equal((await confirm(stray)).outcome, 'no_order');
    const [row] = await shop.api.world.sql`select next_try_at from alerts where alert_id = ${stray.alertId}`;
    assert.equal(row?.['next_try_at'], null);
    const created = await orderAfter(stray.amount, 55 * second);
    assert.deepEqual(await confirm(stray), { outcome: 'no_order', nearMisses: [] });
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('nor does one that waited unjudged: two seconds between machines, and not a millisecond more', async () => {
    const [late, inTime] = [await credit({ amount: paise(9_137) }), await credit({ amount: paise(9_238) })];
    const within = await orderAfter(inTime.amount, 2 * second);
    assert.deepEqual(await confirm(inTime), { outcome: 'paid', orderId: within.order_id });
    const beyond = await orderAfter(late.amount, 1);
    assert.equal((await confirm(late)).outcome, 'no_order');
    assert.equal(await statusOf(beyond.order_id), 'pending');
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
    const shift = (by: string) =>
      sql.unsafe(`update alerts set arrived_at = arrived_at + interval '${by}' where alert_id = $1`, [
        paid.alertId,
      ]);
    await shift('-2.001 seconds');
    assert.deepEqual(await findBreaches(shop.api.world), [
      `R14: ${created.order_id} was paid by an alert that arrived 2.001 s before it was created`,
    ]);
    await shift('2.001 seconds');
  });
});
