import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectReport } from '../../../src/dashboard/reports/queries.ts';
import { addManyPayments, leaveUnknown } from '../../support/many-payments.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);

test('the register works also if a statement lacks thousands of payments', async () => {
  const { sql } = world;
  const shop = await addTestMerchant(world);
  await addManyPayments(world, shop, 20_000);
  await leaveUnknown(sql, 'statement_marks');
  await sql`
    insert into statement_marks (merchant_id, order_id, alert_id, bank, day, state, marked_by, marked_at)
    select merchant_id, order_id, alert_id, 'hdfc', paid_at::date, 'missing', 'owner', paid_at from orders
    where merchant_id = ${shop.merchantId} and right(order_id, 1) = '0'`;
  const rows = await selectReport(sql, shop.merchantId, { from: '2026-10-01', to: '2026-12-01' }, [
    'month',
    'vpa',
  ]);
  const sum = (key: 'count' | 'missing') => rows.reduce((all, row) => all + row[key], 0);
  assert.deepEqual([sum('count'), sum('missing')], [20_000, 2_000]);
});
