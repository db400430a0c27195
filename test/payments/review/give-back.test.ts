import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { exportOrders } from '../../../src/dashboard/payments/export-orders.ts';
import { noFilter } from '../../../src/dashboard/payments/order-filter.ts';
import { selectReport } from '../../../src/dashboard/reports/queries.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { giveBack, undoGivingBack } from '../../../src/payments/review/give-back.ts';
import { selectRefunds } from '../../../src/payments/review/queries/refunds.ts';
import { reviewShop } from '../../support/review-shop.ts';

/** Sums that a shop gives back of a paid order, as somebody noted them. The program moves no money. */

const shop = reviewShop();
const sql = () => shop.api.world.sql;

async function paidOrder(rupees: number): Promise<{ orderId: string; received: number }> {
  const order = await shop.order({ amount: rupees });
  await shop.confirm(await shop.credit({ amount: paise(Math.round(order.payable_amount * 100)) }));
  assert.equal((await shop.get(order.order_id)).status, 'paid');
  return { orderId: order.order_id, received: Math.round(order.payable_amount * 100) };
}

const give = async (orderId: string, amount: number, before = 0) => {
  shop.api.world.clock.advance(1);
  const given = await sql().begin(tx => giveBack(tx, shop.who(), { orderId, amount, before }));
  return 'refusal' in given ? given.refusal : given;
};
const undo = async (orderId: string, refundId: string) =>
  (await sql().begin(tx => undoGivingBack(tx, shop.who(), { orderId, refundId })))?.refusal ?? null;
const givenOf = async (orderId: string) =>
  (await selectRefunds(sql(), shop.merchant.merchantId, orderId)).map(refund => refund.amount_paise);
const sumOfAll = async () => {
  const { merchantId } = shop.merchant;
  const [row] = await sql()<{ count: number; paise: number }[]>`
    select count(*)::int as count, coalesce(sum(amount_paise), 0)::bigint as paise from refunds where merchant_id = ${merchantId}`;
  return row!;
};

test('a paid order is refunded in parts, never above what it received, and stays paid and counted', async () => {
  const before = await sumOfAll();
  const { orderId, received } = await paidOrder(540);
  const month = () =>
    sql()`select collected_paise from collections where merchant_id = ${shop.merchant.merchantId}`;
  const collected = await month();
  assert.equal(await give(orderId, received + 1), 'more_than_received');
  assert.equal(await give(orderId, 0), 'more_than_received');
  const first = await give(orderId, 180_00);
  assert.equal(typeof first, 'object');
  assert.equal(await give(orderId, 180_00), 'given_meanwhile', 'the same press once more');
  assert.equal(await give(orderId, received - 180_00 + 1, 180_00), 'more_than_received');
  await give(orderId, received - 180_00, 180_00);
  assert.deepEqual(await givenOf(orderId), [180_00, received - 180_00]);
  assert.equal(await give(orderId, 1, received), 'more_than_received');
  assert.equal((await shop.get(orderId)).status, 'paid');
  assert.deepEqual(await month(), collected);
  const after = await sumOfAll();
  assert.deepEqual([after.count - before.count, after.paise - before.paise], [2, received]);
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('two people who refund at once never exceed what was received', async () => {
  const { orderId, received } = await paidOrder(700);
  const answers = await Promise.all(Array.from({ length: 6 }, () => give(orderId, received)));
  assert.equal(answers.filter(one => typeof one === 'object').length, 1);
  assert.deepEqual(await givenOf(orderId), [received]);
});

test('a second payment of the order in between does not change what may be refunded', async () => {
  const { orderId, received } = await paidOrder(320);
  const again = await shop.credit({ amount: paise(received) });
  await Promise.all([give(orderId, received), shop.confirm(again)]);
  assert.deepEqual(await givenOf(orderId), [received]);
  assert.equal(await give(orderId, 1, received), 'more_than_received');
  assert.equal(await shop.end(again.alertId, 'given_back'), null, 'the second payment has its own decision');
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('the last refund note is undone within five minutes, once, and the audit log has both', async () => {
  const { orderId } = await paidOrder(450);
  const first = await give(orderId, 100_00);
  const second_ = await give(orderId, 50_00, 100_00);
  assert.ok(typeof first === 'object' && typeof second_ === 'object');
  assert.equal(await undo(orderId, first.refund_id), 'changed_since');
  assert.equal(await undo(orderId, second_.refund_id), null);
  assert.equal(await undo(orderId, second_.refund_id), 'changed_since');
  shop.api.world.clock.advance(5 * minute + 1);
  assert.equal(await undo(orderId, first.refund_id), 'undo_over');
  assert.deepEqual(await givenOf(orderId), [100_00]);
  const entries = await sql()`select action from audit_log where subject = ${orderId} order by seq`;
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['order.give_back', 'order.give_back', 'order.give_back_undo'],
  );
});

test('an unpaid order, and another business’s order, have nothing to refund', async () => {
  const open = await shop.order({ amount: 210 });
  assert.equal(await give(open.order_id, 100), 'unknown_order');
  assert.equal(await give('ML-0000000000', 100), 'unknown_order');
});

test('the last column of the orders’ CSV and of the register has the refunded sum', async () => {
  const { orderId } = await paidOrder(610);
  await give(orderId, 60_50);
  const { merchantId } = shop.merchant;
  const now = shop.api.world.clock.now();
  let csv = '';
  for await (const part of exportOrders(shop.api.world, merchantId, noFilter, now)) csv += part;
  const [head, ...lines] = csv.trim().split('\r\n');
  assert.equal(head!.split(',').at(-1), 'given_back_amount');
  assert.equal(
    lines
      .find(line => line.startsWith(orderId))!
      .split(',')
      .at(-1),
    '60.50',
  );
  const [month] = await selectReport(sql(), merchantId, { from: '2026-11-01', to: '2026-12-01' }, [
    'month',
    'vpa',
  ]);
  const all = await sumOfAll();
  assert.equal(month!.given_paise, all.paise);
});
