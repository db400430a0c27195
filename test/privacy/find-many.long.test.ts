import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectNotified } from '../../src/privacy/queries/finding.ts';
import { addManyPayments, leaveUnknown } from '../support/many-payments.ts';
import { addTestMerchant, openTestWorld } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const world = use(openTestWorld);

test('notices about a person are found among thousands without statistics in PostgreSQL', async () => {
  const { sql, clock } = world;
  const shop = await addTestMerchant(world);
  const { merchantId } = shop;
  await addManyPayments(world, shop, 15_000);
  await leaveUnknown(sql, 'notices');
  await sql`
    insert into notices (merchant_id, kind, dedupe_key, created_at, facts)
    select merchant_id, 'money_unmatched', alert_id, ${clock.now()}, jsonb_build_object('payer', payer,
      'at', to_char(alert_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from alerts where merchant_id = ${merchantId}`;
  const asked = Array.from({ length: 40 }, (_, place) => `a${place + 1}`);
  const notified = await selectNotified(sql, merchantId, asked, []);
  assert.deepEqual([notified.length, notified[0]?.kind], [40, 'notice']);
});
