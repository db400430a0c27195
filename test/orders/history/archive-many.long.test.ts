import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteArchived } from '../../../src/orders/history/queries/archives.ts';
import { addManyPayments } from '../../support/many-payments.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);

test('orders of a large business are deleted although its neighbours have two or three each', async () => {
  const { sql, clock } = world;
  const shop = await addTestMerchant(world);
  await addManyPayments(world, shop, 40_000);
  // Statistics as with thousands of businesses: PostgreSQL takes a business that it does not list for one of those.
  await sql`alter table orders alter column merchant_id set (n_distinct = 20000)`;
  await sql`analyze orders`;
  const spentUntil = clock.now();
  const left = await sql.begin(tx =>
    deleteArchived(tx, shop.merchantId, { upTo: clock.now(), limit: 2_000, spentUntil }),
  );
  assert.deepEqual({ ...left }, { removed: 2_000, unarchived: 0 });
});
