import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../src/base/money.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { addTestOrder } from '../support/checkout-site.ts';
import { storedCredit } from '../support/credit.ts';
import { addTestUser, callAs } from '../support/dashboard-site.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { useDashboard } from '../support/use-dashboard.ts';

const { world, site } = useDashboard();

test('each line of the webhook log has its time, led by the customer and the sum; a body of an import shows the event’s name', async () => {
  const buyer = await addTestMerchant(world, { name: 'Log' });
  const { orderId } = await addTestOrder(world, buyer, { payable: 72_37, merchantOrderId: 'K-1066' });
  await world.sql`update orders set customer = ${world.sql.json({ name: 'Meena Iyer' })} where order_id = ${orderId}`;
  await addTestOrder(world, buyer, { payable: 83_37, merchantOrderId: 'K-1067' });
  for (const sum of [72_37, 83_37])
    await confirmPayment(world, await storedCredit(world, buyer.merchantId, { amount: paise(sum) }));
  const caller = await callAs(site, world, await addTestUser(world, buyer.merchantId, 'developer'));
  const log = async () => (await caller.get('/dashboard/webhooks')).body;
  const shown = await log();
  assert.match(
    shown,
    /<bdi>Meena Iyer<\/bdi><\/span><span class="sum"><span class="money">₹72<.*?payment\.paid · <time datetime=/,
  );
  assert.match(shown, /<bdi>Website order K-1067<\/bdi>.*?₹83</);
  for (const body of [
    '{}',
    'no JSON',
    '{"data":{"amount":"1e9"}}',
    '{"data":{"amount":-1,"customer":{"name":7}}}',
  ]) {
    await world.sql`update event_bodies set body = ${body} where merchant_id = ${buyer.merchantId}`;
    assert.match(await log(), /<span class="who cut">payment\.paid</, body);
  }
});

test('the updates to a website are folded on its order, and an order without a webhook address has none', async () => {
  const counter = await addTestMerchant(world, { name: 'Till' });
  const order = await addTestOrder(world, counter, { payable: 61_37 });
  const caller = await callAs(site, world, await addTestUser(world, counter.merchantId, 'owner'));
  const page = async () => (await caller.get(`/dashboard/orders/${order.orderId}`)).body;
  assert.match(await page(), /data-part="webhooks".*None yet: it is sent once the order is paid/s);
  await world.sql`update orders set webhook_url = '' where order_id = ${order.orderId}`;
  assert.doesNotMatch(await page(), /Updates to your website/);
  const credit = await storedCredit(world, counter.merchantId, { amount: paise(61_37) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  assert.doesNotMatch(await page(), /Updates to your website/);
});
