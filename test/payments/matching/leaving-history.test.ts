import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '../../../src/base/clock.ts';
import { readPlans, storePlans } from '../../../src/business/merchants/plans.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import type { AttemptResult } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { claimDue } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { recordAttempt } from '../../../src/outbox/webhooks/record-attempt.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { openTestApi } from '../../support/api.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';
import { allPlaces } from '../../support/webhook-world.ts';

let month: TestMerchant;
let forEver: TestMerchant;
const api = use(openTestApi);
prepare(async () => {
  const plan = readPlans(null)[0]!;
  await storePlans(api.world.sql, [plan, { ...plan, plan: 'month', history_days: 30 }]);
  [month, forEver] = [await addTestMerchant(api.world, { plan: 'month' }), await addTestMerchant(api.world)];
});

async function payOne(shop: TestMerchant): Promise<void> {
  const order = (await api.create({}, shop.apiKey)).json();
  await confirmPayment(
    api.world,
    await storedCredit(api.world, shop.merchantId, { amount: payableOf(order) }),
  );
}

const count = async (table: string, merchantId: number, condition = 'true') =>
  (await api.world.sql.unsafe(`select 1 from ${table} where merchant_id = $1 and ${condition}`, [merchantId]))
    .length;

async function left() {
  const { mails, events } = await keepHistory(api.world);
  return { mails, events };
}

const delivered = (): AttemptResult => ({
  outcome: 'delivered',
  failure: null,
  statusCode: 200,
  response: '',
  request: { url: '', headers: {} },
  startedAt: api.world.clock.now(),
  durationMs: 1,
});

test('two weeks after the history window a mail’s bytes and its order’s events are deleted, and the facts stay', async () => {
  const { clock } = api.world;
  await payOne(month);
  await payOne(forEver);
  clock.advance((30 + 14) * day - 1);
  assert.deepEqual(await left(), { mails: 0, events: 0 });

  clock.advance(1);
  assert.deepEqual(await left(), { mails: 1, events: 0 }, 'its webhook is still to be delivered');
  for (const claimed of await claimDue(api.world, allPlaces))
    await recordAttempt(api.world, claimed, delivered());
  assert.deepEqual(await left(), { mails: 0, events: 1 });

  assert.equal(await count('alerts', month.merchantId, 'amount_paise is not null'), 1);
  assert.equal(await count('raw_mails', month.merchantId), 0);
  assert.equal(await count('event_bodies', month.merchantId), 0);
  assert.equal(await count('events', month.merchantId), 0);
  assert.equal(await count('deliveries', month.merchantId), 0);
  assert.equal(await count('raw_mails', forEver.merchantId), 1);
  assert.equal(await count('events', forEver.merchantId), 1);
  assert.deepEqual(await findBreaches(api.world), []);
});

test('a mail that is not yet judged keeps its bytes, however old', async () => {
  const waiting = await storedCredit(api.world, month.merchantId, {
    amount: payableOf({ payable_amount: 9.99 }),
  });
  api.world.clock.advance(60 * day);
  assert.equal((await left()).mails, 0);
  await api.world.sql`update alerts set verdict = 'no_order' where alert_id = ${waiting.alertId}`;
  assert.equal((await left()).mails, 1);
});
