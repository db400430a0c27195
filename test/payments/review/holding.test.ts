import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { randomDigits } from '../../../src/base/random.ts';
import { payableOf } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = reviewShop();
const { order, stray, stateOf, get, claim, leaveOnly, decline, accept } = shop;
const base = paise(500_00);

async function nearMissesOf(alertId: string) {
  const [row] = await shop.api.world.sql`select near_misses from alerts where alert_id = ${alertId}`;
  return row?.['near_misses'];
}

async function statusOf(orderId: string): Promise<string> {
  return (await get(orderId)).status;
}

test('without the setting a near miss moves nothing, and is only named', async () => {
  const { order_id, payable_amount } = await order({ amount: 500 });
  const alertId = await stray({ amount: base });
  assert.deepEqual(await nearMissesOf(alertId), [
    { order_id, payable_paise: Math.round(payable_amount * 100), slip: 'base' },
  ]);
  assert.deepEqual([await statusOf(order_id), await stateOf(alertId)], ['pending', null]);
});

describe('if the owner holds near misses', () => {
  beforeEach(() => shop.holdNearMisses());

  test('a held near miss moves the one order that it can mean to manual_review, also after its expiry', async () => {
    const { order_id } = await order({ amount: 500 });
    shop.api.world.clock.advance(14 * minute);
    const alertId = await stray({ amount: base });
    const got = await get(order_id);
    assert.deepEqual([got.status, got.received_amount, got.paid_at], ['manual_review', 500, null]);
    const [row] = await shop.api.world.sql`
      select state, found_by, done_by from handled_credits where alert_id = ${alertId}`;
    assert.deepEqual({ ...row }, { state: 'attached', found_by: 'slip', done_by: 'milaan' });
    assert.equal(await accept(alertId, order_id), null);
  });

  test('each kind of near miss is held, and no other sum', async () => {
    await leaveOnly(500_37);
    for (const [amount, status] of [
      [500_73, 'manual_review'],
      [500_39, 'manual_review'],
      [500_97, 'manual_review'],
      [500_48, 'pending'],
      [501_37, 'pending'],
    ] as const) {
      const { order_id } = await order({ amount: 500 });
      await stray({ amount: paise(amount) });
      assert.equal(await statusOf(order_id), status, String(amount));
      shop.api.world.clock.advance(18 * minute);
    }
  });

  test('a near miss of two orders moves neither, and both are named', async () => {
    const orders = [await order({ amount: 500 }), await order({ amount: 500 })];
    const alertId = await stray({ amount: base });
    for (const { order_id } of orders) assert.equal(await statusOf(order_id), 'pending');
    assert.equal((await nearMissesOf(alertId)).length, 2);
    assert.equal(await stateOf(alertId), null);
  });

  test('a near miss of an order that waits with another credit, or was declined, moves nothing', async () => {
    const { order_id } = await order({ amount: 500 });
    const [first, second] = [await stray({ amount: base }), await stray({ amount: base })];
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['attached', null]);
    await decline(first, order_id);
    const third = await stray({ amount: base });
    assert.deepEqual([await statusOf(order_id), await stateOf(third)], ['failed', null]);
    assert.equal((await nearMissesOf(third))[0].order_id, order_id);
  });

  test('a near miss outside the order’s window moves nothing', async () => {
    const { order_id } = await order({ amount: 500 });
    shop.api.world.clock.advance(15 * minute + second);
    await stray({ amount: base });
    assert.equal(await statusOf(order_id), 'expired');
    const early = await stray({ amount: base });
    shop.api.world.clock.advance(3 * second);
    const next = await order({ amount: 500 });
    assert.deepEqual([await statusOf(next.order_id), await stateOf(early)], ['pending', null]);
  });

  test('a near miss on another account moves nothing, though the business has both', async () => {
    const { sql } = shop.api.world;
    const { order_id } = await order({ amount: 500 });
    await sql`
      insert into upi_accounts (merchant_id, account_id, vpa, payee_name, kind, bank, account_digits, bank_named_at, created_at, is_default)
      select merchant_id, 'acc_second', 'other@okaxis', payee_name, kind, bank, '8765', bank_named_at, created_at, false
      from upi_accounts where merchant_id = ${shop.merchant.merchantId}`;
    const alertId = await stray({ amount: base, accountDigits: '8765' });
    assert.deepEqual([await statusOf(order_id), await nearMissesOf(alertId)], ['pending', []]);
  });

  test('the owner undoes a hold, and a second judge does not hold it again', async () => {
    const { order_id } = await order({ amount: 500 });
    const given = await shop.credit({ amount: base });
    await shop.confirm(given);
    assert.equal(await shop.reopen(given.alertId), null);
    await shop.confirm(given);
    assert.deepEqual([await statusOf(order_id), await stateOf(given.alertId)], ['pending', 'open']);
  });
});

test('a second judge of the same mail neither holds a near miss later nor reports it again', async () => {
  const { sql } = shop.api.world;
  await sql`
    update merchants set wanted_events = array['payment.unmatched'], webhook_url = 'https://shop.example.com/own'
    where merchant_id = ${shop.merchant.merchantId}`;
  const { order_id } = await order({ amount: 500 });
  const given = await shop.credit({ amount: base });
  await shop.confirm(given);
  await shop.holdNearMisses();
  await shop.confirm(given);
  assert.deepEqual([await statusOf(order_id), await shop.eventTypes()], ['pending', ['payment.unmatched']]);
});

describe('a reference that the customer enters', () => {
  // Another in each test: one reference counts once in the installation for one account.
  let reference = '';
  beforeEach(() => {
    reference = `69${randomDigits(10)}`;
  });

  test('a customer’s reference attaches money that is already there, whatever its sum, and pays nothing', async () => {
    const { order_id } = await order({ amount: 500 });
    const alertId = await stray({ amount: paise(123_45), reference });
    await claim(order_id, reference);
    const got = await get(order_id);
    assert.deepEqual([got.status, got.received_amount], ['manual_review', 123.45]);
    assert.equal(await stateOf(alertId), 'attached');
  });

  test('a customer’s reference attaches money that comes later, with or without the leading zero', async () => {
    const { order_id } = await order({ amount: 500 });
    await claim(order_id, '012345678901');
    shop.api.world.clock.advance(30 * minute);
    const alertId = await stray({ amount: paise(123_45), reference: '12345678901' });
    assert.deepEqual([await statusOf(order_id), await stateOf(alertId)], ['manual_review', 'attached']);
  });

  test('a customer’s reference comes before a near miss, because the customer knows better', async () => {
    await shop.holdNearMisses();
    const guessed = await order({ amount: 500 });
    const { order_id } = await order({ amount: 900 });
    await claim(order_id, reference);
    await stray({ amount: base, reference });
    assert.deepEqual(
      [await statusOf(guessed.order_id), await statusOf(order_id)],
      ['pending', 'manual_review'],
    );
  });

  test('a customer’s reference that another order’s exact payment has makes that one wait for a person', async () => {
    const exact = await order({ amount: 500 });
    const { order_id } = await order({ amount: 900 });
    await claim(order_id, reference);
    const alertId = await stray({ amount: payableOf(exact), reference });
    assert.deepEqual(
      [await statusOf(exact.order_id), await statusOf(order_id)],
      ['manual_review', 'pending'],
    );
    assert.equal(await accept(alertId, order_id), 'credit_taken');
    assert.equal(await accept(alertId, exact.order_id), null);
  });

  test('a customer’s reference of money that already paid moves nothing', async () => {
    const exact = await order({ amount: 500 });
    const { order_id } = await order({ amount: 900 });
    await stray({ amount: payableOf(exact), reference });
    await claim(order_id, reference);
    assert.deepEqual([await statusOf(exact.order_id), await statusOf(order_id)], ['paid', 'pending']);
  });

  test('money whose reference two customers enter is with neither, whichever came first: the mail, a claim, or both claims', async () => {
    for (const turn of [0, 1, 2]) {
      const reported = `8${turn}${reference.slice(2)}`;
      const orders = [await order({ amount: 500 }), await order({ amount: 900 })];
      const given = await shop.credit({ amount: paise(123_45), reference: reported });
      const actions = orders.map(
        ({ order_id }) =>
          () =>
            claim(order_id, reported),
      );
      for (const act of actions.toSpliced(
        turn,
        0,
        () => shop.confirm(given) as Promise<unknown> as Promise<void>,
      ))
        await act();
      for (const { order_id } of orders) assert.equal(await statusOf(order_id), 'pending', `turn ${turn}`);
      assert.ok([null, 'open'].includes(await stateOf(given.alertId)), `turn ${turn}`);
    }
  });

  test('money that a person gave to the first order stays with it when a second customer enters its reference', async () => {
    const orders = [await order({ amount: 500 }), await order({ amount: 900 })];
    const alertId = await stray({ amount: paise(123_45), reference });
    await shop.attach(alertId, orders[0].order_id);
    for (const { order_id } of orders) await claim(order_id, reference);
    assert.deepEqual(
      [await statusOf(orders[0].order_id), await stateOf(alertId)],
      ['manual_review', 'attached'],
    );
  });

  test('money whose reference a second customer enters leaves the first order, and the owner is notified of the reason', async () => {
    const orders = [await order({ amount: 500 }), await order({ amount: 900 })];
    const alertId = await stray({ amount: paise(123_45), reference });
    await claim(orders[0].order_id, reference);
    assert.equal(await statusOf(orders[0].order_id), 'manual_review');
    const notified = async () => {
      const [row] = await shop.api.world.sql`
        select count(*)::int as notices, (select reason_code from alerts where alert_id = ${alertId}) as reason
        from notices where merchant_id = ${shop.merchant.merchantId} and kind = 'money_unmatched'`;
      return row!;
    };
    const before = await notified();
    shop.api.world.clock.advance(3_600_000);
    await claim(orders[1].order_id, reference);
    const after = await notified();
    assert.equal(after['reason'], 'claimed_by_several');
    assert.ok(after['notices'] > before['notices'], 'nobody was notified');
  });

  test('a reference entered for two orders moves neither', async () => {
    const orders = [await order({ amount: 500 }), await order({ amount: 900 })];
    for (const { order_id } of orders) await claim(order_id, reference);
    const alertId = await stray({ amount: paise(123_45), reference });
    for (const { order_id } of orders) assert.equal(await statusOf(order_id), 'pending');
    assert.equal(await stateOf(alertId), null);
  });

  test('a reference of money that another order or another business has moves nothing', async () => {
    const { order_id } = await order({ amount: 500 });
    await stray({ amount: base, reference });
    await claim(order_id, reference);
    const second = await order({ amount: 500 });
    await claim(second.order_id, reference);
    assert.equal(await statusOf(second.order_id), 'pending');
    shop.merchant = await addTestMerchant(shop.api.world);
    const theirs = await order({ amount: 500 });
    await claim(theirs.order_id, reference);
    assert.equal(await statusOf(theirs.order_id), 'pending');
  });

  test('references are kept three times per order, and the fourth is ignored', async () => {
    const { order_id } = await order({ amount: 500 });
    await stray({ amount: base, reference });
    await Promise.all(['1', '2', '3'].map(digit => claim(order_id, digit.repeat(12))));
    await Promise.all([claim(order_id, reference), claim(order_id, '4'.repeat(12))]);
    assert.equal(await statusOf(order_id), 'pending');
    const rows = await shop.api.world.sql`select from claimed_references where order_id = ${order_id}`;
    assert.equal(rows.length, 3);
  });

  test('a reference for a paid order, an unknown one or a deleted business leaves nothing', async () => {
    const paid = await order({ amount: 500 });
    await stray({ amount: payableOf(paid) });
    await claim(paid.order_id, reference);
    await claim('ML-0000000000', reference);
    const { merchantId } = shop.merchant;
    shop.merchant = { ...shop.merchant, merchantId: merchantId + 1 };
    await claim(paid.order_id, reference);
    const rows = await shop.api.world.sql`
      select from claimed_references where merchant_id between ${merchantId} and ${merchantId + 1}`;
    assert.equal(rows.length, 0);
  });

  test('a reference and its money at the same moment find each other, in either order', async () => {
    for (let round = 0; round < 20; round++) {
      const { order_id } = await order({ amount: 500 });
      const reported = `7${String(round).padStart(11, '0')}`;
      const given = await shop.credit({ amount: paise(123_45), reference: reported });
      await Promise.all([shop.confirm(given), claim(order_id, reported)]);
      assert.equal(await statusOf(order_id), 'manual_review', `round ${round}`);
    }
  });
});
