import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { enterReference } from '../../../src/payments/review/enter-reference.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, type Caller, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

/** A business's choices about money that needs a person: whether near misses are held, and which events are sent. */

const { world, site } = useDashboard();

async function ownerOf({ merchantId }: TestMerchant): Promise<Caller> {
  return await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
}

async function pay({ merchantId }: TestMerchant, amount: number): Promise<void> {
  await confirmPayment(world, await storedCredit(world, merchantId, { amount: paise(amount) }));
}

async function actionsOf({ merchantId }: TestMerchant): Promise<string[]> {
  const rows = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${merchantId} order by seq`;
  return rows.map(({ action }) => action);
}

test('the owner makes late money wait: the settings show the effect so far, and an untapped payment of a doubted amount waits', async () => {
  const shop = await addTestMerchant(world);
  const owner = await ownerOf(shop);
  const settings = async () => (await owner.get('/dashboard/shop/rules')).body;
  assert.match(await settings(), /id="fresh"/);
  const { merchantId } = shop;
  const again = async (payable: number) => {
    await addTestOrder(world, shop, { payable });
    world.clock.advance(hour);
    const { orderId } = await addTestOrder(world, shop, { payable });
    await world.sql`update orders set seen_at = created_at where order_id = ${orderId}`;
    await world.sql`
      insert into amounts (merchant_id, payable_paise, held_until, order_id, clear_at, doubted_until)
      select merchant_id, payable_paise, created_at + interval '17 minutes', order_id, created_at + interval '24 hours',
        created_at + interval '23 hours' from orders where order_id = ${orderId}
      on conflict (merchant_id, payable_paise) do update
        set order_id = excluded.order_id, held_until = excluded.held_until, doubted_until = excluded.doubted_until`;
    await pay(shop, payable);
    const [row] = await world.sql`select status from orders where order_id = ${orderId}`;
    return row!['status'];
  };
  assert.equal(await again(800_37), 'paid');
  assert.match(await settings(), /at most 1 of 1 payments would have waited/);
  await owner.post('/dashboard/shop/rules', { fresh: 'on' });
  assert.equal(await again(801_37), 'manual_review');
  assert.match(await settings(), /name="fresh" checked/);
  await owner.post('/dashboard/settings/fresh', { fresh: 'off' });
  assert.equal(await again(802_37), 'paid');
  assert.deepEqual(await actionsOf(shop), ['fresh_only.choose', 'fresh_only.choose']);
  const support = await callAs(site, world, await addTestUser(world, merchantId, 'support'));
  assert.equal((await support.post('/dashboard/settings/fresh', { fresh: 'on' })).statusCode, 403);
  assert.equal((await support.post('/dashboard/shop/rules', { fresh: 'on' })).statusCode, 403);
});

test('holding near misses is switched on with one click, and off in the settings', async () => {
  const shop = await addTestMerchant(world);
  const owner = await ownerOf(shop);
  const on = await owner.post('/dashboard/settings/near-misses', { hold: 'on', next: '/dashboard/money' });
  assert.equal(on.headers.location, '/dashboard/money');
  const rules = async () => (await owner.get('/dashboard/shop/rules')).body;
  assert.match(await rules(), /name="near-misses" checked/);
  const next = await addTestOrder(world, shop, { payable: 700_37 });
  await pay(shop, 700_00);
  const waits = await owner.get(`/dashboard/orders/${next.orderId}`);
  assert.match(waits.body, /This order waits for your decision/);
  await owner.post('/dashboard/shop/rules', {});
  assert.doesNotMatch(await rules(), /name="near-misses" checked/);
  assert.deepEqual((await actionsOf(shop)).slice(-2), ['near_misses.choose', 'near_misses.choose']);
});

test('further events are the business’s choice, and its own address is checked like any webhook’s', async () => {
  const shop = await addTestMerchant(world);
  const owner = await ownerOf(shop);
  const choose = (fields: Record<string, string>) => owner.post('/dashboard/webhooks/events', fields);
  const kept = async () => {
    const [row] = await world.sql`
      select webhook_url, wanted_events from merchants where merchant_id = ${shop.merchantId}`;
    return [row!['webhook_url'], row!['wanted_events']];
  };
  for (const url of [
    'http://10.0.0.5/hook',
    'http://intranet/hook',
    'https://db.internal/x',
    'ftp://shop.example',
  ]) {
    const refused = await choose({ event: 'payment.unmatched', webhook_url: url });
    assert.equal(refused.statusCode, 400, url);
    assert.ok(refused.body.includes(`value="${url}"`), 'what was typed is not typed again');
  }
  assert.match(
    (await choose({ event: 'payment.unmatched' })).body,
    /need the webhook address of your business/,
  );
  assert.deepEqual(await kept(), [null, []]);
  world.dns.addresses.set('shop.example', ['93.184.216.34']);
  assert.equal(
    (await choose({ event: 'payment.unmatched', webhook_url: 'https://shop.example/all' })).statusCode,
    303,
  );
  assert.deepEqual(await kept(), ['https://shop.example/all', ['payment.unmatched']]);
  assert.match((await owner.get('/dashboard/webhooks')).body, /value="payment\.unmatched"[^>]* checked/);
  await choose({ event: 'payment.review' });
  assert.deepEqual(await kept(), [null, ['payment.review']]);
  await choose({ event: 'payment.stolen' });
  assert.deepEqual(await kept(), [null, []]);
  assert.ok((await actionsOf(shop)).includes('webhook.events'));
});

test('money detached from an order whose customer typed its reference shows that order’s own sum', async () => {
  const shop = await addTestMerchant(world);
  const { merchantId } = shop;
  const owner = await ownerOf(shop);
  const { orderId } = await addTestOrder(world, shop, { payable: 500_37 });
  const { alertId, ...credit } = await storedCredit(world, merchantId, { amount: paise(420_00) });
  await confirmPayment(world, { alertId, ...credit });
  await enterReference(world, { merchantId, orderId, reference: credit.reference!, now: world.clock.now() });
  await owner.post(`/dashboard/money/${alertId}/reopen`);
  const page = (await owner.get(`/dashboard/money/${alertId}?q=another`)).body.replaceAll(/<[^>]+>/g, '');
  assert.ok(page.includes('Most likely for this order, which asked for ₹500.37.'), page);
});

test('only an order with a webhook address says that the shop is notified', async () => {
  const shop = await addTestMerchant(world);
  const owner = await ownerOf(shop);
  const { orderId } = await addTestOrder(world, shop, { payable: 500_37 });
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(500_00) });
  await confirmPayment(world, credit);
  const path = `/dashboard/money/${credit.alertId}`;
  const decide = async () => (await owner.get(path)).body;
  assert.match(await decide(), /This is final\. Your website is notified and may deliver at once\./);
  await world.sql`update orders set webhook_url = '' where order_id = ${orderId}`;
  assert.match(await decide(), /This is final\./);
  assert.doesNotMatch(await decide(), /is notified/);
  await owner.post(`${path}/orders/${orderId}/accept`);
  const accepted = (await owner.get(`/dashboard/orders/${orderId}`)).body;
  assert.match(accepted, /The order is paid\./);
  assert.doesNotMatch(accepted, /Your website is notified/);
});
