import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { insertUpiAccount } from '../../../src/business/merchants/queries.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { acceptCredit } from '../../../src/payments/review/decide-by-hand.ts';
import { payableOf } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';

/** One credit reported by the account's bank (HDFC) and by the UPI app's bank (SBI), where the shop has an account too. */
const shop = reviewShop();
const { order, statusOf, attach, accept, collected } = shop;
const apart = { equal: '251', 'one digit apart': '252', missing: null };
let tests = 0;
/** References of other tests count for the same account. */
const ref = (end: string | null) => end && `69${String(tests).padStart(4, '0')}000${end}`;

beforeEach(async () => {
  tests++;
  const { sql, clock } = shop.api.world;
  const { merchantId } = shop.merchant;
  const account = {
    vpa: 'second@oksbi',
    payeeName: 'Chai',
    kind: 'personal',
    bank: 'sbi',
    accountDigits: '8765',
  };
  const placed = { merchantId, accountId: 'acc_second', now: clock.now() };
  await insertUpiAccount(sql, placed, account as never);
});

/** The outcome of a mail, and whether it counts as a payment without an order. */
async function reported(amount: number, change: Partial<Credit>) {
  const credit = await shop.credit({ amount: paise(amount), recipient: 'shop@example.in', ...change });
  const { outcome } = await shop.confirm(credit);
  const taken = await shop.api.world.sql`select from takings where alert_id = ${credit.alertId}`;
  return { alertId: credit.alertId, outcome, taken: taken.length === 1 };
}
const bySbi = (end: string | null) => ({ bank: 'sbi', accountDigits: null, reference: ref(end) });

for (const [how, end] of Object.entries(apart))
  for (const first of ['hdfc', 'sbi'])
    test(`an order is paid once, by its account’s bank: references ${how}, ${first} first`, async () => {
      const created = await order({ amount: 31 });
      const amount = payableOf(created);
      const mails = [
        { reference: ref('251'), expected: 'paid' },
        {
          ...bySbi(end),
          expected: how === 'equal' && first === 'hdfc' ? 'duplicate' : 'wrong_account',
        },
      ];
      for (const { expected, ...change } of first === 'hdfc' ? mails : mails.toReversed())
        assert.equal((await reported(amount, change)).outcome, expected);
      assert.equal(await statusOf(created.order_id), 'paid');
      assert.equal(await collected(), amount);
    });

for (const [how, end] of Object.entries(apart))
  test(`without an order the second institution’s mail counts nothing: references ${how}`, async () => {
    const { sql, clock } = shop.api.world;
    await sql`update upi_accounts set counts_takings = true where merchant_id = ${shop.merchant.merchantId}`;
    assert.equal((await reported(25_000, { reference: ref('251') })).taken, true);
    clock.advance(20 * second);
    assert.equal((await reported(25_000, bySbi(end))).taken, false);
    assert.equal(await collected(), 25_000);
    // Two digits apart are two payments, and so are two mails with more than three minutes between them.
    if (end !== null) assert.equal((await reported(25_000, bySbi('262'))).taken, true);
    clock.advance(4 * minute);
    assert.equal((await reported(25_000, bySbi('261'))).taken, true);
  });

test('a person who accepts the second institution’s mail for another order is shown the first and asked', async () => {
  const [one, two] = [
    await order({ amount: 260 }),
    await order({ amount: 261, payment_account_id: 'acc_second' }),
  ];
  const first = await shop.stray({ amount: paise(26_000), reference: ref('251') });
  const other = await shop.stray({ amount: paise(26_000), ...bySbi('252'), accountDigits: '8765' });
  assert.equal(await attach(other, one.order_id), 'other_account', 'R13 also binds a person');
  assert.equal(await attach(first, one.order_id), null);
  assert.equal(await accept(first, one.order_id), null);
  assert.equal(await attach(other, two.order_id), null);
  assert.equal(await accept(other, two.order_id), 'maybe_counted');
  assert.equal(await statusOf(two.order_id), 'manual_review');
  const seen = { alertId: other, orderId: two.order_id, note: 'two payments', seen: [first] };
  assert.equal(
    await shop.api.world.sql.begin(tx => acceptCredit(tx, shop.api.world, shop.who(), seen)),
    null,
  );
  assert.equal(await statusOf(two.order_id), 'paid');
});
