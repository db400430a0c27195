import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDatabaseDown } from '../../../src/base/database/database-down.ts';
import { insertUpiAccount } from '../../../src/business/merchants/queries.ts';
import { proofPrefix } from '../../../src/payments/matching/queries/trials.ts';
import { reopenCredit } from '../../../src/payments/review/decide-by-hand.ts';
import type { Trust } from '../../../src/texts/verdicts.ts';
import { breachesAfter } from '../../support/breaches-after.ts';
import { payableOf } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';

const shop = reviewShop();
const { order, accept, stateOf, get, collected } = shop;
const sql = () => shop.api.world.sql;

/** A credit with exactly a new order's amount, in a wording of this trust. */
async function exact(trust: Trust, change: Record<string, unknown> = {}, template = 'new-upi') {
  const created = await order(change);
  const credit = await shop.credit({ amount: payableOf(created), trust, template });
  return { orderId: created.order_id as string, credit, confirmation: await shop.confirm(credit) };
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
    }
  }
}

const deny = async (alertId: string) =>
  (await sql().begin(tx => reopenCredit(tx, shop.who(), { alertId, notArrived: true })))?.refusal ?? null;

async function reasonOf(alertId: string): Promise<string> {
  const [row] = await sql()`select reason_code from alerts where alert_id = ${alertId}`;
  return row!['reason_code'];
}

async function setCeiling(rupees: number | null): Promise<void> {
  await sql()`
    update upi_accounts set review_above_paise = ${rupees === null ? null : rupees * 100},
      review_above_since = ${shop.api.world.clock.now()}
    where merchant_id = ${shop.merchant.merchantId}`;
}

async function trialPasses(template = 'new-upi'): Promise<void> {
  for (let at = 0; at < 3; at++) {
    const { orderId, credit } = await exact('trial', {}, template);
    assert.equal(await accept(credit.alertId, orderId, ''), null);
  }
}

async function notArrived(): Promise<number> {
  const [row] = await sql()`
    select coalesce(sum(mails), 0)::int as mails from bank_verdicts where verdict = 'not_arrived' and bank = 'hdfc'`;
  return row!['mails'];
}

test('a confirmed wording pays without a person', async () => {
  const { orderId, confirmation } = await exact('confirmed');
  assert.deepEqual(confirmation, { outcome: 'paid', orderId });
});

test('an exact payment by a wording on trial waits, attached to its order, with a notice that says why', async () => {
  const { orderId, credit, confirmation } = await exact('trial');
  assert.deepEqual(confirmation, { outcome: 'no_order', orderId });
  const got = await get(orderId);
  assert.equal(got.status, 'manual_review');
  assert.equal(await stateOf(credit.alertId), 'attached');
  assert.equal(await reasonOf(credit.alertId), 'waits_trial');
  assert.equal(await collected(), 0);
  const notices = await sql()`
    select kind from notices where merchant_id = ${shop.merchant.merchantId}`;
  assert.deepEqual(
    notices.map(row => row['kind']),
    ['order_waits'],
  );
});

test('three payments found in the account end the trial, and the fourth pays without a person', async () => {
  await trialPasses();
  const { orderId, confirmation } = await exact('trial');
  assert.deepEqual(confirmation, { outcome: 'paid', orderId });
});

test('waiting payments count only after somebody has found them', async () => {
  for (let at = 0; at < 4; at++) assert.equal((await exact('trial')).confirmation.outcome, 'no_order');
});

test('a trial is of one wording and one business', async () => {
  await trialPasses();
  assert.equal((await exact('trial', {}, 'other-upi')).confirmation.outcome, 'no_order');
});

test('the first steps’ proof payment, found by the owner, counts for all three', async () => {
  const { orderId, credit } = await exact('trial', { amount: 1, merchant_order_id: `${proofPrefix}Xy1` });
  assert.equal(await accept(credit.alertId, orderId, ''), null);
  assert.equal((await exact('trial')).confirmation.outcome, 'paid');
});

test('a business that a wording paid before the upgrade is past its trial', async () => {
  assert.equal((await exact('confirmed', {}, 'old-upi')).confirmation.outcome, 'paid');
  const migration = readFileSync('migrations/0025_mails_and_alerts.sql', 'utf8');
  const [fill = ''] = /^insert into template_payments[^;]+;/m.exec(migration) ?? [];
  await sql().unsafe(`begin; delete from template_payments; ${fill} commit`);
  assert.equal((await exact('trial', {}, 'old-upi')).confirmation.outcome, 'paid');
});

test('an accepted payment of another sum proves nothing about the wording', async () => {
  const created = await order();
  const nearMiss = await shop.stray({
    amount: payableOf({ payable_amount: 7 }),
    trust: 'trial',
    template: 'new-upi',
  });
  assert.equal(await accept(nearMiss, created.order_id), null);
  const [row] = await sql()`
    select count(*)::int as rows from template_payments where merchant_id = ${shop.merchant.merchantId}`;
  assert.equal(row!['rows'], 0);
});

test('a bank whose mails need review never pays without a person, however often it was right', async () => {
  for (let at = 0; at < 5; at++) {
    const { orderId, credit, confirmation } = await exact('review_only');
    assert.equal(confirmation.outcome, 'no_order');
    assert.equal(await reasonOf(credit.alertId), 'waits_review_only');
    assert.equal(await accept(credit.alertId, orderId, ''), null);
    assert.equal((await get(orderId)).status, 'paid');
  }
});

test('an exact payment above the ceiling waits, and one at or below it pays', async () => {
  const first = await order({ amount: 500 });
  await setCeiling(first.payable_amount);
  const at = await shop.confirm(await shop.credit({ amount: payableOf(first) }));
  assert.equal(at.outcome, 'paid');
  const { orderId, credit, confirmation } = await exact('confirmed', { amount: 600 });
  assert.equal(confirmation.outcome, 'no_order');
  assert.equal(await reasonOf(credit.alertId), 'waits_ceiling');
  assert.equal(await accept(credit.alertId, orderId, ''), null);
  await setCeiling(null);
  assert.equal((await exact('confirmed', { amount: 600 })).confirmation.outcome, 'paid');
});

test('"not in the account" pays nothing: the order continues, the credit stays a case, the bank is counted', async () => {
  const before = await notArrived();
  const { orderId, credit } = await exact('trial');
  assert.equal(await deny(credit.alertId), null);
  assert.equal((await get(orderId)).status, 'pending');
  assert.equal(await stateOf(credit.alertId), 'open');
  assert.equal(await reasonOf(credit.alertId), 'not_arrived');
  assert.equal(await notArrived(), before + 1);
  assert.equal(await deny(credit.alertId), 'credit_taken');
  assert.equal(await notArrived(), before + 1);
  const again = await shop.confirm(credit);
  assert.equal(again.outcome, 'no_order');
  assert.equal((await get(orderId)).status, 'pending');
  // It came after all.
  assert.equal(await accept(credit.alertId, orderId, 'came on Monday'), null);
  assert.equal((await get(orderId)).status, 'paid');
});

test('a second exact payment of a waiting order is a separate case', async () => {
  const { orderId, credit } = await exact('trial');
  const second = await shop.credit({ amount: credit.amount, trust: 'trial', template: 'new-upi' });
  assert.equal((await shop.confirm(second)).outcome, 'no_order');
  assert.equal(await stateOf(second.alertId), null);
  assert.equal(await stateOf(credit.alertId), 'attached');
  assert.equal(await accept(credit.alertId, orderId, ''), null);
});

test('200 at once: on a trial with two found payments none pays, after the third all pay', async () => {
  for (let at = 0; at < 2; at++) {
    const { orderId, credit } = await exact('trial');
    assert.equal(await accept(credit.alertId, orderId, ''), null);
  }
  const hundred = async () => {
    const made = [];
    for (let at = 0; at < 100; at++) {
      const created = await order({ amount: 300 + at });
      const credit = await shop.credit({ amount: payableOf(created), trust: 'trial', template: 'new-upi' });
      made.push({ created, credit });
    }
    return made;
  };
  const waiting = await hundred();
  const outcomes = await Promise.all(waiting.map(one => patiently(() => shop.confirm(one.credit))));
  assert.ok(outcomes.every(one => one.outcome === 'no_order'));
  // The third is found while a hundred more come.
  const racing = await hundred();
  const { created, credit } = waiting[0]!;
  const [taps, raced] = await Promise.all([
    Promise.all(
      Array.from({ length: 100 }, () => patiently(() => accept(credit.alertId, created.order_id, ''))),
    ),
    Promise.all(racing.map(one => patiently(() => shop.confirm(one.credit)))),
  ]);
  assert.equal(taps.filter(answer => answer === null).length, 1);
  const paid = raced.filter(one => one.outcome === 'paid').length;
  const held = raced.filter(one => one.outcome === 'no_order').length;
  assert.equal(paid + held, 100);
  const [row] = await sql()`
    select payments from template_payments where merchant_id = ${shop.merchant.merchantId}`;
  assert.equal(row!['payments'], 3);
  assert.equal((await exact('trial')).confirmation.outcome, 'paid');
});

test('200 taps at once, yes and no: the payment is paid once or searched for again, and counted by its result', async () => {
  const before = await notArrived();
  const { orderId, credit } = await exact('trial');
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const isYes = at % 2 === 0;
      const answer = await patiently(() =>
        isYes ? accept(credit.alertId, orderId, '') : deny(credit.alertId),
      );
      return { isYes, done: answer === null };
    }),
  );
  const yes = answers.filter(one => one.isYes && one.done).length;
  const no = answers.filter(one => !one.isYes && one.done).length;
  assert.equal(await notArrived(), before + no);
  assert.ok(yes <= 1 && no <= 1, `${yes} yes, ${no} no`);
  assert.equal((await get(orderId)).status, yes === 1 ? 'paid' : 'pending');
});

test('verify sees a payment that should have waited, and none that a person accepted', async () => {
  const person = await exact('review_only');
  await accept(person.credit.alertId, person.orderId, '');
  const { credit } = await exact('confirmed', { amount: 700 });
  const mine = `where alert_id = '${credit.alertId}'`;
  // Their raw bytes are no mails, which is another rule.
  const breaks = async (change: string) =>
    (await breachesAfter(sql(), change)).filter(line => line.startsWith('R17')).length;
  const ceiling = (since: string) => `
    update upi_accounts set review_above_paise = 50000, review_above_since = '${since}'
    where merchant_id = ${shop.merchant.merchantId}`;
  assert.equal(await breaks('select'), 0);
  assert.equal(await breaks(`update alerts set trust = 'review_only' ${mine}`), 1);
  assert.equal(await breaks(`update alerts set trust = 'trial' ${mine}`), 1);
  assert.equal(await breaks(ceiling('2020-01-01')), 1);
  assert.equal(await breaks(ceiling('2099-01-01')), 0);
});

test('money that was not found in the account does not return through a customer’s reference', async () => {
  const { orderId, credit } = await exact('review_only');
  assert.equal(await deny(credit.alertId), null);
  await shop.claim(orderId, credit.reference!);
  assert.equal(await stateOf(credit.alertId), 'open');
  assert.equal((await get(orderId)).status, 'pending');
});

test('an exact payment that waited while another one paid its order is not for another order', async () => {
  const { orderId, credit } = await exact('trial');
  // The bank reports it again, without a reference, in a wording that pays.
  const again = await shop.credit({ amount: credit.amount, reference: null });
  assert.deepEqual(await shop.confirm(again), { outcome: 'paid', orderId });
  assert.equal(await stateOf(credit.alertId), 'open');
  const other = await order({ amount: 70 });
  await shop.claim(other.order_id, credit.reference!);
  assert.equal(await stateOf(credit.alertId), 'open');
  assert.equal((await get(other.order_id)).status, 'pending');
});

test('an account that is removed and added again keeps its ceiling', async () => {
  await setCeiling(250);
  const { merchantId } = shop.merchant;
  const now = shop.api.world.clock.now();
  const [{ vpa, bank }] = (await sql()`
    update upi_accounts set removed_at = ${now}, is_default = false where merchant_id = ${merchantId} returning vpa, bank`) as [
    { vpa: string; bank: string },
  ];
  const account = { vpa, bank, payeeName: 'Asha', kind: 'personal' } as const;
  await insertUpiAccount(sql(), { merchantId, accountId: 'acc-again', now }, account);
  const [row] =
    await sql()`select review_above_paise from upi_accounts where merchant_id = ${merchantId} and removed_at is null`;
  assert.equal(row!['review_above_paise'], 250_00);
});
