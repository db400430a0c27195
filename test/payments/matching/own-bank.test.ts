import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reasonColumn } from '../../../src/alerts/queries.ts';
import { paise } from '../../../src/base/money.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { sayReason } from '../../../src/texts/say.ts';
import type { Reason } from '../../../src/texts/verdicts.ts';
import { payableOf } from '../../support/credit.ts';
import { matchingShop } from '../../support/matching-shop.ts';

const shop = matchingShop();
const { order, statusOf, credit, confirm } = shop;

async function reasonOf(alertId: string): Promise<string> {
  const [row] = await shop.api.world.sql<{ reason: Reason }[]>`
    select ${reasonColumn(shop.api.world.sql)} from alerts where alert_id = ${alertId}`;
  return sayReason('en', row!.reason);
}

const account = (change: string) =>
  shop.api.world.sql.unsafe(`update upi_accounts set ${change} where merchant_id = $1`, [
    shop.merchant.merchantId,
  ]);

describe('only the bank that the UPI account names pays its orders (R13)', () => {
  test('another bank’s alert is wrong_account with both banks named, whatever digits it prints', async () => {
    const created = await order({ amount: 31 });
    const amount = payableOf(created);
    for (const accountDigits of ['4321', '21', null]) {
      const thief = await credit({ amount, bank: 'kotak', accountDigits });
      assert.deepEqual(await confirm(thief), {
        outcome: 'wrong_account',
        orderId: created.order_id,
      });
      assert.equal(await reasonOf(thief.alertId), 'the alert is of kotak, but your UPI account is at hdfc');
    }
    assert.equal(await statusOf(created.order_id), 'pending');
    assert.equal((await confirm(await credit({ amount }))).outcome, 'paid');
  });

  test('money at another bank or account uses up none of the business’s references and signatures', async () => {
    const created = await order({ amount: 35 });
    const amount = payableOf(created);
    const [reference, signatureIds] = ['615300112299', ['sig-once-foreign']];
    for (const foreign of [{ bank: 'kotak' }, { accountDigits: '9876' }])
      for (const at of [amount, paise(78)])
        assert.equal(
          (await confirm(await credit({ amount: at, reference, signatureIds, ...foreign }))).outcome,
          'wrong_account',
        );
    assert.equal((await confirm(await credit({ amount, reference, signatureIds }))).outcome, 'paid');
  });

  test('money without an order is wrong_account too if no account is at that bank', async () => {
    const stray = await credit({ amount: paise(77), bank: 'equitas', accountDigits: null });
    assert.equal((await confirm(stray)).outcome, 'wrong_account');
    assert.equal(await reasonOf(stray.alertId), 'the alert is of equitas, but your UPI account is at hdfc');
  });

  test('an account without a bank is never paid, and the reason says what to do', async () => {
    const created = await order({ amount: 32 });
    await account('bank = null');
    const early = await credit({ amount: payableOf(created) });
    assert.equal((await confirm(early)).outcome, 'wrong_account');
    assert.match(await reasonOf(early.alertId), /does not name its bank yet; name it under Bank and UPI/);
    assert.equal(await statusOf(created.order_id), 'pending');
  });

  test('printed digits that nobody recorded pay nothing; a bank that prints none needs none', async () => {
    const created = await order({ amount: 33 });
    const amount = payableOf(created);
    await account('account_digits = null');
    const printed = await credit({ amount, accountDigits: '9876' });
    assert.equal((await confirm(printed)).outcome, 'wrong_account');
    assert.match(await reasonOf(printed.alertId), /account …9876, and no digits are recorded/);
    assert.equal((await confirm(await credit({ amount, accountDigits: null }))).outcome, 'paid');
  });

  test('verify finds an order that another bank paid, but not one paid before the bank was changed', async () => {
    const created = await order({ amount: 34 });
    await confirm(await credit({ amount: payableOf(created) }));
    const changedNow = `bank = 'kotak', bank_named_at = '${shop.api.world.clock.now().toISOString()}'`;
    await account("bank = 'kotak', account_digits = '9999'");
    assert.deepEqual(await findBreaches(shop.api.world), [
      `R13: ${created.order_id} was paid by an alert of hdfc …4321, but its account is at kotak …9999`,
    ]);
    shop.api.world.clock.advance(1);
    await account(changedNow.replace(/'[^']*'$/, `'${shop.api.world.clock.now().toISOString()}'`));
    assert.deepEqual(await findBreaches(shop.api.world), []);
  });
});
