import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day, hour, later, minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { randomDigits } from '../../../src/base/random.ts';
import { showIntent } from '../../../src/orders/queries.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { payableOf } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';

const shop = reviewShop();
const { order, statusOf, stateOf, claim, leaveOnly } = shop;
const reference = () => `60${randomDigits(10)}`;

/** The row that decided, and what became of the credit. */
async function decided(change: Partial<Credit> & { amount: Credit['amount'] }) {
  const given = await shop.credit({ reference: reference(), ...change });
  await shop.confirm(given);
  const [row] = await shop.api.world.sql`
    select table_row, verdict, reason_code, order_id, near_misses from alerts where alert_id = ${given.alertId}`;
  const { table_row, verdict, reason_code, order_id, near_misses } = row!;
  const named: string[] = near_misses.map((near: { order_id: string }) => near.order_id);
  return {
    ...{ row: table_row, verdict, reason: reason_code, orderId: order_id },
    ...{ named, alertId: given.alertId, state: await stateOf(given.alertId) },
  };
}

type Decided = Partial<Awaited<ReturnType<typeof decided>>>;
const agrees = (got: Decided, expected: Decided) =>
  assert.deepEqual(
    Object.fromEntries(Object.keys(expected).map(key => [key, got[key as keyof Decided]])),
    expected,
  );

/** An order that ended, and the next that holds the same amount, some time later. */
async function twoHolders(amount: number, apart: number) {
  const first = await order({ amount });
  await leaveOnly(payableOf(first));
  shop.api.world.clock.advance(apart);
  const next = await order({ amount });
  assert.equal(payableOf(next), payableOf(first));
  return [first, next];
}

describe('the table decides what becomes of a genuine credit', () => {
  test('row 1: a reference that was counted before is a duplicate', async () => {
    const [amount, reported] = [payableOf(await order({ amount: 40 })), reference()];
    await decided({ amount, reference: reported });
    agrees(await decided({ amount, reference: `0${reported}` }), {
      row: 1,
      verdict: 'duplicate',
      orderId: null,
    });
  });

  test('row 2: late money whose reference A’s customer entered does not pay B, but waits with it', async () => {
    const [a, b] = await twoHolders(500, hour);
    const reported = reference();
    await claim(a.order_id, reported);
    const got = await decided({ amount: payableOf(b), reference: reported });
    agrees(got, { row: 2, verdict: 'no_order', reason: 'contested', orderId: b.order_id, state: 'attached' });
    assert.deepEqual([await statusOf(a.order_id), await statusOf(b.order_id)], ['expired', 'manual_review']);
    assert.equal(await shop.collected(), 0);
    agrees(await decided({ amount: payableOf(b) }), { row: 3, verdict: 'paid' });
    assert.equal(
      await stateOf(got.alertId),
      'open',
      'its own payment pays it, and the other is looked at again',
    );
  });

  test('row 2: a reference that B’s own customer entered, or one of a paid order, prevents no payment', async () => {
    const own = await order({ amount: 501 });
    const reported = reference();
    await claim(own.order_id, reported);
    agrees(await decided({ amount: payableOf(own), reference: reported }), { row: 3, verdict: 'paid' });
    const other = await order({ amount: 502 });
    const claimed = reference();
    await claim(other.order_id, claimed);
    await decided({ amount: payableOf(other) });
    const third = await order({ amount: 503 });
    agrees(await decided({ amount: payableOf(third), reference: claimed }), { row: 3, verdict: 'paid' });
  });

  test('row 2: if B already waits for another payment, that one stays, and a person sees both', async () => {
    await shop.holdNearMisses();
    const b = await order({ amount: 504 });
    const nearMiss = await shop.stray({ amount: paise(504_00) });
    const a = await order({ amount: 900 });
    const reported = reference();
    await claim(a.order_id, reported);
    const got = await decided({ amount: payableOf(b), reference: reported });
    agrees(got, { row: 2, orderId: b.order_id, state: null });
    assert.equal(await stateOf(nearMiss), 'attached');
  });

  test('row 3: the exact amount of an open order in its time pays it', async () => {
    const created = await order({ amount: 505 });
    const got = await decided({ amount: payableOf(created) });
    agrees(got, { row: 3, verdict: 'paid', reason: 'paid', orderId: created.order_id });
  });

  test('row 3, the reference’s day: a reference of one of the three days before the order waits, across New Year too', async () => {
    const { clock } = shop.api.world;
    // 12:30 on 1 January 2027 in India; NPCI's digits are the year's last and the day of the year.
    clock.set(new Date('2027-01-01T07:00:00Z'));
    const dayOf = {
      '31 December': '6365',
      '30 December': '6364',
      '29 December': '6363',
      'with 366 more': '6731',
    };
    const other = {
      today: '7001',
      '28 December': '6362',
      tomorrow: '7002',
      'no day': '6000',
      'another year': '5365',
    };
    for (const [name, digits] of Object.entries({ ...dayOf, ...other })) {
      const created = await order({ amount: 506 });
      const got = await decided({ amount: payableOf(created), reference: `${digits}${randomDigits(8)}` });
      const waits = name in dayOf;
      assert.equal(got.verdict, waits ? 'no_order' : 'paid', name);
      if (waits) agrees(got, { row: 3, reason: 'earlier_day', orderId: created.order_id, state: 'attached' });
      assert.equal(await statusOf(created.order_id), waits ? 'manual_review' : 'paid', name);
    }
  });

  test('row 3, the reference’s day: an order in the first minute of a day accepts the previous day', async () => {
    const { clock } = shop.api.world;
    for (const [at, verdict] of [
      ['2027-03-01T18:30:59Z', 'paid'],
      ['2027-03-01T18:31:00Z', 'no_order'],
    ] as const) {
      clock.set(new Date(at));
      const created = await order({ amount: 507 });
      const got = await decided({ amount: payableOf(created), reference: `7060${randomDigits(8)}` });
      assert.equal(got.verdict, verdict, at);
    }
  });

  test('row 3, fresh: if the owner wants it, an amount that another customer may still pay needs its own customer’s tap', async () => {
    const { sql, clock } = shop.api.world;
    const { merchantId } = shop.merchant;
    const tap = (orderId: string) => showIntent(sql, { merchantId, orderId, now: clock.now() });
    for (const [name, fresh, seen, taps, verdict] of [
      ['off', false, true, null, 'paid'],
      ['page never open', true, false, null, 'paid'],
      ['tapped just now', true, true, 170 * second, 'paid'],
      ['tapped long ago', true, true, 190 * second, 'no_order'],
      ['never tapped', true, true, null, 'no_order'],
    ] as const) {
      await sql`update merchants set fresh_only = ${fresh} where merchant_id = ${merchantId}`;
      const [, b] = await twoHolders(700 + randomPrice(), hour);
      if (seen) await sql`update orders set seen_at = ${clock.now()} where order_id = ${b.order_id}`;
      if (taps !== null) await tap(b.order_id);
      clock.advance(taps ?? minute);
      const got = await decided({ amount: payableOf(b) });
      assert.equal(got.verdict, verdict, name);
      if (verdict === 'no_order') agrees(got, { row: 3, reason: 'not_fresh', state: 'attached' });
    }
    const clear = await order({ amount: 698 });
    await sql`update orders set seen_at = ${clock.now()} where order_id = ${clear.order_id}`;
    agrees(await decided({ amount: payableOf(clear) }), { row: 3, verdict: 'paid' });
  });

  test('row 4: the exact amount of a paid order in its time is an extra payment, even with a customer’s reference', async () => {
    const created = await order({ amount: 508 });
    await decided({ amount: payableOf(created) });
    const other = await order({ amount: 900 });
    const [before, after] = [reference(), reference()];
    await claim(other.order_id, before);
    const expected = {
      row: 4,
      verdict: 'extra_payment',
      reason: 'paid_already',
      orderId: created.order_id,
      state: null,
    };
    agrees(await decided({ amount: payableOf(created), reference: before }), expected);
    agrees(await decided({ amount: payableOf(created), reference: after }), expected);
    await claim(other.order_id, after);
    assert.equal(await statusOf(other.order_id), 'pending');
  });

  test('row 5: the reference of one unpaid order attaches the credit there, also late money of that order', async () => {
    const a = await order({ amount: 509 });
    const reported = reference();
    await claim(a.order_id, reported);
    shop.api.world.clock.advance(2 * hour);
    const got = await decided({ amount: payableOf(a), reference: reported });
    agrees(got, { row: 5, verdict: 'no_order', reason: 'claimed', state: 'attached', named: [a.order_id] });
    assert.equal(await statusOf(a.order_id), 'manual_review');
  });

  test('row 5: the reference of several orders attaches it to none', async () => {
    const reported = reference();
    for (const amount of [510, 900]) await claim((await order({ amount })).order_id, reported);
    const got = await decided({ amount: paise(123_45), reference: reported });
    agrees(got, { row: 5, verdict: 'no_order', reason: 'claimed_by_several', state: null });
  });

  test('row 6: a near miss of one open order waits with it if the owner holds near misses, before row 7', async () => {
    await shop.holdNearMisses();
    const over = await order({ amount: 511 });
    shop.api.world.clock.advance(hour);
    await leaveOnly(Math.floor(payableOf(over) / 10) * 10 + ((payableOf(over) + 1) % 10 || 2));
    const open = await order({ amount: 511 });
    const got = await decided({ amount: payableOf(over) });
    agrees(got, { row: 6, verdict: 'no_order', state: 'attached', named: [open.order_id, over.order_id] });
    assert.equal(await statusOf(open.order_id), 'manual_review');
  });

  test('row 7: all orders of 48 hours with the amount are named, those with a claim first, paid ones last', async () => {
    const { sql, clock } = shop.api.world;
    const { merchantId } = shop.merchant;
    const first = await order({ amount: 512 });
    const amount = payableOf(first);
    await leaveOnly(amount);
    const orders = [first];
    for (let n = 1; n < 4; n++) {
      clock.advance(hour);
      orders.push(await order({ amount: 512 }));
      if (n === 2) agrees(await decided({ amount }), { verdict: 'paid' });
    }
    const [old, said, paid, last] = orders.map(one => one.order_id as string);
    await showIntent(sql, { merchantId, orderId: said!, now: clock.now() });
    clock.advance(hour);
    const named = [said!, last!, old!, paid!];
    agrees(await decided({ amount }), {
      row: 7,
      verdict: 'too_late',
      reason: 'too_late',
      orderId: said!,
      named,
    });
    clock.set(later(new Date(first.expires_at), 2 * day + 30 * minute));
    agrees(await decided({ amount }), { row: 7, named: [said!, last!, paid!] });
  });

  test('row 7: if all of them are paid, it is an extra payment', async () => {
    const created = await order({ amount: 513 });
    const amount = payableOf(created);
    await decided({ amount });
    shop.api.world.clock.advance(hour);
    const expected = { row: 7, verdict: 'extra_payment', reason: 'paid_before', orderId: created.order_id };
    agrees(await decided({ amount }), expected);
  });

  test('row 9: any other credit has no order, and near misses are named', async () => {
    const created = await order({ amount: 514 });
    const near = {
      row: 9,
      verdict: 'no_order',
      reason: 'near_amounts',
      state: null,
      named: [created.order_id],
    };
    agrees(await decided({ amount: paise(514_00) }), near);
    agrees(await decided({ amount: paise(77_77) }), { row: 9, reason: 'no_such_amount', named: [] });
  });
});

let price = 0;
const randomPrice = () => ++price * 5;
