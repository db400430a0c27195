import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { insertUpiAccount } from '../../../src/business/merchants/queries.ts';
import { noFilter } from '../../../src/dashboard/payments/order-filter.ts';
import { sumMoneyToDo } from '../../../src/dashboard/payments/queries/credits.ts';
import { selectEntries } from '../../../src/dashboard/payments/queries/entries.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = reviewShop();
const { order, statusOf, stateOf, claim, attach, accept, decline, end, reopen, collected } = shop;
const sql = () => shop.api.world.sql;
const merchant = () => shop.merchant.merchantId;
const now = () => shop.api.world.clock.now();

async function count(on = true): Promise<void> {
  await sql()`update upi_accounts set counts_takings = ${on} where merchant_id = ${merchant()}`;
}

/** A judged genuine credit: the row that decided, and whether it counts as a payment without an order. */
async function came(rupees: number, change: Partial<Credit> = {}) {
  const credit = await shop.credit({
    amount: paise(Math.round(rupees * 100)),
    recipient: 'shop@example.in',
    ...change,
  });
  const { outcome } = await shop.confirm(credit);
  return { credit, alertId: credit.alertId, outcome, ...(await known(credit.alertId)) };
}

async function known(alertId: string) {
  const [row] = await sql()`
    select a.table_row as row, a.reason_code as reason, t.alert_id is not null as taken, a.is_ended
    from alerts a left join takings t on t.merchant_id = a.merchant_id and t.alert_id = a.alert_id
    where a.alert_id = ${alertId}`;
  return row as { row: number; reason: string; taken: boolean; is_ended: boolean };
}

const toDo = async () => (await sumMoneyToDo(sql(), merchant(), now())).count;
const notices = async () => (await sql()`select kind from notices where merchant_id = ${merchant()}`).length;

describe('row 8: what comes without an order to an account that counts such payments is a payment without an order', () => {
  test('a payment without an order is counted in the month at once, needs no person, and notifies nobody', async () => {
    await count();
    const got = await came(250);
    assert.deepEqual(
      [got.outcome, got.row, got.reason, got.taken, await stateOf(got.alertId)],
      ['no_order', 8, 'taking', true, null],
    );
    assert.deepEqual([await collected(), await toDo(), await notices()], [250_00, 0, 0]);
    assert.deepEqual(await shop.eventTypes(), []);
  });

  test('with the switch off, also later, the same credit waits for a person', async () => {
    const off = await came(251);
    await count();
    await count(false);
    const again = await came(251);
    for (const got of [off, again])
      assert.deepEqual([got.outcome, got.row, got.taken], ['no_order', 9, false]);
    assert.deepEqual([await collected(), await toDo()], [0, 2]);
  });

  test('the same mail, the same reference and a second judge count it once', async () => {
    await count();
    const { credit } = await came(252, { reference: '690000000252' });
    assert.equal((await came(252, { reference: '690000000252' })).outcome, 'duplicate');
    assert.equal((await came(252, { signatureIds: credit.signatureIds })).outcome, 'duplicate');
    await count(false);
    await Promise.all([shop.confirm(credit), shop.confirm(credit)]);
    assert.deepEqual([(await known(credit.alertId)).row, await collected()], [8, 252_00]);
  });

  test('the exact sum of an open order pays it, and a near miss of one is no payment without an order', async () => {
    await count();
    const open = await order({ amount: 253 });
    assert.equal((await came(253)).row, 9);
    const exact = await shop.credit({ amount: payableOf(open) });
    assert.equal((await shop.confirm(exact)).outcome, 'paid');
    assert.equal(await collected(), payableOf(open));
  });

  test('the exact sum of a declined order is no payment without an order: its customer paid anyway', async () => {
    await count();
    const open = await order({ amount: 254 });
    const nearMiss = await came(254);
    assert.equal(await attach(nearMiss.alertId, open.order_id), null);
    assert.equal(await decline(nearMiss.alertId, open.order_id), null);
    const exact = await shop.credit({ amount: payableOf(open) });
    await shop.confirm(exact);
    assert.deepEqual((await known(exact.alertId)).reason, 'declined');
    assert.equal((await known(exact.alertId)).taken, false);
  });

  test('a late exact sum and a customer’s reference come before payments without an order', async () => {
    await count();
    const late = await order({ amount: 255 });
    const claimed = await order({ amount: 900 });
    await claim(claimed.order_id, '690000000255');
    shop.api.world.clock.advance(20 * minute);
    const exact = await shop.credit({ amount: payableOf(late) });
    assert.equal((await shop.confirm(exact)).outcome, 'too_late');
    const reported = await came(40, { reference: '690000000255' });
    assert.deepEqual([reported.row, reported.taken, await stateOf(reported.alertId)], [5, false, 'attached']);
  });
});

describe('doubtful credits are not counted as payments', () => {
  test('mails that need review, a wording on trial, and a sum above the ceiling wait for a person', async () => {
    await count();
    assert.equal((await came(260, { trust: 'review_only' })).taken, false);
    assert.equal((await came(260, { trust: 'trial', template: 'new' })).taken, false);
    await sql()`insert into template_payments values (${merchant()}, 'hdfc', 'new', 3)`;
    assert.equal((await came(260, { trust: 'trial', template: 'new' })).taken, true);
    await sql()`update upi_accounts set review_above_paise = 26000 where merchant_id = ${merchant()}`;
    assert.deepEqual([(await came(260)).taken, (await came(260.01)).taken], [true, false]);
  });

  test('a payment that perhaps has two mails is counted once, and a person checks the second', async () => {
    await count();
    const silent = { reference: null, printedAt: '17-11-26 12:05' };
    assert.equal((await came(261, silent)).taken, true);
    assert.equal((await came(261, silent)).taken, false);
    assert.equal((await came(261, { ...silent, printedAt: '17-11-26 12:06' })).taken, true);
    assert.equal((await came(261)).taken, false, 'another wording of the same moment may tell of it again');
    assert.equal((await came(268)).taken, true);
    assert.equal((await came(268)).taken, true, 'two references are two payments');
    assert.equal((await came(268, { reference: null })).taken, false, 'without one it may be either');
  });

  test('money of another account or bank is not counted for this business', async () => {
    await count();
    for (const change of [{ accountDigits: '9999' }, { bank: 'sbi' }])
      assert.equal((await came(262, change)).outcome, 'wrong_account');
    assert.equal(await collected(), 0);
  });

  test('a mail without an account counts only if every possible account counts payments without an order', async () => {
    const second = { merchantId: merchant(), accountId: 'acc_second', now: now() };
    const account = {
      vpa: 'second@okaxis',
      payeeName: 'Chai',
      kind: 'personal',
      bank: 'hdfc',
      accountDigits: '8765',
    };
    await insertUpiAccount(sql(), second, account as never);
    await sql()`
      update upi_accounts set counts_takings = true where merchant_id = ${merchant()} and account_digits = '4321'`;
    assert.equal((await came(263)).taken, true);
    assert.equal((await came(263, { accountDigits: '8765' })).taken, false);
    assert.equal((await came(263, { accountDigits: null })).taken, false);
    await count();
    assert.equal((await came(263, { accountDigits: null })).taken, true);
  });

  test('a mail that another business with the same account used for its order counts here no more', async () => {
    await count();
    const other = await addTestMerchant(shop.api.world);
    const created = (await shop.api.create({ amount: 264 }, other.apiKey)).json();
    const { alertId, ...mail } = (await came(payableOf(created) / 100)).credit;
    const paid = () => ({ view: 'paid', filter: noFilter, after: null, limit: 9, now: now() }) as const;
    const listed = async () =>
      (await selectEntries(sql(), merchant(), paid())).flatMap(({ kind, id }) =>
        kind === 'credit' ? [id] : [],
      );
    assert.deepEqual(await listed(), [alertId]);
    const theirs = await storedCredit(shop.api.world, other.merchantId, {
      ...mail,
      merchantId: other.merchantId,
    });
    assert.equal((await shop.confirm(theirs)).outcome, 'paid');
    assert.deepEqual(await listed(), []);
    assert.equal(await accept(alertId, (await order({ amount: 900 })).order_id), 'credit_taken');
  });
});

describe('a payment without an order that belongs to an order after all', () => {
  test('an accepted payment without an order moves to its order, and stays counted once in its first month', async () => {
    await count();
    const { alertId } = await came(270);
    shop.api.world.clock.advance(31 * day);
    const created = await order({ amount: 400 });
    assert.equal(await accept(alertId, created.order_id), null);
    const months = await sql()`
      select collected_paise from collections where merchant_id = ${merchant()} order by month`;
    assert.deepEqual(
      months.map(row => row['collected_paise']),
      [270_00],
    );
    assert.equal(await statusOf(created.order_id), 'paid');
    const [row] =
      await sql()`select bank_reference, received_paise from orders where order_id = ${created.order_id}`;
    assert.equal(row!['received_paise'], 270_00);
  });

  test('if a customer enters its reference later, the credit is shown with their order, and a person decides', async () => {
    await count();
    const { alertId } = await came(271, { reference: '690000000271' });
    const created = await order({ amount: 300 });
    await claim(created.order_id, '690000000271');
    assert.deepEqual(
      [await stateOf(alertId), await statusOf(created.order_id)],
      ['attached', 'manual_review'],
    );
    assert.equal(await toDo(), 1);
    assert.equal(await accept(alertId, created.order_id), null);
    assert.deepEqual([await collected(), await toDo()], [271_00, 0]);
  });

  test('declined and reopened, refunded and reopened, or detached, it is a payment without an order again', async () => {
    await count();
    const { alertId } = await came(272);
    const created = await order({ amount: 301 });
    await attach(alertId, created.order_id);
    await decline(alertId, created.order_id);
    assert.equal(await toDo(), 1, 'it is to be given back');
    await reopen(alertId);
    assert.deepEqual([await toDo(), (await known(alertId)).taken], [0, true]);
    await end(alertId, 'given_back');
    await reopen(alertId);
    const next = await order({ amount: 302 });
    await attach(alertId, next.order_id);
    assert.equal(await toDo(), 1);
    await shop.confirm(await shop.credit({ amount: payableOf(next) }));
    assert.deepEqual([await stateOf(alertId), await toDo()], ['open', 0]);
    assert.equal(await collected(), 272_00 + payableOf(next));
  });

  test('a payment without an order whose reference two customers enter needs a person', async () => {
    await count();
    const { alertId } = await came(273, { reference: '690000000273' });
    for (const amount of [303, 304]) await claim((await order({ amount })).order_id, '690000000273');
    assert.deepEqual([await stateOf(alertId), await toDo()], ['open', 1]);
  });
});

describe('the plan', () => {
  test('payments without an order count towards the month; at its limit they wait for a person', async () => {
    await count();
    await sql()`insert into plans (plan, monthly_limit_paise) values ('tiny', 50000) on conflict do nothing`;
    await sql()`update merchants set plan = 'tiny' where merchant_id = ${merchant()}`;
    assert.deepEqual([(await came(280)).taken, (await came(281)).taken], [true, true]);
    const refused = await shop.api.create({ amount: 10 }, shop.merchant.apiKey);
    assert.equal(refused.json().error, 'plan_limit_reached');
    assert.equal((await came(282)).taken, false);
    assert.deepEqual([await collected(), await toDo()], [561_00, 1]);
  });

  test('a paused account and a disabled business count none', async () => {
    await count();
    const second = {
      merchantId: merchant(),
      accountId: 'acc_later',
      now: new Date(now().getTime() + minute),
    };
    const account = {
      vpa: 'later@okaxis',
      payeeName: 'Chai',
      kind: 'personal',
      bank: 'hdfc',
      accountDigits: '8765',
    };
    await insertUpiAccount(sql(), second, account as never);
    await count();
    await sql()`insert into plans (plan, account_limit) values ('one', 1) on conflict do nothing`;
    await sql()`update merchants set plan = 'one' where merchant_id = ${merchant()}`;
    assert.deepEqual(
      [(await came(283)).taken, (await came(283, { accountDigits: '8765' })).taken],
      [true, false],
    );
    await sql()`update merchants set disabled_at = ${now()} where merchant_id = ${merchant()}`;
    assert.equal((await came(283)).taken, false);
  });
});
