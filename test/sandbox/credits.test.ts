import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { findBreaches } from '../../src/operator/verify.ts';
import { acceptCredit } from '../../src/payments/review/decide-by-hand.ts';
import { findColumns } from '../../src/payments/statements/find-columns.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

/** The possible results of a genuine credit, as the sandbox's bank plays it. */

const box = use(openTestSandbox);
afterEach(async () => {
  assert.deepEqual(await findBreaches(box.sandbox.world), []);
  await box.post('/sandbox/reset', {});
});

const verdictsOf = async (orderId: string, how: string) => {
  const played = (await box.pay(orderId, how)) as { verdicts: { verdict: string }[] };
  return played.verdicts.map(({ verdict }) => verdict);
};
const statement = async () => {
  const answer = await box.app.inject('/sandbox/statement.csv');
  assert.match(String(answer.headers['content-type']), /^text\/csv/);
  return answer.body
    .trimEnd()
    .split('\r\n')
    .map(line => line.split(','));
};
const referencesOf = async () =>
  (
    await box.sandbox.world.sql`select distinct bank_reference from alerts where bank_reference is not null`
  ).map(row => String(row['bank_reference']));

test('hours_late: the money comes long after the order’s time, and pays nothing without a person', async () => {
  const { order_id: orderId } = await box.create();
  assert.deepEqual(await verdictsOf(orderId, 'hours_late'), ['too_late']);
  assert.equal((await box.order(orderId))['status'], 'expired');
});

test('wall: a sum without an order waits for a person, and is counted if the owner wants that', async () => {
  const { order_id: orderId } = await box.create();
  const { sql } = box.sandbox.world;
  const reasonOf = async () => (await box.pay(orderId, 'wall'))['reason'];
  assert.equal(await reasonOf(), 'no order has this amount at that time');
  await sql`update upi_accounts set counts_takings = true`;
  assert.equal(await reasonOf(), 'came without an order, and is counted so');
  assert.equal((await sql`select from takings`).length, 1);
});

test('told_twice: one payment with two mails pays once, and is on the statement once', async () => {
  const { order_id: orderId } = await box.create();
  assert.deepEqual(await verdictsOf(orderId, 'told_twice'), ['paid', 'duplicate']);
  const [titles, ...lines] = await statement();
  assert.notEqual(findColumns([titles!], null), null, 'the import knows its titles');
  assert.deepEqual(
    lines.map(line => line[2]),
    await referencesOf(),
  );
});

test('new_wording: the first three payments wait for the owner, the fourth pays without a person', async () => {
  const { world } = box.sandbox;
  for (const _ of [1, 2, 3]) {
    const { order_id: orderId } = await box.create();
    assert.deepEqual(await verdictsOf(orderId, 'new_wording'), ['no_order']);
    assert.equal((await box.order(orderId))['status'], 'manual_review');
    const [row] =
      await world.sql`select merchant_id, alert_id from handled_credits where order_id = ${orderId}`;
    const { merchant_id: merchantId, alert_id: alertId } = row!;
    const owner = { merchantId, actor: 'owner@shop.example', address: '', now: world.clock.now() };
    await world.sql.begin(tx => acceptCredit(tx, world, owner, { alertId, orderId, note: '' }));
    assert.equal((await box.order(orderId))['status'], 'paid');
  }
  assert.deepEqual(await verdictsOf((await box.create()).order_id, 'new_wording'), ['paid']);
});

test('false_credit: it pays like any credit, and the bank’s statement never has it', async () => {
  const [one, other] = [await box.create(), await box.create()];
  assert.deepEqual(await verdictsOf(one.order_id, 'false_credit'), ['paid']);
  assert.deepEqual(await verdictsOf(other.order_id, 'exact'), ['paid']);
  const [, ...lines] = await statement();
  assert.equal(lines.length, 1);
  assert.equal(lines[0]![4], other.payable_amount.toFixed(2));
  assert.equal((await referencesOf()).length, 2);
});

test('two_claimants: a reference that two customers enter is attached to neither; without a second order it is refused', async () => {
  const first = await box.create();
  const alone = await box.post(`/sandbox/orders/${first.order_id}/pay`, { how: 'two_claimants' });
  assert.equal(alone.statusCode, 400);
  assert.match(alone.json().details, /make a second one first/);
  const second = await box.create();
  assert.deepEqual(await verdictsOf(first.order_id, 'two_claimants'), ['no_order']);
  const claims = await box.sandbox.world.sql`select order_id, bank_reference from claimed_references`;
  assert.deepEqual(claims.map(row => row['order_id']).sort(), [first.order_id, second.order_id].sort());
  assert.deepEqual(
    [...new Set(claims.map(row => row['bank_reference']))],
    await referencesOf(),
    'the one that the bank reported',
  );
  for (const { order_id } of [first, second]) assert.equal((await box.order(order_id))['status'], 'pending');
});
