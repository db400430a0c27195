import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day, minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = reviewShop();
const { order, stray, attach, accept, decline, end, reopen, stateOf, get, collected } = shop;
const base = paise(500_00);

/** An order of ₹500 and ₹500.00 that came for it. */
async function roundedDown(): Promise<{ orderId: string; alertId: string }> {
  const { order_id: orderId } = await order({ amount: 500 });
  return { orderId, alertId: await stray({ amount: base }) };
}

async function verdictOf(alertId: string) {
  const [row] = await shop.api.world.sql`
    select verdict, reason_code, order_id from alerts where merchant_id = ${shop.merchant.merchantId} and alert_id = ${alertId}`;
  return [row?.['verdict'], row?.['reason_code'], row?.['order_id']];
}

async function auditEntries(): Promise<string[]> {
  const rows = await shop.api.world.sql`
    select action from audit_log where merchant_id = ${shop.merchant.merchantId} and action like 'credit.%' order by seq`;
  return rows.map(row => row['action']);
}

describe('a person', () => {
  test('a declined credit and a later exact payment of its order: the reason names both, and nothing is paid automatically', async () => {
    const created = await order({ amount: 500 });
    const { order_id: orderId } = created;
    const alertId = await stray({ amount: base });
    assert.equal(await attach(alertId, orderId), null);
    assert.equal(await decline(alertId, orderId), null);
    const exact = await stray({ amount: payableOf(created) });
    assert.deepEqual(await verdictOf(exact), ['no_order', 'declined', orderId]);
    assert.equal((await get(orderId)).status, 'failed');
    assert.equal(await accept(exact, orderId), null);
    assert.equal((await get(orderId)).status, 'paid');
  });

  test('a person attaches money to an order, which then waits without expiry', async () => {
    const { orderId, alertId } = await roundedDown();
    assert.equal(await attach(alertId, orderId), null);
    shop.api.world.clock.advance(20 * minute);
    const got = await get(orderId);
    assert.deepEqual([got.status, got.received_amount, got.paid_at], ['manual_review', 500, null]);
    assert.equal(await stateOf(alertId), 'attached');
    assert.equal(await collected(), 0);
    assert.deepEqual(await shop.eventTypes(), []);
  });

  test('a person accepts the money: the order is paid with what was received, with event, month and audit row', async () => {
    const { orderId, alertId } = await roundedDown();
    assert.equal(await attach(alertId, orderId), null);
    shop.api.world.clock.advance(3 * second);
    assert.equal(await accept(alertId, orderId), null);
    const got = await get(orderId);
    assert.deepEqual(
      [got.status, got.received_amount, got.paid_at],
      ['paid', 500, shop.api.world.clock.now().toISOString()],
    );
    assert.deepEqual(await verdictOf(alertId), ['paid', 'accepted', orderId]);
    assert.equal(await stateOf(alertId), 'accepted');
    assert.equal(await collected(), base);
    assert.deepEqual(await auditEntries(), ['credit.attach', 'credit.accept']);
    const [event, ...more] = await shop.api.world
      .sql`select body from event_bodies where merchant_id = ${shop.merchant.merchantId}`;
    assert.deepEqual([more.length, JSON.parse(event?.['body']).data], [0, got]);
  });

  test('a person accepts money at once that nobody had attached', async () => {
    const { orderId, alertId } = await roundedDown();
    assert.equal(await accept(alertId, orderId), null);
    assert.equal((await get(orderId)).status, 'paid');
    assert.deepEqual(await auditEntries(), ['credit.accept']);
  });

  test('a person accepts money from before the order: the customer paid a dead link and the shop made a new one', async () => {
    const dead = await order({ amount: 500 });
    shop.api.world.clock.advance(30 * minute);
    const alertId = await stray({ amount: payableOf(dead) });
    assert.deepEqual(await verdictOf(alertId), ['too_late', 'too_late', dead.order_id]);
    shop.api.world.clock.advance(10 * minute);
    const { order_id: orderId } = await order({ amount: 500 });
    assert.equal(await accept(alertId, orderId), null);
    assert.deepEqual(await verdictOf(alertId), ['paid', 'accepted', orderId]);
    assert.equal((await get(dead.order_id)).status, 'expired');
  });

  test('a person declines the money: the order has failed and the money is to be given back', async () => {
    const { orderId, alertId } = await roundedDown();
    await attach(alertId, orderId);
    assert.equal(await decline(alertId, orderId), null);
    assert.equal((await get(orderId)).status, 'failed');
    assert.equal(await stateOf(alertId), 'to_give_back');
    assert.equal(await end(alertId, 'given_back'), null);
    assert.equal(await stateOf(alertId), 'given_back');
    assert.deepEqual(await auditEntries(), ['credit.attach', 'credit.decline', 'credit.given_back']);
    assert.deepEqual(await shop.eventTypes(), []);
  });

  test('a person detaches money: the order has its time’s status, and an exact payment pays it', async () => {
    const created = await order({ amount: 500 });
    const alertId = await stray({ amount: base });
    await attach(alertId, created.order_id);
    assert.equal(await reopen(alertId), null);
    const got = await get(created.order_id);
    assert.deepEqual([got.status, got.received_amount], ['pending', null]);
    await stray({ amount: payableOf(created) });
    assert.equal((await get(created.order_id)).received_amount, created.payable_amount);
    assert.equal(await stateOf(alertId), 'open');
  });

  test('a person withdraws a decline and attaches the money to the failed order again', async () => {
    const { orderId, alertId } = await roundedDown();
    await attach(alertId, orderId);
    await decline(alertId, orderId);
    assert.equal(await reopen(alertId), null);
    const got = await get(orderId);
    assert.deepEqual([got.status, got.received_amount], ['failed', null]);
    assert.equal(await accept(alertId, orderId), null);
    assert.equal((await get(orderId)).status, 'paid');
  });

  test('a person keeps money, then reopens it, and nothing is counted', async () => {
    const alertId = await stray({ amount: base });
    assert.equal(await end(alertId, 'kept'), null);
    assert.equal(await end(alertId, 'given_back'), 'credit_taken');
    assert.equal(await reopen(alertId), null);
    assert.equal(await end(alertId, 'given_back'), null);
    assert.equal(await collected(), 0);
    assert.deepEqual(await auditEntries(), ['credit.keep', 'credit.reopen', 'credit.given_back']);
  });
});

describe('an exact payment', () => {
  test('an exact payment pays the waiting order, and the other credit needs a decision', async () => {
    const created = await order({ amount: 500 });
    const alertId = await stray({ amount: base });
    await attach(alertId, created.order_id);
    const exact = await stray({ amount: payableOf(created) });
    assert.deepEqual(await verdictOf(exact), ['paid', 'paid', created.order_id]);
    const got = await get(created.order_id);
    assert.deepEqual([got.status, got.received_amount], ['paid', created.payable_amount]);
    assert.equal(await stateOf(alertId), 'open');
    assert.equal(await accept(alertId, created.order_id), 'order_paid');
    assert.equal(await decline(alertId, created.order_id), 'order_paid');
    assert.equal(await end(alertId, 'given_back'), null);
  });

  test('an exact payment does not revive a failed order, and a person can attach it', async () => {
    const created = await order({ amount: 500 });
    const alertId = await stray({ amount: base });
    await attach(alertId, created.order_id);
    await decline(alertId, created.order_id);
    const exact = await stray({ amount: payableOf(created) });
    assert.deepEqual((await verdictOf(exact)).slice(0, 2), ['no_order', 'declined']);
    assert.equal((await get(created.order_id)).status, 'failed');
    assert.equal(await accept(exact, created.order_id), null);
    assert.equal((await get(created.order_id)).received_amount, created.payable_amount);
  });
});

describe('refused is', () => {
  test('money that is attached to or accepted for another order already is refused', async () => {
    const { orderId, alertId } = await roundedDown();
    const other = await order({ amount: 500 });
    await attach(alertId, orderId);
    assert.equal(await attach(alertId, other.order_id), 'credit_taken');
    assert.equal(await accept(alertId, other.order_id), 'credit_taken');
    assert.equal(await decline(alertId, other.order_id), 'credit_taken');
    await accept(alertId, orderId);
    assert.equal(await accept(alertId, other.order_id), 'credit_taken');
    assert.equal(await reopen(alertId), 'credit_taken');
    assert.equal(await end(alertId, 'kept'), 'credit_taken');
  });

  test('a second credit for a waiting order, and any for a paid one, is refused', async () => {
    const { orderId, alertId } = await roundedDown();
    const second = await stray({ amount: base });
    await attach(alertId, orderId);
    assert.equal(await attach(second, orderId), 'order_waits_for_another');
    assert.equal(await accept(second, orderId), 'order_waits_for_another');
    await accept(alertId, orderId);
    assert.equal(await attach(second, orderId), 'order_paid');
  });

  test('a mail that is no genuine credit is refused, even with its words', async () => {
    const { orderId, alertId } = await roundedDown();
    for (const verdict of [
      'forged',
      'unreadable',
      'wrong_recipient',
      'wrong_account',
      'not_a_credit',
      'duplicate',
      'retrying',
      'unjudged',
    ]) {
      await shop.api.world.sql`
        update alerts set verdict = ${verdict} where merchant_id = ${shop.merchant.merchantId} and alert_id = ${alertId}`;
      assert.equal(await accept(alertId, orderId), 'not_genuine', verdict);
      assert.equal(await end(alertId, 'kept'), 'not_genuine', verdict);
    }
    assert.equal(await accept('alert_nobodys', orderId), 'unknown_credit');
    assert.equal((await get(orderId)).status, 'pending');
  });

  test('money of the business’s other UPI account is refused (R13), also if the account was renamed since', async () => {
    const { orderId, alertId } = await roundedDown();
    const { sql } = shop.api.world;
    await attach(alertId, orderId);
    await sql`update upi_accounts set account_digits = '9999' where merchant_id = ${shop.merchant.merchantId}`;
    assert.equal(await accept(alertId, orderId), 'other_account');
    await reopen(alertId);
    assert.equal(await attach(alertId, orderId), 'other_account');
    await sql`update upi_accounts set account_digits = '4321' where merchant_id = ${shop.merchant.merchantId}`;
    assert.equal(await accept(alertId, orderId), null);
  });

  test('another business’s money or order is refused like an unknown one (R12)', async () => {
    const { orderId, alertId } = await roundedDown();
    const mine = shop.merchant;
    shop.merchant = await addTestMerchant(shop.api.world);
    const other = await roundedDown();
    assert.equal(await accept(alertId, other.orderId), 'unknown_credit');
    assert.equal(await accept(other.alertId, orderId), 'unknown_order');
    assert.equal(await reopen(alertId), 'unknown_credit');
    shop.merchant = mine;
    assert.equal((await get(orderId)).status, 'pending');
  });

  test('a mail that has paid another business in between is refused: a signature counts once (R2)', async () => {
    const { orderId, alertId } = await roundedDown();
    const { sql } = shop.api.world;
    const [row] = await sql`select signature_id from alerts where alert_id = ${alertId}`;
    const mine = shop.merchant;
    shop.merchant = await addTestMerchant(shop.api.world);
    const theirs = await order({ amount: 500 });
    const copy = await storedCredit(shop.api.world, shop.merchant.merchantId, {
      amount: payableOf(theirs),
      signatureIds: [row?.['signature_id']],
    });
    assert.equal((await shop.confirm(copy)).outcome, 'paid');
    shop.merchant = mine;
    for (const answer of [
      await attach(alertId, orderId),
      await accept(alertId, orderId),
      await end(alertId, 'kept'),
    ])
      assert.equal(answer, 'credit_taken');
  });

  test('a credit that a person decided about pays no other business any more', async () => {
    const alertId = await stray({ amount: base });
    const [row] = await shop.api.world.sql`select signature_id from alerts where alert_id = ${alertId}`;
    assert.equal(await end(alertId, 'given_back'), null);
    shop.merchant = await addTestMerchant(shop.api.world);
    const theirs = await order({ amount: 500 });
    const copy = await storedCredit(shop.api.world, shop.merchant.merchantId, {
      amount: payableOf(theirs),
      signatureIds: [row?.['signature_id']],
    });
    assert.deepEqual(await shop.confirm(copy), { outcome: 'duplicate', orderId: null });
  });

  test('an order that left the history, and money whose mail has left, are refused', async () => {
    const { orderId, alertId } = await roundedDown();
    const { sql } = shop.api.world;
    await sql`insert into plans (plan, history_days) values ('short', 30) on conflict do nothing`;
    await sql`update merchants set plan = 'short' where merchant_id = ${shop.merchant.merchantId}`;
    shop.api.world.clock.advance(31 * day);
    const later = await stray({ amount: base });
    assert.equal(await attach(later, orderId), 'unknown_order');
    const fresh = await order({ amount: 500 });
    assert.equal(await attach(alertId, fresh.order_id), 'unknown_credit');
    assert.equal(await attach(later, fresh.order_id), null);
  });
});

test('a second judge finds a person’s decision, and does not change it', async () => {
  const created = await order({ amount: 500 });
  const given = await shop.credit({ amount: base });
  await shop.confirm(given);
  await attach(given.alertId, created.order_id);
  assert.equal((await shop.confirm(given)).outcome, 'no_order');
  assert.equal(await stateOf(given.alertId), 'attached');
  await accept(given.alertId, created.order_id);
  assert.equal((await shop.confirm(given)).outcome, 'paid');
  assert.equal(await collected(), base);
});
