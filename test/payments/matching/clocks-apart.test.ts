import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { later, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { createOrder } from '../../../src/orders/create-order.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { enterReference } from '../../../src/payments/review/enter-reference.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { matchingShop } from '../../support/matching-shop.ts';

const shop = matchingShop();
const { order, statusOf, credit, confirm, leaveOnly } = shop;

/** Another process on the same database, whose clock is off by this much. */
function processOff(by: number) {
  const { world } = shop.api;
  return { ...world, clock: { ...world.clock, now: () => later(world.clock.now(), by) } };
}

describe('the database says which came first (R14), whatever the clocks of its processes say', () => {
  for (const ahead of [3, 14, 45])
    test(`a mail process ${ahead} s behind the web that made the order: the payment counts`, async () => {
      const mail = processOff(-ahead * second);
      const created = await order({ amount: 700 + ahead });
      const paid = await storedCredit(mail, shop.merchant.merchantId, { amount: payableOf(created) });
      assert.deepEqual(await confirmPayment(mail, paid), { outcome: 'paid', orderId: created.order_id });
    });

  test('a mail that came first pays nothing, not even with a clock that dates it after the order', async () => {
    const stray = await storedCredit(processOff(30 * second), shop.merchant.merchantId, {
      amount: paise(81_237),
    });
    await leaveOnly(stray.amount);
    const created = await order({ amount: 812 });
    assert.equal(payableOf(created), stray.amount);
    assert.equal((await confirm(stray)).outcome, 'no_order');
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('a reference that a customer enters after it paid, by a clock that is behind, breaks no rule', async () => {
    const { world } = shop.api;
    const { merchantId } = shop.merchant;
    const [paid, other] = [await order({ amount: 840 }), await order({ amount: 850 })];
    const reported = await credit({ amount: payableOf(paid), reference: '690000000841' });
    assert.equal((await confirm(reported)).outcome, 'paid');
    const [orderId, now] = [other.order_id, processOff(-20 * second).clock.now()];
    const claim = { merchantId, orderId, reference: '690000000841', now };
    await enterReference(world, claim);
    const [kept] = await world.sql`
      select c.claimed_at >= o.paid_at as after from claimed_references c, orders o
      where c.order_id = ${orderId} and o.order_id = ${paid.order_id}`;
    assert.equal(kept?.['after'], true);
  });

  test('the same mail found again keeps its first number', async () => {
    const stray = await credit({ amount: paise(81_337) });
    const { sql } = shop.api.world;
    const place = () =>
      sql`select arrival_epoch, arrival_number from alerts where alert_id = ${stray.alertId}`;
    const [first] = await place();
    await sql`insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict)
      values (${shop.merchant.merchantId}, ${stray.alertId}, 3, ${shop.api.world.clock.now()}, 'again', 'unjudged')
      on conflict (merchant_id, alert_id) do nothing`;
    assert.deepEqual(await place(), [first]);
  });

  test('unnumbered rows come before numbered ones, and the clock orders them', async () => {
    const { sql } = shop.api.world;
    const unnumber = (table: 'orders' | 'alerts', column: string, id: string) =>
      sql.unsafe(`update ${table} set arrival_number = null where ${column} = $1`, [id]);
    const early = await order({ amount: 815 });
    await unnumber('orders', 'order_id', early.order_id);
    const behind = processOff(-20 * second);
    const pays = await storedCredit(behind, shop.merchant.merchantId, { amount: payableOf(early) });
    assert.equal((await confirm(pays)).outcome, 'paid');

    const stray = await credit({ amount: paise(81_637) });
    await unnumber('alerts', 'alert_id', stray.alertId);
    await leaveOnly(stray.amount);
    const numbered = await order({ amount: 816 });
    assert.equal((await confirm(stray)).outcome, 'no_order');
    assert.equal(await statusOf(numbered.order_id), 'pending');

    for (const [behindBy, outcome] of [
      [2 * second, 'paid'],
      [2 * second + 1, 'no_order'],
    ] as const) {
      const created = await order({ amount: 827 });
      await unnumber('orders', 'order_id', created.order_id);
      const reported = await storedCredit(processOff(-behindBy), shop.merchant.merchantId, {
        amount: payableOf(created),
      });
      await unnumber('alerts', 'alert_id', reported.alertId);
      assert.equal((await confirm(reported)).outcome, outcome);
    }
  });

  test('another installation’s numbers come before this one’s, because the epoch is compared first', async () => {
    const { sql } = shop.api.world;
    const { merchantId } = shop.merchant;
    const moved = await credit({ amount: paise(81_837) });
    await sql`update alerts set arrival_number = arrival_number + 1000000 where alert_id = ${moved.alertId}`;
    await sql`update merchants set arrival_epoch = arrival_epoch + 1 where merchant_id = ${merchantId}`;
    await leaveOnly(moved.amount);
    const created = await order({ amount: 818 });
    assert.equal((await confirm(moved)).outcome, 'no_order');
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('creates that share a statement are numbered one after another', async () => {
    const { sql } = shop.api.world;
    const request = (n: number) => ({
      merchantOrderId: `together-${n}`,
      amount: paise(82_000 + 1000 * n),
      account: null,
      successUrl: 'https://shop.in/ok',
      failureUrl: 'https://shop.in/no',
      webhookUrl: 'https://shop.in/hook',
      customer: null,
    });
    const caller = { merchantId: shop.merchant.merchantId, signedIn: true as const };
    await Promise.all([1, 2, 3, 4].map(n => createOrder(sql, shop.api.world, caller, request(n))));
    const [row] = await sql`
      select count(distinct arrival_number) as numbers from orders where merchant_id = ${shop.merchant.merchantId}`;
    assert.equal(row?.['numbers'], 4);
  });
});
