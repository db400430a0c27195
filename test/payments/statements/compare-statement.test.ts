import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { compareStatement, mostShown } from '../../../src/payments/statements/compare-statement.ts';
import type { StatementLine } from '../../../src/payments/statements/read-lines.ts';
import { matchingShop } from '../../support/matching-shop.ts';

const shop = matchingShop();

let made = 0;
const newReference = () => String(691_700_000_000 + ++made);
const today = () => new Date(shop.api.world.clock.now().getTime() + 330 * minute).toISOString().slice(0, 10);

function line(change: Partial<StatementLine> = {}): StatementLine {
  return { day: today(), amount: paise(500_00), reference: newReference(), text: 'UPI', ...change };
}

/** A genuine payment that paid no order, as its mail reported it. */
async function reported(amount: number, reference: string | null) {
  const credit = await shop.credit({ amount: paise(amount), reference });
  await shop.confirm(credit);
  return credit;
}

const compare = async (lines: StatementLine[], bank = 'hdfc') =>
  (await compareStatement(
    shop.api.world.sql,
    shop.merchant.merchantId,
    { bank, digits: null },
    { lines, others: [], unclear: 0, covers: null },
  ))!;

test('lines and mails match by reference, with any leading zeros, and a paid order counts', async () => {
  const order = await shop.order();
  const [paid, stray] = [newReference(), newReference()];
  const amount = paise(Math.round(order.payable_amount * 100));
  await shop.confirm(await shop.credit({ amount, reference: `0${paid}` }));
  await reported(600_00, stray);
  const { matched, unreported, unlisted } = await compare([
    line({ amount, reference: paid }),
    line({ amount: paise(600_00), reference: stray }),
  ]);
  assert.deepEqual(matched, { count: 2, sum: amount + 600_00 });
  assert.deepEqual([unreported.count, unlisted.count], [0, 0]);
});

test('money without a mail, a mail without a line and a different sum are distinguished', async () => {
  const [both, unlistedOne] = [newReference(), newReference()];
  await reported(700_00, both);
  await reported(701_00, unlistedOne);
  const missing = line({ amount: paise(702_00) });
  const comparison = await compare([line({ amount: paise(699_00), reference: both }), missing]);
  assert.deepEqual(comparison.unreported.shown, [missing]);
  assert.equal(comparison.unlisted.shown[0]!.reference, unlistedOne);
  assert.deepEqual(
    comparison.differing.shown.map(({ line: booked, credit }) => [booked.amount, credit.amount_paise]),
    [[699_00, 700_00]],
  );
});

test('without a reference on one side, sum and day match them, each once', async () => {
  await reported(800_00, null);
  await reported(801_00, newReference());
  const one = await compare([
    line({ amount: paise(800_00) }),
    line({ amount: paise(800_00) }),
    line({ amount: paise(801_00), reference: null }),
  ]);
  assert.deepEqual([one.matched.count, one.unreported.count], [2, 1]);
  // Two references that differ are two payments, however alike they look.
  await reported(802_00, newReference());
  const two = await compare([line({ amount: paise(802_00) })]);
  assert.deepEqual([two.matched.count, two.unreported.count], [0, 1]);
});

test('a payment of the late evening that is booked on the next day is found', async () => {
  const reference = newReference();
  await reported(803_00, reference);
  const next = new Date(Date.parse(today()) + 86_400_000).toISOString().slice(0, 10);
  const { matched, unreported } = await compare([line({ amount: paise(803_00), reference, day: next })]);
  assert.deepEqual([matched.count, unreported.count], [1, 0]);
});

test('a mail that was refused is distinguished from one that never came', async () => {
  const reference = newReference();
  await reported(804_00, reference);
  await shop.api.world.sql`update alerts set verdict = 'wrong_account' where bank_reference = ${reference}`;
  const { refused, unreported } = await compare([line({ amount: paise(804_00), reference })]);
  assert.deepEqual([refused.count, unreported.count], [1, 0]);
  assert.equal((await compare([line()])).unlisted.count, 0, 'and it is missed in no statement');
});

test('mails of another bank and of another business are not compared', async () => {
  const reference = newReference();
  await reported(805_00, reference);
  const { matched, unlisted } = await compare([line({ amount: paise(805_00), reference })], 'icici');
  assert.deepEqual([matched.count, unlisted.count], [0, 0]);
  const none = await compareStatement(
    shop.api.world.sql,
    0,
    { bank: 'hdfc', digits: null },
    { lines: [line({ reference })], others: [], unclear: 0, covers: null },
  );
  assert.equal(none!.matched.count, 0);
});

test('the same file twice changes nothing and reports the same; a long list is counted whole and shown in part', async () => {
  const lines = Array.from({ length: 50_000 }, (_, at) =>
    line({ amount: paise(1_00), reference: String(500_000_000_000 + at) }),
  );
  const count = async () => (await shop.api.world.sql`select count(*) from alerts`)[0]!['count'];
  const before = await count();
  const first = await compare(lines);
  assert.deepEqual(await compare(lines), first);
  assert.deepEqual(
    [first.unreported.count, first.unreported.sum, first.unreported.shown.length],
    [50_000, 50_000_00, mostShown],
  );
  assert.equal(await count(), before);
});
