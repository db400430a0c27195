import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertConfirmed, insertMissing } from '../../../src/payments/statements/queries/matches.ts';
import { addManyPayments, leaveUnknown } from '../../support/many-payments.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);

test('thousands of statement lines are stored before PostgreSQL has statistics about the table', async () => {
  const { sql, clock } = world;
  const shop = await addTestMerchant(world);
  const { merchantId } = shop;
  await addManyPayments(world, shop, 20_000);
  await leaveUnknown(sql, 'statement_marks');
  await sql`
    insert into statement_marks (merchant_id, order_id, alert_id, bank, day, state, line_key, line_day, line_paise, line_text,
      marked_by, marked_at)
    select merchant_id, order_id, alert_id, 'hdfc', paid_at::date, 'confirmed', bank_reference, paid_at::date, received_paise, 'UPI',
      'owner', paid_at
    from orders
    where merchant_id = ${merchantId} and right(order_id, 1) <> '0'`;
  // Half of them confirm an order for the first time.
  const lines = Array.from({ length: 4_000 }, (_, place) => 5 * (place + 1) - (place % 2 === 0 ? 1 : 0));
  const found = lines.map(n => ({
    order_id: `o${n}`,
    credit: { alert_id: `a${n}` },
    day: '2026-11-01',
    booked: { key: `${700_000_000_000 + n}`, day: '2026-11-01', amount: 100_001, text: 'UPI' },
  })) as unknown as Parameters<typeof insertConfirmed>[2];
  const common = { merchantId, bank: 'hdfc', by: 'owner', now: clock.now() };
  await sql.begin(async tx => {
    assert.equal(await insertConfirmed(tx, common, found), 2_000);
    assert.deepEqual(await insertMissing(tx, common, found), []);
  });
});
