import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import type { Role } from '../../../src/business/accounts/may-do.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addCheckout } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() => openDashboard(world, app => addCheckout(app, world)));
const shop = use(() => addTestMerchant(world, { name: 'Asha Tiffins' }));
prepare(() => connectedMailbox(world, shop.merchantId));
const people = use(async () => {
  const as = async (role: Role) => callAs(site, world, await addTestUser(world, shop.merchantId, role));
  return {
    owner: await as('owner'),
    support: await as('support'),
    cashier: await as('cashier'),
    auditor: await as('auditor'),
  };
});

type Rung = { order_id: string; payable_paise: number; pay_token: string };

async function ring(amount: string): Promise<Rung> {
  const made = await people.cashier.post('/dashboard/counter', { amount });
  const id = String(made.headers.location).split('=').at(-1)!;
  const [order] = await world.sql<Rung[]>`
    select order_id, payable_paise, pay_token from orders where order_id = ${id}`;
  return order!;
}

async function comes(amount: number, payer = 'Ravi'): Promise<string> {
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(amount), payer });
  assert.equal((await confirmPayment(world, credit)).outcome, 'no_order');
  return credit.alertId;
}

const statusOf = async ({ order_id }: Rung) =>
  (await world.sql<{ status: string }[]>`select status from orders where order_id = ${order_id}`)[0]!.status;

/** The screens of one order, as somebody sees them who may see them all. */
const screens = ({ order_id }: Rung) => [
  `/dashboard/counter?order=${order_id}`,
  `/dashboard/orders/${order_id}`,
];

test('a rounded payment is shown at once next to its open or expired order; the customer’s page shows nothing', async () => {
  const order = await ring('45');
  const short = order.payable_paise - 45_00;
  const alert = await comes(45_00);
  const said = `₹45.00 came, ${short === 1 ? '1 paisa' : `${short} paise`} short`;
  const look = async () => {
    for (const path of screens(order)) {
      const { body } = await people.owner.get(path);
      assert.ok(body.includes(said), path);
      assert.match(body, /Ravi/, path);
      assert.ok(
        body.includes(
          path.includes('counter')
            ? `/dashboard/counter/${order.order_id}/accept/${alert}"`
            : `/dashboard/money/${alert}/orders/${order.order_id}"`,
        ),
        path,
      );
      assert.doesNotMatch(body, /nothing came|has not paid/, path);
    }
    const { body } = await people.cashier.get(`/dashboard/counter/live?order=${order.order_id}`);
    assert.match(body, new RegExp(`data-shows="\\w+ ${alert}!"`));
  };
  await look();
  world.clock.advance(6 * minute);
  await look();
  const customer = await people.owner.get(`/pay/${order.pay_token}`);
  assert.doesNotMatch(customer.body, /Ravi|₹45\.00 came/);
  assert.ok(!(await people.owner.get(`/pay/${order.pay_token}/status`)).body.includes('received_amount'));
  // Two taps: to the comparison, and Accept.
  const compared = await people.owner.get(`/dashboard/money/${alert}/orders/${order.order_id}`);
  const accept = /action="([^"]+\/accept)"/.exec(compared.body)![1]!;
  assert.equal((await people.owner.post(accept, {})).statusCode, 303);
  assert.equal(await statusOf(order), 'paid');
  assert.doesNotMatch(
    (await people.owner.get(`/dashboard/orders/${order.order_id}`)).body,
    /Is it this customer/,
  );
});

test('a cashier holds a near miss for their order, its owner is notified, and nothing is accepted by it', async () => {
  const order = await ring('45');
  const alert = await comes(45_00);
  const { body } = await people.cashier.get(`/dashboard/counter?order=${order.order_id}`);
  assert.doesNotMatch(body, /\/dashboard\/money/);
  const action = /action="(\/dashboard\/counter\/[^"]+)"/.exec(body)![1]!;
  const held = await people.cashier.post(action, {});
  assert.equal(held.headers.location, `/dashboard/counter?order=${order.order_id}`);
  assert.equal(await statusOf(order), 'manual_review');
  const seen = (await people.cashier.get(`/dashboard/counter?order=${order.order_id}`)).body;
  assert.match(seen, /The money is held for this order/);
  assert.doesNotMatch(seen, /This customer|\/dashboard\/orders/);
  const [entry] = await world.sql`
    select actor, details from audit_log where merchant_id = ${shop.merchantId} and subject = ${alert}`;
  assert.match(String(entry!['actor']), /cashier/);
  const notified = await world.sql`
    select from notices where merchant_id = ${shop.merchantId} and kind = 'order_waits'`;
  assert.equal(notified.length, 1);
  // Nor is it the money of the next order any more.
  const next = await ring('45');
  const again = await people.cashier.post(`/dashboard/counter/${next.order_id}/hold/${alert}`, {});
  assert.equal(again.statusCode, 303);
  assert.equal(await statusOf(next), 'pending');
  assert.deepEqual(await findBreaches(world), []);
});

test('from the counter nobody holds far sums, money from before the order, or money for an ended order', async () => {
  const early = await comes(77_00);
  world.clock.advance(2 * minute);
  const order = await ring('77');
  const far = await comes(90_00);
  for (const path of screens(order))
    assert.doesNotMatch((await people.owner.get(path)).body, /Is it this customer/, path);
  for (const alert of [early, far, 'alert_none'])
    for (const place of ['counter', 'pay', 'orders']) {
      const path = `/dashboard/${place}/${order.order_id}/hold/${alert}`;
      assert.equal((await people.cashier.post(path, {})).statusCode, place === 'orders' ? 404 : 303);
    }
  assert.equal(await statusOf(order), 'pending');
  const near = await comes(77_00);
  assert.equal(
    (await people.auditor.post(`/dashboard/orders/${order.order_id}/hold/${near}`, {})).statusCode,
    403,
  );
  const shown = (await people.auditor.get(`/dashboard/orders/${order.order_id}`)).body;
  assert.match(shown, /₹77\.00 came/);
  assert.doesNotMatch(shown, /\/hold\//);
  world.clock.advance(6 * minute);
  assert.match(
    (await people.support.get(`/dashboard/orders/${order.order_id}`)).body,
    new RegExp(`action="/dashboard/orders/${order.order_id}/hold/${near}"`),
  );
});

test('if two customers owe nearly the same, both screens say so', async () => {
  const [first, second] = [await ring('61'), await ring('61')];
  await comes(61_00);
  for (const order of [first, second])
    assert.match(
      (await people.cashier.get(`/dashboard/counter?order=${order.order_id}`)).body,
      /Another order asks for nearly as much/,
    );
});

test('the counter, a new payment, its receipt and the order’s page show the price and the added paise', async () => {
  const order = await ring('33');
  const added = `₹33.00 + ₹0.${String(order.payable_paise - 33_00).padStart(2, '0')}, so we know this payment`;
  const [counter, own] = screens(order);
  for (const path of [counter!, own!]) assert.ok((await people.owner.get(path)).body.includes(added), path);
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(order.payable_paise) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  for (const path of [`/dashboard/pay/${order.order_id}`, own!])
    assert.ok((await people.owner.get(path)).body.includes(added), path);
});

test('each of seven open orders of one price shows the near misses', async () => {
  const orders: Rung[] = [];
  for (let n = 0; n < 7; n++) orders.push(await ring('83'));
  await comes(83_00);
  world.clock.advance(6 * minute);
  for (const { order_id } of orders)
    assert.match((await people.cashier.get(`/dashboard/counter?order=${order_id}`)).body, /₹83\.00 came/);
});

test('the exact sum after its time is shown too, not as "nothing received"', async () => {
  const order = await ring('55');
  world.clock.advance(16 * minute);
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(order.payable_paise) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'too_late');
  const shown = (await people.cashier.get(`/dashboard/counter?order=${order.order_id}`)).body;
  assert.match(shown, /₹55\.\d\d came after its time/);
  assert.doesNotMatch(shown, /nothing came/);
});

test('a cashier holds only for today’s orders of the counter, and never what somebody has decided', async () => {
  const order = await ring('47');
  const near = await comes(47_00);
  const attach = (place: string) =>
    people.cashier.post(`/dashboard/${place}/${order.order_id}/hold/${near}`, {});
  await world.sql`update orders set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days' where order_id = ${order.order_id}`;
  assert.equal((await attach('counter')).statusCode, 404);
  await world.sql`update orders set created_at = created_at + interval '2 days', expires_at = expires_at + interval '2 days' where order_id = ${order.order_id}`;
  assert.equal((await attach('orders')).statusCode, 404);
  assert.equal(await statusOf(order), 'pending');
  await attach('counter');
  assert.equal(await statusOf(order), 'manual_review');
  await people.owner.post(`/dashboard/money/${near}/reopen`, {});
  assert.equal(await statusOf(order), 'pending');
  assert.doesNotMatch(
    (await people.cashier.get(`/dashboard/counter?order=${order.order_id}`)).body,
    /Is it this customer/,
  );
  await attach('counter');
  assert.equal(await statusOf(order), 'pending');
});

test('a customer who pays around midnight is still at the counter; yesterday’s customers are not', async () => {
  const day = world.clock.now().toISOString().slice(0, 10);
  const at = (time: string) => world.clock.set(new Date(`${day}T${time}:00Z`));
  at('18:00');
  people.cashier = await callAs(site, world, await addTestUser(world, shop.merchantId, 'cashier'));
  const seen = async ({ order_id }: Rung) =>
    (await people.cashier.get(`/dashboard/counter?order=${order_id}`)).body;
  const over = await ring('60');
  at('18:28');
  const [open, paid] = [await ring('61'), await ring('62')];
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(paid.payable_paise) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  at('18:31');
  assert.match(await seen(open), /counter-qr/, 'awaited on the next day');
  assert.match(await seen(paid), /data-outcome="paid"/);
  for (const time of ['18:32', '18:50']) {
    at(time);
    assert.match(await seen(time === '18:32' ? over : open), /over-panel/);
  }
  at('20:00');
  assert.match(await seen(over), /data-outcome="" data-shows=""/);
});
