import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { readPlans, storePlans } from '../../../src/business/merchants/plans.ts';
import { noFilter } from '../../../src/dashboard/payments/order-filter.ts';
import { sumMoneyToDo } from '../../../src/dashboard/payments/queries/credits.ts';
import { selectEntries } from '../../../src/dashboard/payments/queries/entries.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import { enterReference } from '../../../src/payments/review/enter-reference.ts';
import { breachesAfter } from '../../support/breaches-after.ts';
import { reviewShop } from '../../support/review-shop.ts';

const shop = reviewShop();
const { order, statusOf, stateOf, accept, collected } = shop;
const sql = () => shop.api.world.sql;
const merchant = () => shop.merchant.merchantId;
const now = () => shop.api.world.clock.now();

async function count(): Promise<void> {
  await sql()`update upi_accounts set counts_takings = true where merchant_id = ${merchant()}`;
}

async function came(rupees: number): Promise<{ alertId: string }> {
  return { alertId: await shop.stray({ amount: paise(rupees * 100), recipient: 'shop@example.in' }) };
}

const toDo = async () => (await sumMoneyToDo(sql(), merchant(), now())).count;

describe('at once', () => {
  test('a payment without an order, judged while orders near its sum are created, is not counted twice', async () => {
    await count();
    const credits = await Promise.all(
      Array.from({ length: 10 }, () => shop.credit({ amount: paise(290_00), recipient: 'shop@example.in' })),
    );
    const both = await Promise.all([
      ...credits.map(credit => shop.confirm(credit)),
      ...Array.from({ length: 10 }, () => order({ amount: 290 })),
    ]);
    assert.equal(both.length, 20);
    const [row] = await sql()`
      select count(*)::int as takings, coalesce(sum(amount_paise), 0)::bigint as paise from takings where merchant_id = ${merchant()}`;
    assert.equal(await collected(), row!['paise']);
    assert.equal((await toDo()) + row!['takings'], 10);
  });

  test('if a customer enters the reference while the mail is judged, the credit is shown with their order', async () => {
    await count();
    for (let turn = 0; turn < 8; turn++) {
      const reference = `69000000029${turn}`;
      const created = await order({ amount: 900 + turn });
      const credit = await shop.credit({ amount: paise(291_00), reference, recipient: 'shop@example.in' });
      const claimed = enterReference(shop.api.world, {
        merchantId: merchant(),
        orderId: created.order_id,
        reference,
        now: now(),
      });
      await Promise.all(turn % 2 ? [claimed, shop.confirm(credit)] : [shop.confirm(credit), claimed]);
      assert.deepEqual(
        [await stateOf(credit.alertId), await statusOf(created.order_id)],
        ['attached', 'manual_review'],
      );
    }
  });

  test('a payment without an order, accepted twenty times at once for two orders, pays one and is counted once', async () => {
    await count();
    const { alertId } = await came(292);
    const orders = [await order({ amount: 305 }), await order({ amount: 306 })];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => accept(alertId, orders[at % 2].order_id)),
    );
    assert.equal(answers.filter(answer => answer === null).length, 1);
    assert.equal(await collected(), 292_00);
  });
});

test('an order with a moved payment leaves with the history window, and its month still adds up', async () => {
  await count();
  const plan = readPlans(null)[0]!;
  await storePlans(sql(), [plan, { ...plan, plan: 'month', history_days: 30 }]);
  await sql()`update merchants set plan = 'month' where merchant_id = ${merchant()}`;
  const [moved] = [await came(297), await came(296)];
  const created = await order({ amount: 500 });
  assert.equal(await accept(moved.alertId, created.order_id), null);
  for (const days of [31, 14, 2]) {
    shop.api.world.clock.advance(days * day);
    await keepHistory(shop.api.world);
  }
  assert.deepEqual([...(await sql()`select from orders where merchant_id = ${merchant()}`)], []);
  assert.equal(await collected(), 297_00 + 296_00);
  const paid = { view: 'paid', filter: noFilter, after: null, limit: 9, now: now() } as const;
  assert.deepEqual(
    (await selectEntries(sql(), merchant(), paid)).filter(({ kind }) => kind === 'credit'),
    [],
  );
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('verify checks payments without an order: each broken row is named', async () => {
  await count();
  const { alertId } = await came(299);
  const moved = await came(298);
  const created = await order({ amount: 500 });
  assert.equal(await accept(moved.alertId, created.order_id), null);
  const found = (statements: string) => breachesAfter(sql(), statements);
  const mail = (change: string) => `update alerts set ${change} where alert_id = '${alertId}'`;
  const broken: [rule: string, statements: string][] = [
    ['takings', `delete from takings where alert_id = '${alertId}'`],
    ['takings', `delete from alerts where alert_id = '${alertId}'`],
    ['takings', mail(`verdict = 'forged'`)],
    ['takings', mail('amount_paise = 1')],
    ['takings', mail('signing_domain = null')],
    ['takings', mail('recipient = null')],
    ['takings', mail('signature_id = null')],
    ['takings', mail(`trust = 'review_only'`)],
    ['takings', `update counted_references set alert_id = 'another' where alert_id = '${alertId}'`],
    ['takings', `update alerts set verdict = 'no_order' where alert_id = '${moved.alertId}'`],
    ['takings', `delete from handled_credits where alert_id = '${moved.alertId}'`],
    [
      'collections',
      `update collections set collected_paise = collected_paise + 29900 where merchant_id = ${merchant()}`,
    ],
    [
      'collections',
      `update takings set counted_at = counted_at - interval '40 days' where alert_id = '${alertId}'`,
    ],
    ['R16', `update alerts set is_ended = true where alert_id = '${moved.alertId}'`],
  ];
  assert.deepEqual(
    (await found('select')).filter(line => !line.startsWith('R1:')),
    [],
  );
  for (const [rule, statements] of broken) {
    const breaches = await found(statements);
    assert.ok(
      breaches.some(line => line.startsWith(`${rule}:`)),
      `${statements}\n${breaches.join('\n')}`,
    );
  }
});
