import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../src/base/database/connect.ts';
import { DatabaseAway } from '../../../src/base/database/database-away.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { payAtOnce } from '../../../src/payments/matching/pay-at-once.ts';
import { paidTraces } from '../../support/between-look-and-pay.ts';
import { matchingShop } from '../../support/matching-shop.ts';
import { type Payable, paidTogether, payables } from '../../support/paid-together.ts';

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

test('200 at once, over many businesses and within one: each is paid once, and told once', async () => {
  for (const businesses of [20, 1]) {
    const made = await payables(shop, 100, businesses);
    const outcomes = await Promise.all(made.map(({ credit }) => shop.confirm(credit)));
    assert.deepEqual([...new Set(outcomes.map(({ outcome }) => outcome))], ['paid']);
    await assertPaidOnce(made);
  }
});

test('the connection dies inside the statement, or with the answer of its commit: nothing of it, or all, and repeated all are paid once', async () => {
  const { sql: plain } = world();
  await plain.unsafe(`create function die_together() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
  const deaths = [
    'create trigger die after update on alerts for each row execute function die_together()',
    'create constraint trigger die after update on alerts deferrable initially deferred for each row execute function die_together()',
    null,
  ];
  for (const death of deaths) {
    const made = await payables(shop, 8, 4);
    const sql = paidTogether(plain, 8, () => {
      if (death === null) throw new DatabaseAway(new Error('the answer was lost'));
    });
    if (death) await plain.unsafe(death);
    const ended = await Promise.allSettled(made.map(({ credit }) => payAtOnce({ ...world(), sql }, credit)));
    assert.deepEqual([...new Set(ended.map(({ status }) => status))], ['rejected']);
    const drop = () => plain.unsafe('drop trigger if exists die on alerts');
    // The pool learns a moment later that this connection is dead.
    await drop().catch(drop);
    for (const { credit } of made) {
      const { verdict, orders } = await paidTraces(world(), credit.merchantId, credit);
      assert.deepEqual([verdict, orders], death === null ? ['paid', 1] : ['unjudged', 0]);
    }
    const again = await Promise.all(made.map(({ credit }) => shop.confirm(credit)));
    assert.deepEqual([...new Set(again.map(({ outcome }) => outcome))], ['paid']);
    await assertPaidOnce(made);
  }
});

test('two processes with the same businesses in opposite order, and with the same mails, never wait in a circle', async () => {
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
        const gathered = paidTogether(sql, some.length);
        return some.map(({ credit }) => confirmPayment({ ...world(), sql: gathered }, credit));
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
