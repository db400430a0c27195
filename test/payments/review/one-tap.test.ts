import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, later, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { wordPush } from '../../../src/outbox/pushes/word-push.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { acceptCredit } from '../../../src/payments/review/decide-by-hand.ts';
import { writeOneTapLimit } from '../../../src/payments/review/one-tap.ts';
import { newReference } from '../../../src/sandbox/pay-order.ts';
import { payableOf } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';

const shop = reviewShop();
const { stray, stateOf, statusOf, collected } = shop;
const sql = () => shop.api.world.sql;

/** An order that a person made at the counter. */
async function ring(amount: number, madeBy: string | null = 'cashier@shop.example') {
  const order = await shop.order({ amount });
  await sql()`insert into order_purposes ${sql()({
    merchant_id: shop.merchant.merchantId,
    order_id: order.order_id,
    purpose: '',
    made_by: madeBy,
    created_at: shop.api.world.clock.now(),
  })}`;
  return { id: order.order_id as string, payable: payableOf(order) };
}

async function tap(alertId: string, orderId: string): Promise<string | null> {
  const refused = await sql().begin(tx =>
    acceptCredit(tx, shop.api.world, shop.who(), { alertId, orderId, note: '', oneTap: true }),
  );
  return refused?.refusal ?? null;
}

const near = (rupees: number, change: Partial<Credit> = {}) =>
  stray({ amount: paise(Math.round(rupees * 100)), payer: 'Lakshmi Rao', ...change });

test('one tap accepts a difference below three rupees, pays once, and is logged as one tap', async () => {
  const order = await ring(120);
  const alertId = await near(120);
  assert.equal(await tap(alertId, order.id), null);
  assert.equal(await statusOf(order.id), 'paid');
  assert.equal(await stateOf(alertId), 'accepted');
  assert.equal(await collected(), 120_00);
  const [entry] = await sql()`
    select action, actor, details from audit_log where merchant_id = ${shop.merchant.merchantId} and subject = ${alertId}`;
  assert.equal(entry!['action'], 'credit.accept');
  assert.equal(entry!['actor'], 'owner@shop.example');
  assert.match(JSON.stringify(entry!['details']), /one_tap/);
  assert.equal(await tap(alertId, order.id), 'credit_taken', 'a second tap finds it decided');
});

test('a mail that another cell also has needs more than one tap', async () => {
  const order = await ring(125);
  const alertId = await near(125, { twoCells: true });
  assert.equal(await tap(alertId, order.id), 'not_one_tap');
  assert.notEqual(await statusOf(order.id), 'paid');
});

test('twenty taps at once on two credits and one order give one payment', async () => {
  const order = await ring(130);
  const credits = [await near(130), await near(130, { payer: 'Ravi' })];
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => tap(credits[at % 2]!, order.id)));
  assert.equal(answers.filter(answer => answer === null).length, 1, answers.join());
  assert.ok(
    answers.every(answer => [null, 'credit_taken', 'order_paid'].includes(answer)),
    answers.join(),
  );
  assert.equal(await collected(), 130_00);
});

const refused = async (alertId: string, orderId: string, why: string) => {
  assert.equal(await tap(alertId, orderId), 'not_one_tap', why);
  assert.notEqual(await statusOf(orderId), 'paid', why);
};

test('one tap is refused if a second order is within ₹2.99 of the sum: open, expired, paid or waiting, for 48 hours', async () => {
  const first = await ring(61);
  const second = await ring(61);
  const alertId = await near(61);
  await refused(alertId, first.id, 'two open orders');
  await refused(alertId, second.id, 'and the other one');
  const { clock } = shop.api.world;
  clock.advance(30 * hour);
  const later = await ring(63);
  await refused(await near(63), later.id, 'expired yesterday, two rupees less');
  clock.advance(20 * hour);
  const free = await ring(70);
  const money = await near(70);
  assert.equal(await tap(money, free.id), null, 'nothing of 48 hours within ₹2.99');
  const next = await ring(70);
  await refused(await near(70), next.id, 'a paid order is as near');
});

test('money that the owner, the bank or a customer questioned is never accepted with one tap', async () => {
  const { merchantId, accountId } = shop.merchant;
  const limit = (below: number | null) =>
    writeOneTapLimit(sql(), merchantId, below === null ? null : paise(below));
  const order = await ring(1_999);
  const alertId = await near(1_999);
  await limit(order.payable);
  await refused(alertId, order.id, 'at the limit');
  await limit(null);
  await refused(alertId, order.id, 'switched off');
  await limit(200_000);
  await sql()`update upi_accounts set review_above_paise = 100000 where merchant_id = ${merchantId}`;
  await refused(alertId, order.id, 'above the ceiling');
  await sql()`update upi_accounts set review_above_paise = null, same_as = 0 where account_id = ${accountId}`;
  await refused(alertId, order.id, 'another cell may have the account');
  await sql()`update upi_accounts set same_as = null where account_id = ${accountId}`;
  for (const trust of ['trial', 'review_only', null]) {
    await sql()`update alerts set trust = ${trust} where alert_id = ${alertId}`;
    await refused(alertId, order.id, `trust ${trust}`);
  }
  await sql()`update alerts set trust = 'confirmed' where alert_id = ${alertId}`;
  await sql()`update order_purposes set made_by = null where order_id = ${order.id}`;
  await refused(alertId, order.id, 'no order of the counter');
  await sql()`update order_purposes set made_by = 'cashier@shop.example' where order_id = ${order.id}`;
  assert.equal(await tap(alertId, order.id), null);
  const above = await ring(2_001);
  await refused(await near(2_001), above.id, 'above the default limit of ₹2,000');
});

test('three rupees, the exact sum, a payment reported twice and another customer’s reference need a comparison', async () => {
  const { clock } = shop.api.world;
  const wide = await ring(300);
  await refused(await near(303), wide.id, 'three rupees more');
  clock.advance(49 * hour);
  const late = await ring(310);
  clock.advance(16 * minute);
  const exact = await shop.stray({ amount: late.payable });
  await refused(exact, late.id, 'the exact sum after its time');
  clock.advance(49 * hour);
  const twice = await ring(320);
  const report = { reference: null, printedAt: '12:00' } as const;
  const once = await near(320, report);
  await near(320, report);
  assert.match(String(await tap(once, twice.id)), /not_one_tap|maybe_counted/);
  clock.advance(49 * hour);
  const named = await ring(330);
  const typed = await near(330, { reference: '690000000330' });
  clock.advance(4 * hour);
  const another = await ring(900);
  await sql()`insert into claimed_references (merchant_id, order_id, bank_reference, claimed_at)
    values (${shop.merchant.merchantId}, ${another.id}, '690000000330', ${clock.now()})`;
  await refused(typed, named.id, 'somebody else typed its reference');
});

test('a reference of one of the three days before the order is compared, and one of its own day is not', async () => {
  const { clock } = shop.api.world;
  for (const days of [1, 3]) {
    clock.advance(49 * hour);
    const order = await ring(340);
    const reference = newReference(later(clock.now(), -days * day));
    await refused(await near(340, { reference }), order.id, `${days} days before`);
  }
  clock.advance(49 * hour);
  const order = await ring(340);
  assert.equal(await tap(await near(340, { reference: newReference(clock.now()) }), order.id), null);
});

test('a push about one waiting order asks the owner, and leads others to the order', () => {
  const facts = {
    count: 1,
    amount: '120.00',
    asked: '120.37',
    order: 'ORD-1',
    payer: 'Ravi',
    at: new Date(0),
  };
  const push = { topic: 'money', kind: 'order_waits', facts, order_id: null, amount_paise: null } as const;
  const worded = (role: string, count = 1) =>
    wordPush({ ...push, facts: { ...facts, count }, role, notice_id: 7, business: 'Asha', language: 'en' });
  assert.deepEqual(worded('owner'), {
    title: '₹120.00 came for ₹120.37. Is it this customer’s?',
    body: 'Asha',
    url: '/dashboard/counter/ask/ORD-1',
    tag: 'notice-7',
  });
  assert.equal(worded('auditor').url, '/dashboard/money');
  assert.equal(worded('owner', 2).url, '/dashboard/money');
});
