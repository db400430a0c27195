import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, later, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { compareStatement } from '../../../src/payments/statements/compare-statement.ts';
import { matchOrders } from '../../../src/payments/statements/match-orders.ts';
import { vouchFor } from '../../../src/payments/statements/queries/matches.ts';
import type { Lines, StatementLine } from '../../../src/payments/statements/read-lines.ts';
import { breachesAfter } from '../../support/breaches-after.ts';
import { matchingShop } from '../../support/matching-shop.ts';

const shop = matchingShop();

let made = 0;
const newReference = () => String(691_800_000_000 + ++made);
/** So many days after the day of now, in India. */
const dayAt = (shift: number) =>
  new Date(later(shop.api.world.clock.now(), shift * day).getTime() + 330 * minute)
    .toISOString()
    .slice(0, 10);

/** An order that a mail paid a while ago, so that a statement of today has whole days around it. */
async function paid(reference: string | null = newReference()) {
  const order = await shop.order();
  const amount = paise(Math.round(order.payable_amount * 100));
  const confirmed = await shop.confirm(await shop.credit({ amount, reference }));
  assert.equal(confirmed.outcome, 'paid');
  return { orderId: order.order_id as string, amount, reference, day: dayAt(0) };
}

const line = (change: Partial<StatementLine> & Pick<StatementLine, 'amount'>): StatementLine => ({
  ...{ day: dayAt(0), reference: null, text: 'UPI' },
  ...change,
});
/** Some line on each of these days around the payment, as every account has. */
const around = (...shifts: number[]) =>
  shifts.map(shift => line({ day: dayAt(shift), amount: paise(9_99), reference: newReference() }));
const whole = () => around(-1, 0, 1, 2);

async function take(lines: StatementLine[], change: Partial<Lines> = {}, digits: string | null = null) {
  const { world } = shop.api;
  const { merchantId } = shop.merchant;
  const days = lines.map(one => one.day).sort();
  const covers = { first: days[0]!, last: days.at(-1)! };
  const statement = { lines, others: [], unclear: 0, covers, ...change };
  const comparison = (await compareStatement(world.sql, merchantId, { bank: 'hdfc', digits }, statement))!;
  const who = { merchantId, actor: 'owner@shop.example', address: '', now: world.clock.now() };
  const bank = { bank: 'hdfc', bankName: 'HDFC Bank' };
  return await world.sql.begin(tx => matchOrders(tx, who, bank, comparison));
}

async function matches() {
  const rows = await shop.api.world.sql`
    select order_id, state, line_day from statement_marks where merchant_id = ${shop.merchant.merchantId}`;
  return Object.fromEntries(rows.map(row => [row['order_id'], row['state']]));
}
const notified = async () =>
  await shop.api.world.sql<{ facts: Record<string, unknown> }[]>`
    select facts from notices where merchant_id = ${shop.merchant.merchantId} and kind = 'statement_missing'`;

test('a line confirms the order by its reference, or by its sum within a day, and is reported once', async () => {
  const [byReference, bySum] = [await paid(), await paid(null)];
  const lines = [
    ...whole(),
    line({ ...byReference, day: dayAt(2) }),
    line({ amount: bySum.amount, day: dayAt(1) }),
  ];
  assert.deepEqual(await take(lines), { confirmed: 2, missing: 0 });
  assert.deepEqual(await matches(), { [byReference.orderId]: 'confirmed', [bySum.orderId]: 'confirmed' });
  assert.deepEqual(await take(lines), { confirmed: 0, missing: 0 });
  const [entry, ...more] = await shop.api.world
    .sql`select details from audit_log where merchant_id = ${shop.merchant.merchantId} and action = 'statement.compare'`;
  assert.equal(JSON.parse(entry!['details']).confirmed, '2');
  assert.deepEqual(more, []);
});

test('a date two days off, another sum, and another reference if references are known confirm nothing', async () => {
  const one = await paid(null);
  await take([...whole(), line({ amount: one.amount, day: dayAt(2) })]);
  assert.deepEqual(await matches(), { [one.orderId]: 'missing' });
  const [two, known] = [await paid(), await paid()];
  await take([
    ...whole(),
    line(known),
    line({ ...two, reference: newReference() }),
    line({ ...two, amount: paise(two.amount + 1), reference: null }),
  ]);
  assert.deepEqual(
    [(await matches())[two.orderId], (await matches())[known.orderId]],
    ['missing', 'confirmed'],
  );
});

test('one line confirms one order, in one file and over many', async () => {
  const first = await paid(null);
  shop.api.world.clock.advance(20 * minute);
  await shop.leaveOnly(first.amount);
  const second = await paid(null);
  assert.equal(second.amount, first.amount);
  const lines = [...whole(), line({ amount: first.amount })];
  assert.deepEqual(await take(lines), { confirmed: 1, missing: 1 });
  assert.deepEqual(await take([...lines].reverse()), { confirmed: 0, missing: 0 });
  assert.deepEqual(await take([...lines, line({ amount: first.amount })]), { confirmed: 1, missing: 0 });
  assert.deepEqual(await matches(), { [first.orderId]: 'confirmed', [second.orderId]: 'confirmed' });
});

test('an order is missing only if the day and the next are complete and every line was read, and it is reported once', async () => {
  const order = await paid();
  for (const lines of [around(0, 1, 2), around(-1, 0), around(-1, 0, 1)])
    assert.deepEqual(await take(lines), { confirmed: 0, missing: 0 });
  assert.deepEqual(await take(whole(), { unclear: 1 }), { confirmed: 0, missing: 0 });
  assert.deepEqual(await take(whole()), { confirmed: 0, missing: 1 });
  assert.deepEqual(await take(whole()), { confirmed: 0, missing: 0 });
  const [notice, ...more] = await notified();
  const { count, bank, order: orderId } = notice!.facts;
  assert.deepEqual([count, bank, orderId, more.length], [1, 'HDFC Bank', order.orderId, 0]);
  assert.equal(await shop.statusOf(order.orderId), 'paid', 'and nothing is undone');
});

test('a line without a channel can be the payment, and is not missed if absent', async () => {
  const order = await paid();
  const others = [line({ amount: order.amount, text: 'BY TRANSFER' })];
  assert.deepEqual(await take(whole(), { others }), { confirmed: 1, missing: 0 });
});

test('a later statement with the line clears a missing payment, also one that a person confirmed', async () => {
  const [one, two] = [await paid(), await paid()];
  assert.deepEqual(await take(whole()), { confirmed: 0, missing: 2 });
  const { merchantId } = shop.merchant;
  const { sql, clock } = shop.api.world;
  const by = { by: 'owner@shop.example', now: clock.now() };
  assert.equal(await sql.begin(tx => vouchFor(tx, merchantId, two.orderId, by)), true);
  assert.equal(await sql.begin(tx => vouchFor(tx, merchantId, two.orderId, by)), false);
  await take(whole());
  assert.equal((await matches())[two.orderId], 'vouched', 'the same file takes nobody’s word back');
  assert.deepEqual(await take([...whole(), line(one), line(two)]), { confirmed: 2, missing: 0 });
  assert.deepEqual(await matches(), { [one.orderId]: 'confirmed', [two.orderId]: 'confirmed' });
});

test('if a bank numbers its lines differently, an equal sum proves nothing', async () => {
  const order = await paid();
  const lines = [...whole(), line({ ...order, reference: newReference() })];
  assert.deepEqual(await take(lines), { confirmed: 0, missing: 0 });
});

test('a statement for another account of the same bank proves nothing, nor one from before the bank was set', async () => {
  const { merchantId } = shop.merchant;
  const { sql, clock } = shop.api.world;
  await paid();
  await sql`update upi_accounts set account_digits = '4321' where merchant_id = ${merchantId}`;
  await sql`update alerts set account_digits = '21' where merchant_id = ${merchantId}`;
  assert.deepEqual(await take(whole(), {}, '8765'), { confirmed: 0, missing: 0 });
  await sql`update alerts set account_digits = null where merchant_id = ${merchantId}`;
  assert.deepEqual(await take(whole(), {}, '8765'), { confirmed: 0, missing: 0 });
  await sql`update upi_accounts set bank_named_at = ${later(clock.now(), hour)} where merchant_id = ${merchantId}`;
  assert.deepEqual(await take(whole(), {}, '4321'), { confirmed: 0, missing: 0 });
  await sql`update upi_accounts set bank_named_at = ${later(clock.now(), -hour)} where merchant_id = ${merchantId}`;
  assert.deepEqual(await take(whole(), {}, '4321'), { confirmed: 0, missing: 1 });
});

test('ten statements at once leave one mark per order and one notice', async () => {
  const [missing, there] = [await paid(), await paid()];
  const lines = [...whole(), line(there)];
  const taken = await Promise.all(Array.from({ length: 10 }, () => take(lines)));
  const sum = (name: 'confirmed' | 'missing') => taken.reduce((all, one) => all + one[name], 0);
  assert.deepEqual([sum('confirmed'), sum('missing'), (await notified()).length], [1, 1, 1]);
  assert.deepEqual(await matches(), { [missing.orderId]: 'missing', [there.orderId]: 'confirmed' });
});

test('verify finds a mark of another payment, a line that does not fit or confirms twice, and a confirmation by nobody', async () => {
  const [one, two] = [await paid(), await paid(null)];
  await take([...whole(), line(one), line({ amount: two.amount })]);
  const { sql } = shop.api.world;
  const of = (order: { orderId: string }) => `where order_id = '${order.orderId}'`;
  const found = async (statements: string) =>
    (await breachesAfter(sql, statements)).filter(breach => /statement|line|audit log/.test(breach)).length;
  assert.equal(await found('select'), 0);
  for (const broken of [
    `update statement_marks set alert_id = 'x' ${of(one)}`,
    `update orders set status = 'manual_review', paid_at = null ${of(one)}`,
    `update statement_marks set line_paise = line_paise + 1 ${of(one)}`,
    `update statement_marks set line_day = line_day + 2 ${of(two)}`,
    `update statement_marks set day = day + 1 ${of(one)}`,
    `drop index statement_marks_line; update statement_marks set line_key = 'same', line_day = day`,
    `update statement_marks set state = 'vouched', line_key = null, line_day = null, line_paise = null ${of(one)}`,
  ])
    assert.ok((await found(broken)) > 0, broken);
  // A payment is found by its reference, on whatever day it was booked.
  assert.equal(await found(`update statement_marks set line_day = line_day + 9 ${of(one)}`), 0);
});

test('a mark is deleted with its order', async () => {
  await paid();
  await take(whole());
  const { sql } = shop.api.world;
  await sql
    .begin(async tx => {
      await tx`delete from orders where merchant_id = ${shop.merchant.merchantId}`;
      assert.equal(
        (await tx`select from statement_marks where merchant_id = ${shop.merchant.merchantId}`).length,
        0,
      );
      throw new Error('undone');
    })
    .catch(error => assert.equal(error.message, 'undone'));
});
