import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { undoStep } from '../../../src/payments/review/undo-step.ts';
import { reviewShop } from '../../support/review-shop.ts';

/** A step with a payment that paid no order is undone within five minutes; accepting is final. */

const shop = reviewShop();
const clock = () => shop.api.world.clock;

const undo = async (alertId: string, at: Date) =>
  (await shop.api.world.sql.begin(tx => undoStep(tx, shop.who(), { alertId, at })))?.refusal ?? null;

/** Does the step a second later, and returns its moment. */
async function step(work: () => Promise<unknown>): Promise<Date> {
  clock().advance(second);
  assert.equal(await work(), null);
  const at = clock().now();
  clock().advance(second);
  return at;
}

async function nearMiss(amount = 500): Promise<{ orderId: string; alertId: string }> {
  const order = await shop.order({ amount });
  return { orderId: order.order_id, alertId: await shop.stray({ amount: paise(amount * 100) }) };
}

test('kept and refunded money is open again, and the audit log says who undid it', async () => {
  for (const end of ['kept', 'given_back'] as const) {
    const { alertId } = await nearMiss(end === 'kept' ? 510 : 520);
    const at = await step(() => shop.end(alertId, end));
    assert.equal(await undo(alertId, at), null);
    assert.equal(await shop.stateOf(alertId), 'open');
    assert.equal(await undo(alertId, at), 'changed_since', 'once');
  }
});

test('an attached payment leaves its order, which continues as before', async () => {
  const { alertId, orderId } = await nearMiss();
  const at = await step(() => shop.attach(alertId, orderId));
  assert.equal(await shop.statusOf(orderId), 'manual_review');
  assert.equal(await undo(alertId, at), null);
  assert.equal(await shop.statusOf(orderId), 'pending');
  assert.equal(await shop.stateOf(alertId), 'open');
});

test('a declined payment waits with its order again, and can then be accepted', async () => {
  const { alertId, orderId } = await nearMiss();
  await step(() => shop.attach(alertId, orderId));
  const at = await step(() => shop.decline(alertId, orderId));
  assert.equal(await shop.statusOf(orderId), 'failed');
  assert.equal(await undo(alertId, at), null);
  assert.deepEqual(
    [await shop.statusOf(orderId), await shop.stateOf(alertId)],
    ['manual_review', 'attached'],
  );
  assert.deepEqual(await findBreaches(shop.api.world), []);
  assert.equal(await shop.accept(alertId, orderId), null);
  assert.equal(await shop.statusOf(orderId), 'paid');
});

test('declined money that was given back is to be given back again', async () => {
  const { alertId, orderId } = await nearMiss();
  await step(() => shop.attach(alertId, orderId));
  await step(() => shop.decline(alertId, orderId));
  const at = await step(() => shop.end(alertId, 'given_back'));
  assert.equal(await undo(alertId, at), null);
  assert.deepEqual([await shop.statusOf(orderId), await shop.stateOf(alertId)], ['failed', 'to_give_back']);
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('after five minutes, a further step or an accept, nothing is undone', async () => {
  const late = await nearMiss(530);
  const kept = await step(() => shop.end(late.alertId, 'kept'));
  clock().advance(5 * minute);
  assert.equal(await undo(late.alertId, kept), 'undo_over');
  assert.equal(await shop.stateOf(late.alertId), 'kept');

  const { alertId, orderId } = await nearMiss(540);
  const attached = await step(() => shop.attach(alertId, orderId));
  const declined = await step(() => shop.decline(alertId, orderId));
  assert.equal(await undo(alertId, attached), 'changed_since');
  const other = await shop.stray({ amount: paise(541_00) });
  await step(() => shop.attach(other, orderId));
  assert.equal(await undo(alertId, declined), 'changed_since', 'the order waits for another payment by now');
  const accepted = await step(() => shop.accept(other, orderId));
  assert.equal(await undo(other, accepted), 'changed_since');
  assert.equal(await undo(alertId, declined), 'changed_since');
  assert.equal(await shop.statusOf(orderId), 'paid');
  assert.equal(await undo('alert_unknown', accepted), 'unknown_credit');
});

test('an exact payment between a step and its undo stays: it has paid the order', async () => {
  const order = await shop.order({ amount: 550 });
  const alertId = await shop.stray({ amount: paise(550_00) });
  const at = await step(() => shop.attach(alertId, order.order_id));
  const exact = await shop.credit({ amount: paise(Math.round(order.payable_amount * 100)) });
  const answers = await Promise.all([undo(alertId, at), shop.confirm(exact)]);
  assert.ok(answers[0] === null || answers[0] === 'changed_since');
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  assert.equal(await shop.stateOf(alertId), 'open');
});

test('an undo and an accept at once: one of them wins, and no rule is broken', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const { alertId, orderId } = await nearMiss(600 + turn * 10);
    const at = await step(() => shop.attach(alertId, orderId));
    await Promise.all([undo(alertId, at), shop.accept(alertId, orderId)]);
    // An acceptance after the undo attaches the payment first, so the order is paid either way.
    assert.equal(await shop.statusOf(orderId), 'paid');
  }
});
