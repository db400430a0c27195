import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { randomDigits } from '../../../src/base/random.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { matchingRules } from '../../../src/payments/matching/matching-rules.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';

/** One payment is reported to two businesses with one account: by one mail, or by two mails with its reference. */

const shop = reviewShop();
const { order, confirm, accept, decline, end, reopen, attach, leaveOnly, get } = shop;
const halves = ['signature', 'reference'] as const;
type Half = (typeof halves)[number];

const r2 = async () =>
  (
    await Promise.all(
      matchingRules.filter(({ rule }) => rule === 'R2').map(rule => rule.breaches(shop.api.world.sql)),
    )
  ).flat();

const at = async <Answer>(merchant: TestMerchant, work: () => Promise<Answer>): Promise<Answer> => {
  shop.merchant = merchant;
  return await work();
};

/** Two businesses, and mails of one payment that agree in one half alone. */
async function two(half: Half) {
  const [a, b] = [await addTestMerchant(shop.api.world), await addTestMerchant(shop.api.world)];
  const [signature, reference] = [`sig-${randomDigits(12)}`, `69${randomDigits(10)}`];
  const mail = (merchant: TestMerchant, amount: Credit['amount']) =>
    storedCredit(shop.api.world, merchant.merchantId, {
      amount,
      reference: half === 'reference' ? reference : null,
      ...(half === 'signature' && { signatureIds: [signature] }),
    });
  return { a, b, mail, reference };
}

const reasonOf = async ({ alertId }: Credit) =>
  (await shop.api.world.sql`select reason_code from alerts where alert_id = ${alertId}`)[0]!['reason_code'];

for (const half of halves) {
  for (const wait of ['too_late', 'extra_payment', 'no_order'] as const)
    test(`by ${half}: ${wait} in one business blocks no other, and a payment there settles it for all`, async () => {
      const { a, b, mail } = await two(half);
      const theirs = await at(b, () => order());
      const amount = wait === 'no_order' ? paise(4_43) : payableOf(theirs);
      if (wait === 'extra_payment')
        await confirm(await storedCredit(shop.api.world, b.merchantId, { amount, reference: null }));
      if (wait === 'too_late') shop.api.world.clock.advance(2 * hour);
      const waiting = await mail(b, amount);
      assert.equal((await confirm(waiting)).outcome, wait);

      const mine = await at(a, async () => {
        await leaveOnly(amount);
        return await order({ amount: Math.floor(amount / 100) });
      });
      const paying = await mail(a, amount);
      assert.deepEqual(await confirm(paying), { outcome: 'paid', orderId: mine.order_id });
      await at(b, async () => {
        const unpaid = await order({ amount: 31 });
        assert.equal(await accept(waiting.alertId, unpaid.order_id), 'credit_taken');
        assert.equal(await end(waiting.alertId, 'kept'), 'credit_taken');
      });
      assert.deepEqual(await r2(), []);
    });

  test(`by ${half}: a payment that waits in two businesses goes to the first that accepts it`, async () => {
    const { a, b, mail } = await two(half);
    const [first, second] = [await mail(b, paise(77_00)), await mail(a, paise(77_00))];
    assert.equal((await confirm(first)).outcome, 'no_order');
    assert.equal((await confirm(second)).outcome, 'no_order');
    const theirs = await at(b, () => order({ amount: 77 }));
    const mine = await at(a, () => order({ amount: 77 }));
    assert.equal(await at(b, () => accept(first.alertId, theirs.order_id)), null);
    assert.equal(await at(a, () => accept(second.alertId, mine.order_id)), 'credit_taken');
    assert.equal((await at(a, () => get(mine.order_id))).status, 'pending');
    assert.deepEqual(await r2(), []);
  });

  test(`by ${half}: an automatic attachment ends, and can then be neither accepted nor declined`, async () => {
    const { a, b, mail } = await two(half);
    shop.merchant = b;
    await shop.holdNearMisses();
    const theirs = await order({ amount: 500 });
    const waiting = await mail(b, paise(500_00));
    await confirm(waiting);
    assert.equal(await shop.stateOf(waiting.alertId), 'attached');
    const mine = await at(a, async () => {
      await leaveOnly(paise(500_00 + 37));
      return await order({ amount: 500 });
    });
    const paying = await mail(a, payableOf(mine));
    assert.equal((await confirm(paying)).outcome, 'paid');
    await at(b, async () => {
      assert.equal(await accept(waiting.alertId, theirs.order_id), 'credit_taken');
      assert.equal(await decline(waiting.alertId, theirs.order_id), 'credit_taken');
      assert.equal(await reopen(waiting.alertId), null, 'the order goes on');
      assert.equal((await get(theirs.order_id)).status, 'pending');
    });
    assert.deepEqual(await r2(), []);
  });

  test(`by ${half}: a payment that a person attached, kept or declined blocks the other business, until undone`, async () => {
    for (const decide of ['attach', 'keep', 'decline'] as const) {
      const { a, b, mail } = await two(half);
      const theirs = await at(b, () => order({ amount: 61 }));
      const waiting = await mail(b, paise(61_00));
      await confirm(waiting);
      const decided = await at(b, async () => {
        if (decide === 'keep') return await end(waiting.alertId, 'kept');
        const attached = await attach(waiting.alertId, theirs.order_id);
        return attached ?? (decide === 'decline' ? await decline(waiting.alertId, theirs.order_id) : null);
      });
      assert.equal(decided, null);
      assert.deepEqual(await r2(), []);
      const mine = await at(a, () => order({ amount: 62 }));
      const copy = await mail(a, payableOf(mine));
      assert.equal((await confirm(copy)).outcome, 'duplicate', decide);
      assert.equal(await reasonOf(copy), 'counted_elsewhere');
      await at(b, () => reopen(waiting.alertId));
      const again = await mail(a, payableOf(mine));
      assert.equal((await confirm(again)).outcome, 'paid', decide);
      assert.deepEqual(await r2(), []);
    }
  });

  test(`by ${half}: a replay to two businesses, with owners and judges at once, pays once`, async () => {
    const { a, b, mail } = await two(half);
    const theirs = await at(b, () => order({ amount: 82 }));
    const waiting = await mail(b, paise(82_00));
    await confirm(waiting);
    const mine = await at(a, () => order({ amount: 83 }));
    const copies = await Promise.all(Array.from({ length: 8 }, () => mail(a, payableOf(mine))));
    shop.merchant = b;
    const [outcomes, accepted] = await Promise.all([
      Promise.all(copies.map(confirm)),
      accept(waiting.alertId, theirs.order_id),
    ]);
    const paid = outcomes.filter(({ outcome }) => outcome === 'paid').length + (accepted === null ? 1 : 0);
    assert.equal(paid, 1, JSON.stringify([outcomes, accepted]));
    assert.deepEqual(await r2(), []);
  });
}

test('a duplicate says whether it counted for this business or for another', async () => {
  for (const half of halves) {
    const { a, b, mail } = await two(half);
    const mine = await at(a, () => order({ amount: 71 }));
    await confirm(await mail(a, payableOf(mine)));
    const [own, foreign] = [await mail(a, payableOf(mine)), await mail(b, payableOf(mine))];
    for (const one of [own, foreign]) assert.equal((await confirm(one)).outcome, 'duplicate');
    assert.deepEqual([await reasonOf(own), await reasonOf(foreign)], ['counted_before', 'counted_elsewhere']);
  }
});

test('verify finds a payment whose signature another business could still count', async () => {
  const { a, mail } = await two('signature');
  const mine = await at(a, () => order({ amount: 73 }));
  const paying = await mail(a, payableOf(mine));
  await confirm(paying);
  const settle = (settled: boolean) => shop.api.world.sql`
    update counted_signatures set settled = ${settled} where alert_id = ${paying.alertId}`;
  await settle(false);
  assert.match((await r2()).join('\n'), /was counted for another, or not at all/);
  await settle(true);
  assert.deepEqual(await r2(), []);
});
