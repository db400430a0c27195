import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Shop, startShop } from '../../examples/shop/start-shop.ts';
import { minute } from '../../src/base/clock.ts';
import { until } from '../support/until.ts';
import { openWholeService, type WholeService } from '../support/whole-service.ts';

let service: WholeService;
let shop: Shop;
let folder: string;
const options = () => ({
  port: 0,
  baseUrl: service.url,
  apiKey: service.merchant.apiKey,
  webhookSecret: service.webhookSecret,
  clock: service.world.clock,
  ordersFile: join(folder, 'orders.jsonl'),
});
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'milaan-shop-'));
  service = await openWholeService();
  shop = await startShop(options());
});
after(async () => {
  await shop.stop();
  await service.stop();
  rmSync(folder, { recursive: true });
});

const text = async (path: string) => await (await fetch(shop.url + path)).text();
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(shop.url + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    redirect: 'manual',
  });

/** Presses a buy button of the front page; returns the number it carries and where it leads. */
async function buy(
  product: string,
): Promise<{ number: string; again(): Promise<Response>; location: string }> {
  const [, number = ''] =
    new RegExp(`value="${product}"><input type="hidden" name="number" value="([^"]+)"`).exec(
      await text('/'),
    ) ?? [];
  const again = () => post('/buy', `product=${product}&number=${number}`);
  return { number, again, location: (await again()).headers.get('location') ?? '' };
}

async function stateOf(number: string): Promise<string> {
  return (
    new RegExp(`data-order="${number}" data-state="(\\w+)"`).exec(await text('/orders'))?.[1] ?? 'unknown'
  );
}

async function orderOf(
  number: string,
): Promise<{ order_id: string; payable_amount: number; amount: number }> {
  const response = await fetch(`${service.url}/api/v1/orders?merchant_order_id=${number}`, {
    headers: { 'x-api-key': service.merchant.apiKey },
  });
  const { data } = (await response.json()) as { data: Awaited<ReturnType<typeof orderOf>>[] };
  assert.equal(data.length, 1);
  return data[0]!;
}

test('a button pressed twice creates one order, and both lead to the same payment page', async () => {
  const { number, location, again } = await buy('assam');
  assert.match(location, new RegExp(`^${service.url}/pay/`));
  assert.equal((await again()).headers.get('location'), location);
  assert.equal((await orderOf(number)).amount, 349);
  assert.equal((await fetch(location)).status, 200);
});

test('an order becomes paid by the service’s webhook, and the customer is thanked', async () => {
  const { number } = await buy('masala');
  assert.match(await text(`/back/${number}?status=paid`), /Waiting for the bank/);
  await service.pay((await orderOf(number)).payable_amount, '620132678599');
  await until('the shop hears of the payment', async () => (await stateOf(number)) === 'paid');
  assert.match(await text('/orders'), /told by webhook · bank reference 620132678599/);
  assert.match(await text(`/back/${number}`), /Thank you, it is paid/);
});

test('the return page’s address is not believed', async () => {
  const { number } = await buy('kulhad');
  const page = await text(`/back/${number}?status=paid&order_id=ML-0000000000&merchant_order_id=${number}`);
  assert.doesNotMatch(page, /it is paid/);
  assert.equal(await stateOf(number), 'pending');
});

test('a webhook that is unsigned, wrongly signed or endless is refused and changes nothing', async () => {
  const { number } = await buy('assam');
  const { order_id } = await orderOf(number);
  const body = JSON.stringify({
    type: 'payment.paid',
    timestamp: service.world.clock.now().toISOString(),
    data: { order_id, merchant_order_id: number, status: 'paid', amount: 349 },
  });
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(service.world.clock.now().getTime() / 1000)),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
  };
  assert.equal((await post('/webhooks/upi', body, headers)).status, 400);
  assert.equal((await post('/webhooks/upi', body)).status, 400);
  assert.equal((await post('/webhooks/upi', 'x'.repeat(70_000), headers)).status, 413);
  assert.equal(await stateOf(number), 'pending');
});

test('the widget’s order has the shop’s price, whatever amount the browser sends', async () => {
  const [, create = ''] = /data-create="([^"]+)"/.exec(await text('/widget/kulhad')) ?? [];
  const response = await post(create.replaceAll('&amp;', '&'), '{"amount":1}', {
    'content-type': 'application/json',
  });
  const created = (await response.json()) as { order_id: string; payable_amount: number };
  assert.ok(created.payable_amount > 540 && created.payable_amount < 543);
  const number = /number=(tea-[^&]+)/.exec(create)![1]!;
  const status = await (await fetch(`${shop.url}/order-status/${number}/${created.order_id}`)).json();
  assert.equal((status as { status: string }).status, 'pending');
  const strange = await fetch(`${shop.url}/order-status/tea-0123456789abcdef/${created.order_id}`);
  assert.equal(strange.status, 404);
});

test('a customer who tries again in the widget after the link ended gets a new order', async () => {
  const [, create = ''] = /data-create="([^"]+)"/.exec(await text('/widget/assam')) ?? [];
  const send = async () =>
    (await (await post(create.replaceAll('&amp;', '&'), '{}')).json()) as {
      order_id: string;
      status: string;
    };
  const first = await send();
  assert.equal((await send()).order_id, first.order_id);
  service.world.clock.advance(6 * minute);
  const next = await send();
  assert.notEqual(next.order_id, first.order_id);
  assert.equal(next.status, 'pending');
});

test('an order whose webhook was lost is found after 15 minutes, also by a shop that was restarted', async () => {
  const [lost, unpaid] = [await buy('assam'), await buy('masala')];
  const { order_id, payable_amount } = await orderOf(lost.number);
  await shop.stop();
  await service.pay(payable_amount);
  await until('the service tried to tell', async () => {
    const rows = await service.world
      .sql`select 1 from deliveries d join events e using (merchant_id, event_id) where e.order_id = ${order_id} and d.attempt > 1`;
    return rows.length > 0;
  });
  shop = await startShop(options());
  await post('/reconcile', '');
  assert.equal(await stateOf(lost.number), 'pending');
  service.world.clock.advance(15 * minute + 1);
  await post('/reconcile', '');
  assert.equal(await stateOf(lost.number), 'paid');
  assert.match(await text('/orders'), /found by reconciliation/);
  assert.equal(await stateOf(unpaid.number), 'expired');
});

test('a missing product, order or page gets a page that says so', async () => {
  for (const path of ['/widget/gold', '/back/tea-nobody', '/anything']) {
    assert.equal((await fetch(shop.url + path)).status, 404, path);
  }
  assert.equal((await post('/buy', 'product=gold&number=tea-1')).status, 404);
  assert.equal((await post('/buy', 'product=assam&number=%3Cscript%3E')).status, 404);
});
