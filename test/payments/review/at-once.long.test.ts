import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { isDatabaseDown } from '../../../src/base/database/database-down.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { lockReference } from '../../../src/payments/matching/queries/typed-references.ts';
import { acceptCredit } from '../../../src/payments/review/decide-by-hand.ts';
import { payableOf } from '../../support/credit.ts';
import { type DeathPoint, dyingConnection } from '../../support/model/dying-connection.ts';
import { reviewShop } from '../../support/review-shop.ts';

const shop = reviewShop();
const { order, stray, attach, accept, decline, end, reopen, claim, stateOf, get, collected } = shop;
const base = paise(500_00);

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Array.from({ length: count }, (_, i) => make(i));

/** Two hundred share few connections: whoever waited too long for one comes again, having done nothing. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
    }
  }
}

async function paidEvents(): Promise<number> {
  return (await shop.eventTypes()).filter(type => type === 'payment.paid').length;
}

/** In every order of events, there is at most one payment, counted once. */
async function onePayment(orderId: string): Promise<void> {
  const got = await get(orderId);
  const isPaid = got.status === 'paid';
  assert.equal(await paidEvents(), isPaid ? 1 : 0);
  assert.equal(await collected(), isPaid ? Math.round(got.received_amount * 100) : 0);
}

test('200 accepts and exact alerts on one order at once give one payment', async () => {
  const created = await order({ amount: 500 });
  const [attached, ...others] = await Promise.all(times(20, () => stray({ amount: base })));
  await attach(attached!, created.order_id);
  const exact = await Promise.all(times(20, () => shop.credit({ amount: payableOf(created) })));
  const accepts = times(180, index =>
    patiently(() => accept([attached!, ...others][index % 20]!, created.order_id)),
  );
  const alerts = exact.map(async given => (await patiently(() => shop.confirm(given))).outcome);
  const answers = await Promise.all(accepts);
  const outcomes = await Promise.all(alerts);
  const accepted = answers.filter(answer => answer === null).length;
  const paid = outcomes.filter(outcome => outcome === 'paid').length;
  assert.equal(accepted + paid, 1, `${accepted} accepts and ${paid} alerts`);
  assert.ok(outcomes.every(outcome => outcome === 'paid' || outcome === 'extra_payment'));
  await onePayment(created.order_id);
  assert.equal((await get(created.order_id)).status, 'paid');
});

test('one credit accepted for many orders at once pays one of them', async () => {
  const alertId = await stray({ amount: base });
  const orders = await Promise.all(times(30, () => order({ amount: 500 })));
  const answers = await Promise.all(orders.map(({ order_id }) => accept(alertId, order_id)));
  assert.deepEqual(answers.filter(answer => answer === null).length, 1);
  assert.ok(answers.every(answer => answer === null || answer === 'credit_taken'));
  assert.deepEqual([await paidEvents(), await collected()], [1, base]);
});

test('all decisions, claims and payments at once, in any order, leave a consistent state', async () => {
  for (let round = 0; round < 12; round++) {
    const created = await order({ amount: 500 });
    const { order_id: orderId } = created;
    const reference = `8${String(round).padStart(11, '0')}`;
    const alertId = await stray({ amount: base, reference });
    const [before, countBefore] = [await collected(), await paidEvents()];
    if (round % 2 === 0) await attach(alertId, orderId);
    const exact = await shop.credit({ amount: payableOf(created) });
    const actions: (() => Promise<unknown>)[] = [
      () => accept(alertId, orderId),
      () => decline(alertId, orderId),
      () => reopen(alertId),
      () => attach(alertId, orderId),
      () => end(alertId, 'kept'),
      () => claim(orderId, reference),
      () => shop.confirm(exact),
    ];
    const from = round % actions.length;
    await Promise.all([...actions.slice(from), ...actions.slice(0, from)].map(act => act()));
    const got = await get(orderId);
    const paid = got.status === 'paid' ? Math.round(got.received_amount * 100) : 0;
    assert.equal(await collected(), before + paid, `round ${round}`);
    assert.equal(await paidEvents(), countBefore + (paid > 0 ? 1 : 0), `round ${round}`);
    const state = await stateOf(alertId);
    assert.equal(
      got.status === 'manual_review',
      state === 'attached',
      `round ${round}: ${got.status}, ${state}`,
    );
  }
});

test('if the program dies at any line of an accept, all of it happened or nothing', async () => {
  const { world } = shop.api;
  const points: DeathPoint[] = [
    ...Array.from({ length: 16 }, (_, index) => index),
    'before commit',
    'after commit',
  ];
  let survived = 0;
  for (const point of points) {
    const { order_id: orderId } = await order({ amount: 500 });
    const alertId = await stray({ amount: base });
    const before = await collected();
    const dying = dyingConnection(world.sql, point);
    const given = { alertId, orderId, note: '' };
    const died = await dying
      .begin(tx => acceptCredit(tx, world, shop.who(), given))
      .then(
        () => false,
        () => true,
      );
    if (!died) survived++;
    const isDone = !died || point === 'after commit';
    assert.equal((await get(orderId)).status, isDone ? 'paid' : 'pending', String(point));
    assert.equal(await stateOf(alertId), isDone ? 'accepted' : null, String(point));
    if (!isDone) assert.equal(await accept(alertId, orderId), null, String(point));
    assert.equal(await collected(), before + base, String(point));
  }
  assert.ok(survived < 4, `an accept has fewer statements than deaths: ${survived} of them met none`);
});

test('if the program dies at any line of holding a near miss, judging again holds it once', async () => {
  await shop.holdNearMisses();
  const { world } = shop.api;
  for (let point = 0; point < 20; point++) {
    const { order_id: orderId } = await order({ amount: 500 });
    const given = await shop.credit({ amount: base });
    await confirmPayment({ ...world, sql: dyingConnection(world.sql, point) }, given).catch(() => {});
    await shop.confirm(given);
    assert.deepEqual(
      [(await get(orderId)).status, await stateOf(given.alertId)],
      ['manual_review', 'attached'],
    );
    // The order that waits would be a second candidate.
    world.clock.advance(18 * minute);
  }
});

test('a claim for a paid order waits for nobody, so it never deadlocks with a second payment', async () => {
  const created = await order({ amount: 500 });
  await shop.confirm(await shop.credit({ amount: payableOf(created) }));
  const { sql } = shop.api.world;
  const reference = '620132679999';
  await sql.begin(async tx => {
    // `confirmPayment` locks like this for a payment that came twice: the order first, then the reference.
    await tx`select from orders where order_id = ${created.order_id} for update`;
    const claimed = claim(created.order_id, reference);
    await Promise.race([claimed, new Promise(resolve => setTimeout(resolve, 300))]);
    await lockReference(tx, shop.merchant.merchantId, reference);
    await claimed;
  });
});
