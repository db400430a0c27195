import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { randomDigits } from '../../../src/base/random.ts';
import { matchingRules } from '../../../src/payments/matching/matching-rules.ts';
import { endCredit } from '../../../src/payments/review/decide-by-hand.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { matchingShop } from '../../support/matching-shop.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';

const shop = matchingShop();
const { order, credit, confirm, leaveOnly } = shop;

describe('signatures and references count once', () => {
  test('one signature counts once: a refolded copy of the mail is a duplicate, paid or not', async () => {
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

  test('any signature of the mail counts: without one of two it is not new', async () => {
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

  test('a credit that paid one business pays no other in the installation, and 20 copies at once pay once', async () => {
    const other = await addTestMerchant(shop.api.world);
    const mine = await order({ amount: 7 });
    const signatureIds = ['sig-shared-mailbox'];
    const amount = payableOf(mine);
    const elsewhere = await storedCredit(shop.api.world, other.merchantId, {
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

  test('one reference counts once per business, also with or without a leading zero; on another account it is another', async () => {
    const [one, two] = [await order({ amount: 8 }), await order({ amount: 8 })];
    assert.equal(
      (await confirm(await credit({ amount: payableOf(one), reference: '012345678901' }))).outcome,
      'paid',
    );
    for (const reference of ['12345678901', '0012345678901'])
      assert.equal(
        (await confirm(await credit({ amount: payableOf(two), reference }))).outcome,
        'duplicate',
        reference,
      );
    const digits = '9876';
    shop.merchant = await addTestMerchant(shop.api.world, { account: { accountDigits: digits } });
    const elsewhere = await order({ amount: 8 });
    const there = { amount: payableOf(elsewhere), accountDigits: digits, reference: '012345678901' };
    assert.equal((await confirm(await credit(there))).outcome, 'paid');
  });

  describe('one bank account whose alerts go to two businesses', () => {
    /** Two orders for one sum, and what the bank mails to either about one credit: two mails, each with its signature. */
    async function twoMerchants(amountOf: number, recorded: (string | null)[] = ['4321', '4321']) {
      const reference = `69${randomDigits(10)}`;
      const open = async (accountDigits: string | null, only?: number): Promise<Both> => {
        shop.merchant = await addTestMerchant(shop.api.world, { account: { accountDigits } });
        if (only !== undefined) await leaveOnly(only);
        return { merchant: shop.merchant, created: await order({ amount: amountOf }) };
      };
      const one = await open(recorded[0] ?? null);
      const two = await open(recorded[1] ?? null, payableOf(one.created));
      const mail = (at: Both, printed: string | null = '4321') =>
        storedCredit(shop.api.world, at.merchant.merchantId, {
          amount: payableOf(one.created),
          reference,
          accountDigits: printed,
        });
      return { one, two, mail };
    }
    type Both = { merchant: TestMerchant; created: { order_id: string; payable_amount: number } };
    const r2 = async () => {
      const rule = matchingRules.find(({ rule }) => rule === 'R2');
      return await rule!.breaches(shop.api.world.sql);
    };

    test('one credit pays in one of them, and verify finds one that paid in both', async () => {
      const { one, two, mail } = await twoMerchants(21);
      assert.equal((await confirm(await mail(one))).outcome, 'paid');
      const second = await mail(two);
      assert.equal((await confirm(second)).outcome, 'duplicate');
      assert.deepEqual(await r2(), []);
      // The previous release leaves it like this.
      const { sql } = shop.api.world;
      await sql`
        insert into counted_references (merchant_id, bank_reference, alert_id, counted_at)
        values (${second.merchantId}, ${second.reference}, ${second.alertId}, now())`;
      await shop.api.world.sql`
        update alerts set verdict = 'paid', order_id = ${two.created.order_id} where alert_id = ${second.alertId}`;
      assert.match(JSON.stringify(await r2()), /whose accounts are one/);
      await shop.api.world.sql`
        update alerts set verdict = 'duplicate', order_id = null where alert_id = ${second.alertId}`;
    });

    test('twenty copies at once, half in each business, pay once', async () => {
      const { one, two, mail } = await twoMerchants(22);
      const mails = await Promise.all(Array.from({ length: 20 }, (_, at) => mail(at % 2 === 0 ? one : two)));
      const outcomes = (await Promise.all(mails.map(confirm))).map(({ outcome }) => outcome);
      assert.deepEqual(
        [outcomes.filter(one => one === 'paid').length, outcomes.filter(one => one === 'duplicate').length],
        [1, 19],
      );
    });

    test('account digits match as far as both are known: fewer of them, or none, mean the same account', async () => {
      const { one, two, mail } = await twoMerchants(23, ['654321', '4321']);
      assert.equal((await confirm(await mail(one, '4321'))).outcome, 'paid');
      assert.equal((await confirm(await mail(two, '21'))).outcome, 'duplicate');
      const silent = await twoMerchants(24, [null, null]);
      assert.equal((await confirm(await silent.mail(silent.one, null))).outcome, 'paid');
      assert.equal((await confirm(await silent.mail(silent.two, null))).outcome, 'duplicate');
      const apart = await twoMerchants(25, ['1111', '2222']);
      assert.equal((await confirm(await apart.mail(apart.one, '1111'))).outcome, 'paid');
      assert.equal((await confirm(await apart.mail(apart.two, '2222'))).outcome, 'paid', 'two accounts');
    });

    test('an unsettled credit gives priority to the settled one, and cannot be accepted afterwards', async () => {
      const { one, two, mail } = await twoMerchants(26);
      const early = await mail(two);
      await shop.api.world.sql`update orders set status = 'failed' where order_id = ${two.created.order_id}`;
      assert.equal((await confirm(early)).outcome, 'no_order');
      assert.equal((await confirm(await mail(one))).outcome, 'paid');
      const now = shop.api.world.clock.now();
      const who = { merchantId: two.merchant.merchantId, actor: 'owner', address: '', now };
      const end = { alertId: early.alertId, end: 'kept', returnReference: null, note: '' } as const;
      const refused = await shop.api.world.sql.begin(tx => endCredit(tx, who, end));
      assert.deepEqual(refused, { refusal: 'credit_taken' });
      assert.equal((await confirm(early)).outcome, 'duplicate');
    });

    test('a credit that a person decided about in one business pays in no other', async () => {
      const { one, two, mail } = await twoMerchants(27);
      await shop.api.world.sql`update orders set status = 'failed' where order_id = ${two.created.order_id}`;
      const kept = await mail(two);
      await confirm(kept);
      const now = shop.api.world.clock.now();
      const who = { merchantId: two.merchant.merchantId, actor: 'owner', address: '', now };
      const end = { alertId: kept.alertId, end: 'kept', returnReference: null, note: '' } as const;
      assert.equal(await shop.api.world.sql.begin(tx => endCredit(tx, who, end)), null);
      assert.equal((await confirm(await mail(one))).outcome, 'duplicate');
    });
  });

  test('a duplicate settles nothing: the first mail still pays the order that is found later', async () => {
    const other = await addTestMerchant(shop.api.world);
    for (const [reference, signatureIds, elsewhere] of [
      ['612345678901', ['sig-1'], ['sig-1']],
      [null, ['sig-2', 'sig-3'], ['sig-2']],
    ] as const) {
      const amount = paise(66_00 + signatureIds.length);
      const first = await credit({ amount, reference, signatureIds });
      assert.equal((await confirm(first)).outcome, 'no_order');
      // The other business finds it in its own mailbox, and then ours finds a second copy.
      await confirm(
        await storedCredit(shop.api.world, other.merchantId, { amount, reference, signatureIds: elsewhere }),
      );
      const copy = await credit({ amount, reference, signatureIds });
      assert.equal((await confirm(copy)).outcome, 'duplicate');
      await leaveOnly(amount);
      const created = await order({ amount: 66 });
      // Simulate an order that drew its number first and was committed after the mail was judged.
      await shop.api.world
        .sql`update alerts set arrival_number = nextval('arrivals') where alert_id = ${first.alertId}`;
      assert.deepEqual(await confirm(first), { outcome: 'paid', orderId: created.order_id });
    }
  });
});
