import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { showIntent } from '../../../src/orders/queries.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { settleClean } from '../../../src/payments/matching/pay-order.ts';
import { betweenLookAndPay, paidTraces } from '../../support/between-look-and-pay.ts';
import { payableOf } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = reviewShop();
const { order, statusOf, stateOf, claim, accept, attach } = shop;
const world = () => shop.api.world;
const nothing = {
  orders: 0,
  events: 0,
  bodies: 0,
  deliveries: 0,
  collected: 0,
  signatures: 0,
  references: 0,
};

/** An order and its exact credit; something happens after the look. What the function made of it. */
async function changed(happens: (given: Credit, orderId: string) => Promise<unknown>, change: object = {}) {
  const created = await order({ amount: 500 });
  const given = await shop.credit({ amount: payableOf(created), ...change });
  const sql = betweenLookAndPay(world().sql, () => happens(given, created.order_id));
  const paid = await settleClean({ ...world(), sql }, given);
  return { created, given, paid, orderId: created.order_id as string };
}

const traces = async (given: Credit) => await paidTraces(world(), shop.merchant.merchantId, given);
const set = (text: string) => world().sql.unsafe(text);
const ofAccount = () => `where merchant_id = ${shop.merchant.merchantId}`;

describe('a clean payment', () => {
  test('a clean payment takes two statements, and leaves the same rows as the table', async () => {
    const [first, second] = [await order({ amount: 500 }), await order({ amount: 900 })];
    const texts: string[] = [];
    const { sql } = world();
    const counting = new Proxy(sql, {
      apply(target, self, args) {
        texts.push(args[0].join?.('') ?? '');
        return Reflect.apply(target, self, args);
      },
    });
    const clean = await shop.credit({ amount: payableOf(first) });
    const paid = await confirmPayment({ ...world(), sql: counting }, clean);
    assert.deepEqual(paid, { outcome: 'paid', orderId: first.order_id });
    assert.equal(texts.filter(text => /^\s*select/.test(text)).length, 2);
    const careful = await shop.credit({ amount: payableOf(second) });
    // The order changes between the look and the payment.
    const touch = () => sql`update orders set customer = null where order_id = ${second.order_id}`;
    const unclean = betweenLookAndPay(sql, async () => await touch());
    assert.equal((await confirmPayment({ ...world(), sql: unclean }, careful)).outcome, 'paid');
    const left = async (table: string) =>
      (
        await sql.unsafe(
          `select * from ${table} ${ofAccount()} order by ${table === 'alerts' ? 'arrival_number' : '1, 2'}`,
        )
      ).map(row => Object.keys(row).filter(key => row[key] !== null));
    for (const table of [
      'alerts',
      'orders',
      'counted_signatures',
      'counted_references',
      'events',
      'delivery_queue',
    ]) {
      const rows = await left(table);
      assert.equal(rows.length, 2, table);
      assert.deepEqual(rows[0], rows[1], table);
    }
  });

  test('a payer whose name has half a character is stored, and pays', async () => {
    const created = await order({ amount: 500 });
    const given = await shop.credit({ amount: payableOf(created) });
    assert.equal((await shop.confirm({ ...given, payer: 'half \ud83d name' })).outcome, 'paid');
    const [row] = await world().sql`select payer from alerts where alert_id = ${given.alertId}`;
    assert.equal(row?.['payer'], 'half \ufffd name');
  });
});

describe('changes between the first read and the function', () => {
  const touched = {
    'its account is at another bank': () => set(`update upi_accounts set bank = 'sbi' ${ofAccount()}`),
    'its account has other digits': () =>
      set(`update upi_accounts set account_digits = '9999' ${ofAccount()}`),
    'the owner sets a ceiling': () => set(`update upi_accounts set review_above_paise = 100 ${ofAccount()}`),
    'the account gets another name, which the event says': () =>
      set(`update upi_accounts set payee_name = 'Somebody Else' ${ofAccount()}`),
    'the account is removed from the list': () =>
      set(`update upi_accounts set removed_at = now() ${ofAccount()}`),
    'the customer taps': (_: Credit, orderId: string) =>
      showIntent(world().sql, { merchantId: shop.merchant.merchantId, orderId, now: world().clock.now() }),
    'the order is archived': (_: Credit, orderId: string) =>
      world().sql`update orders set archived_at = now() where order_id = ${orderId}`,
    'the order is declined': (_: Credit, orderId: string) =>
      world().sql`update orders set status = 'failed' where order_id = ${orderId}`,
    'the order is removed': async (_: Credit, orderId: string) =>
      await world().sql`delete from orders where order_id = ${orderId}`,
  };
  for (const [name, happens] of Object.entries(touched))
    test(`${name}: nothing is written, and the table decides`, async () => {
      const { given, paid } = await changed(async (one, orderId) => await happens(one, orderId));
      assert.equal(paid, null);
      const { verdict, ...rest } = await traces(given);
      assert.equal(verdict, 'unjudged');
      assert.deepEqual(rest, nothing);
      const { outcome } = await shop.confirm(given);
      const pays =
        ['the customer taps', 'the order is archived'].includes(name) ||
        name.includes('event says') ||
        name.includes('from the list');
      assert.equal(outcome === 'paid', pays, outcome);
      if (name === 'the order is removed') return;
      if (name.includes('event says')) {
        const [row] = await world()
          .sql`select body from event_bodies where merchant_id = ${given.merchantId}`;
        assert.match(row?.['body'], /Somebody(?:%20|\+)Else/);
      }
    });

  test('another customer’s reference before the function makes the payment contested', async () => {
    const other = await order({ amount: 900 });
    const { given, paid, orderId } = await changed(one => claim(other.order_id, one.reference!));
    assert.equal(paid, null);
    assert.equal((await shop.confirm(given)).outcome, 'no_order');
    assert.deepEqual([await statusOf(orderId), await stateOf(given.alertId)], ['manual_review', 'attached']);
  });

  test('if a trial restarts or the bank needs review before the function, the payment waits', async () => {
    const { merchantId } = shop.merchant;
    await set(`insert into template_payments values (${merchantId}, 'hdfc', 'test', 3)`);
    const reset = () => set(`delete from template_payments where merchant_id = ${merchantId}`);
    const { given, paid } = await changed(reset, { trust: 'trial' });
    assert.equal(paid, null);
    assert.equal((await shop.confirm(given)).outcome, 'no_order');
    const only = await shop.credit({ amount: payableOf(await order({ amount: 600 })), trust: 'review_only' });
    assert.equal(await settleClean(world(), only), null);
  });

  test('if the owner wants fresh payments only, the gate is checked under the lock', async () => {
    const { merchantId } = shop.merchant;
    const created = await order({ amount: 500 });
    await set(`update orders set seen_at = now() where order_id = '${created.order_id}'`);
    await set(`update amounts set doubted_until = 'infinity', clear_at = 'infinity' ${ofAccount()}`);
    const given = await shop.credit({ amount: payableOf(created) });
    const sql = betweenLookAndPay(world().sql, () =>
      set(`update merchants set fresh_only = true where merchant_id = ${merchantId}`),
    );
    assert.equal(await settleClean({ ...world(), sql }, given), null);
    assert.equal((await shop.confirm(given)).outcome, 'no_order');
  });

  test('if a copy, another mail with the reference or a person pays the order first, it is not paid twice', async () => {
    for (const kind of ['signature', 'reference', 'another', 'itself', 'person'] as const) {
      const { merchantId } = shop.merchant;
      const before = await shop.collected();
      const { created, given, paid } = await changed(async (one, orderId) => {
        if (kind === 'itself') return await shop.confirm(one);
        if (kind === 'person') return await accept(await shop.stray({ amount: paise(777_77) }), orderId);
        const { amount } = one;
        const like =
          kind === 'signature'
            ? { signatureIds: one.signatureIds }
            : kind === 'reference'
              ? { reference: one.reference }
              : {};
        return await shop.confirm(await shop.credit({ amount, ...like }));
      });
      assert.equal(paid, null, kind);
      const { outcome } = await shop.confirm(given);
      const expected = {
        signature: 'duplicate',
        reference: 'duplicate',
        another: 'extra_payment',
        itself: 'paid',
        person: 'extra_payment',
      };
      assert.equal(outcome, expected[kind], kind);
      assert.equal(await shop.collected(), before + (kind === 'person' ? 777_77 : payableOf(created)), kind);
      assert.equal(
        (
          await world()
            .sql`select from events where merchant_id = ${merchantId} and order_id = ${created.order_id} and type = 'payment.paid'`
        ).length,
        1,
      );
    }
  });

  test('if a person attaches another credit first, the exact one still pays, and the other needs a decision', async () => {
    const stray = await shop.stray({ amount: paise(555_55) });
    const { given, paid, orderId } = await changed((_, id) => attach(stray, id));
    assert.equal(paid, null);
    assert.equal((await shop.confirm(given)).outcome, 'paid');
    assert.deepEqual([await statusOf(orderId), await stateOf(stray)], ['paid', 'open']);
  });

  test('if the same money pays in another business with the account first, it is settled only there', async () => {
    const there = await addTestMerchant(world());
    const theirs = (await shop.api.create({ amount: 500 }, there.apiKey)).json();
    const { given, paid } = await changed(async one => {
      const { storedCredit } = await import('../../support/credit.ts');
      const copy = await storedCredit(world(), there.merchantId, {
        amount: payableOf(theirs),
        reference: one.reference,
      });
      assert.equal((await shop.confirm(copy)).outcome, 'paid');
    });
    assert.equal(paid, null);
    assert.equal((await shop.confirm(given)).outcome, 'duplicate');
  });

  test('a deleted alert pays nothing', async () => {
    const { paid, orderId } = await changed(one =>
      world().sql.unsafe(`delete from alerts where alert_id = '${one.alertId}'`),
    );
    assert.equal(paid, null);
    assert.equal(await statusOf(orderId), 'pending');
  });

  test('with a slow clock it is paid once, by the order of arrival in the database', async () => {
    const created = await order({ amount: 500 });
    const given = await shop.credit({ amount: payableOf(created) });
    const behind = { now: () => new Date(world().clock.now().getTime() - 20 * minute) };
    assert.equal((await confirmPayment({ ...world(), clock: behind }, given)).outcome, 'paid');
    const early = await shop.credit({ amount: paise(501_37) });
    await set(`update alerts set arrival_number = 1 where alert_id = '${early.alertId}'`);
    await shop.leaveOnly(501_37);
    const later = await order({ amount: 501 });
    assert.equal(payableOf(later), 501_37);
    assert.equal(await settleClean(world(), early), null);
    assert.equal((await confirmPayment({ ...world(), clock: behind }, early)).outcome, 'no_order');
    assert.equal(await statusOf(later.order_id), 'pending');
  });
});
