import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../src/base/database/connect.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { allLookFirst, type Payable, payables } from '../../support/many-payables.ts';
import { matchingShop } from '../../support/matching-shop.ts';

const shop = matchingShop();
const world = () => shop.api.world;

async function assertPaidOnce(made: readonly Payable[]): Promise<void> {
  const { sql } = world();
  const rows = await sql`
    select o.merchant_id, o.order_id, o.received_paise, o.alert_id,
      (select count(*)::int from events e where e.merchant_id = o.merchant_id and e.order_id = o.order_id) as events,
      (select count(*)::int from events e join delivery_queue q using (merchant_id, event_id)
        where e.merchant_id = o.merchant_id and e.order_id = o.order_id) as deliveries
    from orders o where o.status = 'paid' and o.order_id in ${sql(made.map(({ orderId }) => orderId))} order by o.order_id`;
  assert.deepEqual(
    rows.map(row => ({ ...row })),
    made
      .map(({ orderId, credit: { merchantId, amount, alertId } }) => ({
        ...{ merchant_id: merchantId, order_id: orderId, received_paise: amount, alert_id: alertId },
        ...{ events: 1, deliveries: 1 },
      }))
      .sort((a, b) => (a.order_id < b.order_id ? -1 : 1)),
  );
  const sums = Map.groupBy(made, ({ credit }) => credit.merchantId);
  for (const [merchantId, some] of sums) {
    const [row] =
      await sql`select sum(collected_paise)::bigint as paise from collections where merchant_id = ${merchantId}`;
    assert.equal(
      row!['paise'],
      some.reduce((sum, { credit }) => sum + credit.amount, 0),
    );
  }
}

test('200 payments at once, over many businesses and within one, are each paid and sent once', async () => {
  for (const merchants of [20, 1]) {
    const made = await payables(shop, 100, merchants);
    const outcomes = await Promise.all(made.map(({ credit }) => shop.confirm(credit)));
    assert.deepEqual([...new Set(outcomes.map(({ outcome }) => outcome))], ['paid']);
    await assertPaidOnce(made);
  }
});

test('two processes with the same businesses in opposite order, and with the same mails, never deadlock', async () => {
  const other = connect(world().databaseUrl, { most: 8 });
  const deadlocks = async () =>
    (await world().sql`select deadlocks from pg_stat_database where datname = current_database()`)[0]![
      'deadlocks'
    ];
  const before = await deadlocks();
  try {
    for (let race = 0; race < 12; race++) {
      const made = await payables(shop, 16, 8);
      // Every third time both have all of the mails.
      const [one, two] = race % 3 === 2 ? [made, made] : [made.slice(0, 8), made.slice(8)];
      const pay = (sql: typeof other, some: readonly Payable[]) => {
        const together = allLookFirst(sql, some.length);
        return some.map(({ credit }) => confirmPayment({ ...world(), sql: together }, credit));
      };
      const outcomes = await Promise.all([...pay(world().sql, one), ...pay(other, two.toReversed())]);
      assert.deepEqual([...new Set(outcomes.map(({ outcome }) => outcome))], ['paid'], `race ${race}`);
      await assertPaidOnce(made);
    }
    assert.equal(await deadlocks(), before);
  } finally {
    await other.end();
  }
});
