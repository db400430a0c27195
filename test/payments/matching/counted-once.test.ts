import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { matchingShop } from '../../support/matching-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = matchingShop();
const { order, credit, confirm, leaveOnly } = shop;

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

  test('one reference per merchant, a lost or added leading zero included; another merchant’s is another’s', async () => {
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
    shop.business = await addTestMerchant(shop.api.world);
    const elsewhere = await order({ amount: 8 });
    assert.equal(
      (await confirm(await credit({ amount: payableOf(elsewhere), reference: '012345678901' }))).outcome,
      'paid',
    );
  });

  test('a duplicate takes nothing: the first mail still pays the order that is seen after it', async () => {
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
      // As if the order had drawn its number first, and was committed after the mail was judged.
      await shop.api.world
        .sql`update alerts set arrival_number = nextval('arrivals') where alert_id = ${first.alertId}`;
      assert.deepEqual(await confirm(first), { outcome: 'paid', orderId: created.order_id });
    }
  });
});
