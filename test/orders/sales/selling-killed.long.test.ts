import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { applySales } from '../../../src/orders/sales/apply-sales.ts';
import { selectPeriods } from '../../../src/orders/sales/queries.ts';
import { breachesAfter } from '../../support/breaches-after.ts';
import { dyingConnection } from '../../support/model/dying-connection.ts';
import { openPlanStage } from '../../support/plan-stage.ts';
import { use, useEach } from '../../support/use.ts';
import { useRules } from '../../support/use-rules.ts';

const stage = use(openPlanStage);
const buyer = useEach(() => stage.addBuyer());
useRules(stage);

test('killed at every statement of a sale, the program gives one period and one receipt anyway', async () => {
  const { sql, clock } = stage.world;
  for (let point = 0; point < 40; point++) {
    const whom = point % 2 === 0 ? buyer : await stage.addBuyer();
    const order = await stage.press(whom, 'gold');
    await stage.pay(order.payable);
    const before = (await selectPeriods(sql, whom.merchantId, { all: true })).length;
    const dying = { ...stage.world, sql: dyingConnection(sql, point) };
    await applySales(dying).catch(() => {});
    const reached = await sql`select from sales where order_id = ${order.order_id} and applied_at is null`;
    await applySales(stage.world);
    assert.equal((await selectPeriods(sql, whom.merchantId, { all: true })).length, before + 1);
    clock.advance(20 * minute);
    if (reached.length === 0) {
      assert.ok(point > 10, `the work ended after ${point} statements`);
      return;
    }
  }
  assert.fail('the work never came to its end');
});

test('verify names a sale without its paid order, a gap in receipts, and periods that do not add up', async () => {
  const { sql } = stage.world;
  const order = await stage.buy(buyer, 'silver');
  await stage.buy(buyer, 'gold');
  const id = order.order_id;
  const changes: [RegExp, string][] = [
    [
      /^sales: sale \S+ of plan silver was given, and its order is pending/,
      `update orders set status = 'pending', paid_at = null, alert_id = null where order_id = '${id}'`,
    ],
    [
      /^sales: sale \S+ says 1 paise for 30000/,
      `update sales set received_paise = 1 where order_id = '${id}'`,
    ],
    [
      /^sales: sale \S+ was given without a receipt/,
      `update sales set receipt_number = null where order_id = '${id}'`,
    ],
    [
      /^sales: merchant \d+ has \d+ receipts, numbered up to 100000/,
      `update sales set receipt_number = 100000 where order_id = '${id}'`,
    ],
    [
      /^terms: plan period \S+ of merchant \d+ lasts .* for 30 \+ 15 days/,
      `update terms set ends_at = ends_at + interval '1 day' where plan = 'gold' and merchant_id = ${buyer.merchantId}`,
    ],
    [
      /^terms: plan periods \S+ and \S+ of merchant \d+ overlap/,
      `update terms set ends_at = ends_at + interval '1 day' where order_id = '${id}'`,
    ],
    [
      /^terms: plan period \S+ of merchant \d+ ended for nobody, which is none/,
      `update terms set ended_by = 'nobody' where order_id = '${id}'`,
    ],
    [
      /^terms: plan period \S+ of merchant \d+ carries 15 days of nobody/,
      `delete from terms where order_id = '${id}'`,
    ],
  ];
  for (const [expected, change] of changes) {
    const found = await breachesAfter(sql, change);
    assert.ok(
      found.some(line => expected.test(line)),
      `${change}\n${found.join('\n')}`,
    );
  }
});
