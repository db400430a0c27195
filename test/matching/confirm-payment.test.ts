import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { hour, later, minute, second } from '../../src/clock.ts';
import { type Credit, confirmPayment } from '../../src/matching/confirm-payment.ts';
import { paise } from '../../src/money.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { payableOf, storedCredit } from '../support/credit.ts';
import { addTestMerchant, type TestMerchant } from '../support/test-world.ts';

let api: TestApi;
let shop: TestMerchant;
before(async () => {
  api = await openTestApi();
});
after(async () => {
  assert.deepEqual(await findBreaches(api.world), []);
  await api.stop();
});
beforeEach(async () => {
  shop = await addTestMerchant(api.world);
});

const order = async (change: Record<string, unknown> = {}) => (await api.create(change, shop.apiKey)).json();
const statusOf = async (orderId: string) => (await api.get(`/orders/${orderId}`, shop.apiKey)).json().status;
const credit = (change: Partial<Credit> & { amount: Credit['amount'] }) =>
  storedCredit(api.world, shop.merchantId, change);
const confirm = (given: Credit) => confirmPayment(api.world, given);
const collected = async () => {
  const rows = await api.world
    .sql`select sum(collected_paise)::bigint as paise from collections where merchant_id = ${shop.merchantId}`;
  return rows[0]?.['paise'] ?? 0;
};

describe('a credit that meets its order', () => {
  test('pays it: status, time, reference, collections and one event with one delivery, all at once', async () => {
    const created = await order();
    const paid = await credit({ amount: payableOf(created), reference: '620132678599' });
    api.world.clock.advance(3 * second);
    assert.deepEqual(await confirm(paid), { outcome: 'paid', orderId: created.order_id });
    const got = (await api.get(`/orders/${created.order_id}`, shop.apiKey)).json();
    assert.deepEqual(
      [got.status, got.paid_at, got.bank_reference],
      ['paid', api.world.clock.now().toISOString(), '620132678599'],
    );
    assert.equal(await collected(), paid.amount);
    const [event, ...more] = await api.world.sql`select * from events where merchant_id = ${shop.merchantId}`;
    assert.deepEqual(
      [more.length, event?.['type'], event?.['order_id']],
      [0, 'payment.paid', created.order_id],
    );
    assert.deepEqual(JSON.parse(event?.['body']), {
      type: 'payment.paid',
      timestamp: got.paid_at,
      data: got,
    });
    const deliveries = await api.world
      .sql`select state from deliveries where merchant_id = ${shop.merchantId}`;
    assert.deepEqual(
      deliveries.map(row => row['state']),
      ['waiting'],
    );
  });

  test('again with the same alert changes nothing', async () => {
    const created = await order();
    const paid = await credit({ amount: payableOf(created) });
    const first = await confirm(paid);
    assert.deepEqual(await confirm(paid), first);
    assert.equal(await collected(), paid.amount);
  });

  test('the same alert 50 times at once pays once', async () => {
    const created = await order();
    const paid = await credit({ amount: payableOf(created) });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => confirm(paid)));
    assert.ok(outcomes.every(({ outcome }) => outcome === 'paid'));
    assert.equal(await collected(), paid.amount);
    assert.equal((await api.world.sql`select from events where merchant_id = ${shop.merchantId}`).length, 1);
  });

  test('two different alerts for one order at once: one pays, the other is an extra payment that names the order', async () => {
    const created = await order();
    const amount = payableOf(created);
    const pair = [await credit({ amount }), await credit({ amount })];
    const outcomes = (await Promise.all(pair.map(confirm))).map(result => [
      result.outcome,
      'orderId' in result && result.orderId,
    ]);
    assert.deepEqual(outcomes.sort(), [
      ['extra_payment', created.order_id],
      ['paid', created.order_id],
    ]);
    assert.equal(await collected(), amount);
  });
});

describe('the time of the alert chooses the order', () => {
  test('pays an expired order up to ten minutes late, and not a millisecond more', async () => {
    const [inTime, late] = [await order({ amount: 50 }), await order({ amount: 51 })];
    const end = later(new Date(inTime.expires_at), 10 * minute);
    api.world.clock.set(later(end, 1 * hour));
    const last = await credit({ amount: payableOf(inTime), alertTime: end });
    assert.deepEqual(await confirm(last), { outcome: 'paid', orderId: inTime.order_id });
    const tooLate = await credit({ amount: payableOf(late), alertTime: later(end, 1) });
    assert.deepEqual(await confirm(tooLate), { outcome: 'too_late', orderId: late.order_id });
    assert.equal(await statusOf(late.order_id), 'expired');
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
    const alertTime = later(api.world.clock.now(), 2 * minute);
    // Every other amount of this base is used up, so that the next order gets the same one.
    await api.world.sql`
      insert into amounts (merchant_id, payable_paise, held_until, order_id)
      select ${shop.merchantId}, 7000 + n, 'infinity', 'nobody' from generate_series(1, 299) n where 7000 + n <> ${amount}`;
    api.world.clock.advance(17 * minute);
    const next = await order({ amount: 70 });
    assert.equal(payableOf(next), amount);
    api.world.clock.advance(5 * minute);
    assert.deepEqual(await confirm(await credit({ amount, alertTime })), {
      outcome: 'paid',
      orderId: first.order_id,
    });
    assert.equal(await statusOf(next.order_id), 'expired');
    await api.world.sql`delete from amounts where merchant_id = ${shop.merchantId} and order_id = 'nobody'`;
  });

  test('an alert against expiry: read as expired a moment before, paid a moment after', async () => {
    const created = await order({ amount: 80 });
    const paid = await credit({ amount: payableOf(created) });
    api.world.clock.advance(5 * minute);
    assert.equal(await statusOf(created.order_id), 'expired');
    assert.equal((await confirm(paid)).outcome, 'paid');
    assert.equal(await statusOf(created.order_id), 'paid');
  });

  test('an alert that is faster than its order is tried again, for 20 minutes', async () => {
    const early = await credit({ amount: paise(9_037) });
    const dueAt = async () =>
      (await api.world.sql`select next_try_at from alerts where alert_id = ${early.alertId}`)[0]?.[
        'next_try_at'
      ] as Date | null;
    assert.equal((await confirm(early)).outcome, 'no_order');
    assert.ok((await dueAt()) !== null);
    await api.world.sql`
      insert into amounts (merchant_id, payable_paise, held_until, order_id)
      select ${shop.merchantId}, 9000 + n, 'infinity', 'nobody' from generate_series(1, 299) n where n <> 37`;
    api.world.clock.advance(30 * second);
    const created = await order({ amount: 90 });
    await api.world.sql`delete from amounts where merchant_id = ${shop.merchantId} and order_id = 'nobody'`;
    assert.deepEqual(await confirm(early), { outcome: 'paid', orderId: created.order_id });
    assert.equal(await dueAt(), null);

    const lonely = await credit({ amount: paise(12_345) });
    await confirm(lonely);
    api.world.clock.advance(20 * minute);
    await confirm(lonely);
    const [row] = await api.world
      .sql`select verdict, next_try_at from alerts where alert_id = ${lonely.alertId}`;
    assert.deepEqual(row, { verdict: 'no_order', next_try_at: null });
  });
});

describe('what counts once', () => {
  test('one signature: a refolded copy of the mail is a duplicate, paid or not', async () => {
    const created = await order();
    const amount = payableOf(created);
    const original = await credit({ amount, reference: null });
    await confirm(original);
    const copy = await credit({ amount, reference: null, signatureIds: original.signatureIds });
    assert.equal((await confirm(copy)).outcome, 'duplicate');
    const unmatched = await credit({ amount: paise(31), reference: null });
    await confirm(unmatched);
    const second = await credit({ amount: paise(31), reference: null, signatureIds: unmatched.signatureIds });
    assert.equal((await confirm(second)).outcome, 'duplicate');
  });

  test('any signature of the mail: stripping one of two does not make it new', async () => {
    const [one, two] = [await order({ amount: 5 }), await order({ amount: 5 })];
    const both = await credit({
      amount: payableOf(one),
      reference: null,
      signatureIds: ['sig-bank', 'sig-esp'],
    });
    assert.equal((await confirm(both)).outcome, 'paid');
    const stripped = await credit({ amount: payableOf(two), reference: null, signatureIds: ['sig-esp'] });
    assert.equal((await confirm(stripped)).outcome, 'duplicate');
  });

  test('in the whole installation: what paid one business pays no other, and 20 copies at once pay once', async () => {
    const other = await addTestMerchant(api.world);
    const mine = await order({ amount: 7 });
    const signatureIds = ['sig-shared-mailbox'];
    const amount = payableOf(mine);
    const elsewhere = await storedCredit(api.world, other.merchantId, {
      amount,
      signatureIds,
      reference: null,
    });
    assert.equal((await confirm(elsewhere)).outcome, 'no_order', 'found first where it does not belong');
    const copies = await Promise.all(
      Array.from({ length: 20 }, () => credit({ amount, signatureIds, reference: null })),
    );
    const outcomes = (await Promise.all(copies.map(confirm))).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes.filter(outcome => outcome === 'paid').length, 1);
    assert.deepEqual(outcomes.filter(outcome => outcome === 'duplicate').length, 19);
    assert.equal((await confirm(elsewhere)).outcome, 'duplicate');
  });

  test('one reference per merchant, a lost leading zero included; another merchant’s is another’s', async () => {
    const [one, two] = [await order({ amount: 8 }), await order({ amount: 8 })];
    assert.equal(
      (await confirm(await credit({ amount: payableOf(one), reference: '012345678901' }))).outcome,
      'paid',
    );
    assert.equal(
      (await confirm(await credit({ amount: payableOf(two), reference: '12345678901' }))).outcome,
      'duplicate',
    );
    shop = await addTestMerchant(api.world);
    const elsewhere = await order({ amount: 8 });
    assert.equal(
      (await confirm(await credit({ amount: payableOf(elsewhere), reference: '012345678901' }))).outcome,
      'paid',
    );
  });
});

describe('what does not pay', () => {
  test('another amount: no_order with the near misses of the same rupees', async () => {
    const created = await order({ amount: 499 });
    const amount = paise(49_900);
    const result = await confirm(await credit({ amount }));
    assert.deepEqual(result, {
      outcome: 'no_order',
      nearMisses: [{ order_id: created.order_id, payable_paise: payableOf(created) }],
    });
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('another account than the one recorded for the order, or another VPA', async () => {
    const created = await order({ amount: 33 });
    const amount = payableOf(created);
    for (const change of [
      { accountDigits: '9999' },
      { accountDigits: '21' + '99' },
      { payeeVpa: 'someone@okaxis' },
    ]) {
      assert.deepEqual(await confirm(await credit({ amount, ...change })), {
        outcome: 'wrong_account',
        orderId: created.order_id,
      });
    }
    assert.equal(await statusOf(created.order_id), 'pending');
    assert.equal(
      (await confirm(await credit({ amount: paise(77), accountDigits: '9999' }))).outcome,
      'wrong_account',
    );
    const right = await credit({ amount, accountDigits: '21', payeeVpa: 'CHAI@okaxis' });
    assert.equal((await confirm(right)).outcome, 'paid', 'two printed digits that agree are enough');
  });

  test('an order of another merchant with the same amount', async () => {
    const other = await addTestMerchant(api.world);
    const created = await order({ amount: 44 });
    const foreign = await storedCredit(api.world, other.merchantId, { amount: payableOf(created) });
    assert.equal((await confirm(foreign)).outcome, 'no_order');
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('paid is final: a second payment leaves time, reference and event as they are', async () => {
    const created = await order({ amount: 55 });
    const amount = payableOf(created);
    await confirm(await credit({ amount, reference: '111111111111' }));
    const before = (await api.get(`/orders/${created.order_id}`, shop.apiKey)).json();
    api.world.clock.advance(1 * minute);
    assert.equal(
      (await confirm(await credit({ amount, reference: '222222222222' }))).outcome,
      'extra_payment',
    );
    assert.deepEqual((await api.get(`/orders/${created.order_id}`, shop.apiKey)).json(), before);
  });
});

describe('month’s collections', () => {
  test('are counted in the Indian month of the payment, once, at IST midnight', async () => {
    api.world.clock.set('2027-02-28T18:29:59.999Z');
    const [february, march] = [await order({ amount: 21 }), await order({ amount: 22 })];
    await confirm(await credit({ amount: payableOf(february) }));
    api.world.clock.advance(1);
    await confirm(await credit({ amount: payableOf(march) }));
    const rows = await api.world.sql`
      select month, collected_paise from collections where merchant_id = ${shop.merchantId} order by month`;
    assert.deepEqual(
      [...rows],
      [
        { month: '2027-02-01', collected_paise: payableOf(february) },
        { month: '2027-03-01', collected_paise: payableOf(march) },
      ],
    );
  });
});
