import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { minute, second } from '../../src/base/clock.ts';
import { paiseFromRupees } from '../../src/base/money.ts';
import { matchingRules } from '../../src/payments/matching/matching-rules.ts';
import { openBank } from '../../src/sandbox/open-bank.ts';
import { scenarioNames } from '../../src/sandbox/scenarios.ts';
import { writeAlert } from '../../src/sandbox/write-alert.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

const box = use(openTestSandbox);
afterEach(() => box.post('/sandbox/reset', {}));

const events = async () =>
  (await box.sandbox.world.sql<{ order_id: string }[]>`select order_id from events`).map(row => row.order_id);

test('exact: the order is paid, and the shop is notified once', async () => {
  const { order_id: orderId } = await box.create();
  const played = await box.pay(orderId, 'exact');
  assert.deepEqual(played, {
    verdict: 'paid',
    reason: `paid order ${orderId}`,
    order_id: orderId,
    verdicts: [{ verdict: 'paid', reason: `paid order ${orderId}`, order_id: orderId }],
  });
  const order = await box.order(orderId);
  assert.equal(order['status'], 'paid');
  assert.match(String(order['bank_reference']), /^\d{12}$/);
  assert.deepEqual(await events(), [orderId]);
});

test('late: the clock moves to twelve minutes after the creation, and the expired order is still paid', async () => {
  const { order_id: orderId } = await box.create();
  box.outside.clock.advance(30 * second);
  const played = await box.pay(orderId, 'late');
  assert.equal(played['verdict'], 'paid');
  const order = await box.order(orderId);
  const took = Date.parse(String(order['paid_at'])) - Date.parse(String(order['created_at']));
  assert.equal(took, 12 * minute);
  assert.equal(box.sandbox.world.clock.leadMs(), 11.5 * minute);
});

test('late for an order that is already older pays now, and after the late window it is too late', async () => {
  const { order_id: orderId } = await box.create();
  await box.post('/sandbox/clock', { advance_seconds: 16 * 60 });
  const played = await box.pay(orderId, 'late');
  assert.equal(played['verdict'], 'too_late');
  assert.equal(played['order_id'], orderId);
  assert.equal((await box.order(orderId))['status'], 'expired');
});

test('wrong_paise: nothing is paid, and the merchant sees which order is near', async () => {
  const { order_id: orderId } = await box.create();
  assert.equal((await box.pay(orderId, 'wrong_paise'))['verdict'], 'no_order');
  assert.equal((await box.order(orderId))['status'], 'pending');
  const [alert] = await box.sandbox.world.sql<{ near_misses: { order_id: string }[] }[]>`
    select near_misses from alerts`;
  assert.deepEqual(
    alert?.near_misses.map(miss => miss.order_id),
    [orderId],
  );
});

test('wrong_paise never pays an order that has the amount without its paise', async () => {
  const { order_id: orderId } = await box.create({ amount: 500 });
  const world = box.sandbox.world;
  const neighbour = await box.create({ amount: 498 });
  await world.sql`update orders set payable_paise = 50000, amount_paise = 49800 where order_id = ${neighbour.order_id}`;
  await world.sql`update amounts set payable_paise = 50000 where order_id = ${neighbour.order_id}`;
  assert.equal((await box.pay(orderId, 'wrong_paise'))['verdict'], 'no_order');
  assert.equal((await box.order(neighbour.order_id))['status'], 'pending');
});

test('twice: the first pays, the second is an extra payment, and there is one event', async () => {
  const { order_id: orderId } = await box.create();
  const played = await box.pay(orderId, 'twice');
  assert.deepEqual(
    played.verdicts.map(verdict => verdict['verdict']),
    ['paid', 'extra_payment'],
  );
  assert.equal(played['verdict'], 'extra_payment');
  assert.deepEqual(await events(), [orderId]);
});

test('forged: a genuine mail with a changed amount pays nothing', async () => {
  const { order_id: orderId } = await box.create();
  const played = await box.pay(orderId, 'forged');
  assert.equal(played['verdict'], 'forged');
  assert.match(String(played['reason']), /changed after it was signed/);
  assert.equal((await box.order(orderId))['status'], 'pending');
});

test('wrong_recipient: a genuine mail to another shop pays nothing', async () => {
  const { order_id: orderId } = await box.create();
  assert.equal((await box.pay(orderId, 'wrong_recipient'))['verdict'], 'wrong_recipient');
  assert.equal((await box.order(orderId))['status'], 'pending');
});

test('delayed: a mail found twenty minutes later pays the order of its own time', async () => {
  const { order_id: orderId } = await box.create();
  assert.equal((await box.pay(orderId, 'delayed'))['verdict'], 'paid');
  const order = await box.order(orderId);
  assert.equal(Date.parse(String(order['paid_at'])) - Date.parse(String(order['created_at'])), 20 * minute);
});

test('both accounts can be paid, with both of the bank’s wordings', async () => {
  const { sql, clock } = box.sandbox.world;
  const bank = openBank(box.outside.config.dataDir);
  const accounts = await sql<{ account_id: string; kind: string }[]>`
    select account_id, kind from upi_accounts where vpa <> 'milaan.plans@sandbox' order by kind`;
  assert.deepEqual(
    accounts.map(account => account.kind),
    ['merchant', 'personal'],
  );
  for (const [index, account] of accounts.entries()) {
    const order = await box.create({ payment_account_id: account.account_id });
    const raw = await writeAlert(bank, {
      to: box.file.mailbox,
      amount: paiseFromRupees(order.payable_amount),
      accountDigits: box.file.account_digits,
      reference: `61234567890${index}`,
      at: clock.now(),
    });
    const verdict = (await box.mail(raw)).json();
    assert.deepEqual([verdict.verdict, verdict.order_id], ['paid', order.order_id]);
  }
  const read = await sql<{ template: string }[]>`select template from alerts order by template`;
  assert.deepEqual(
    read.map(row => row.template),
    ['upi-by-vpa', 'upi-sender-list'],
  );
});

test('after every scenario, no matching rule is broken', async () => {
  for (const how of scenarioNames) {
    // Two customers need two orders.
    await box.create();
    await box.pay((await box.create()).order_id, how);
  }
  for (const rule of matchingRules) assert.deepEqual(await rule.breaches(box.sandbox.world.sql), []);
});
