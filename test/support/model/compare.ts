import assert from 'node:assert/strict';
import { minute } from '../../../src/base/clock.ts';
import { isDatabaseDown } from '../../../src/base/database/database-down.ts';
import { orderlessPayments } from '../../../src/payments/matching/queries/orderless.ts';
import type { Model } from './model.ts';
import type { ModelOrder } from './order-and-mail.ts';
import { countsOf, orderlessOf } from './orderless.ts';
import type { Real } from './real.ts';

/** Everything that can be seen from outside, and the verdicts, must be what the model says. */
export async function compare(model: Model, real: Real): Promise<void> {
  assert.equal(real.api.world.clock.now().getTime(), model.now);
  await Promise.all([
    ...real.merchants.map((_, merchant) => compareReads(model, real, merchant)),
    comparePublicStatus(model, real),
    compareEvents(model, real),
    compareVerdicts(model, real),
    compareHandled(model, real),
    compareCollections(model, real),
    compareTrials(model, real),
    compareOrderless(model, real),
  ]);
}

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** The order as get, list and its event show it. */
function shown(model: Model, { merchants }: Real, order: ModelOrder): Record<string, unknown> {
  return {
    order_id: order.orderId,
    merchant_order_id: order.merchantOrderId,
    amount: order.amount / 100,
    payable_amount: order.payable / 100,
    status: model.statusOf(order),
    created_at: iso(order.createdAt),
    expires_at: iso(order.createdAt + 5 * minute),
    paid_at: iso(order.paidAt),
    payment_url: order.paymentUrl,
    upi_uri: order.upiUri,
    payment_account_id: merchants[order.merchant]!.accountIds[order.account],
    success_url: 'https://shop.example.com/thanks',
    failure_url: 'https://shop.example.com/sorry',
    customer: order.customer,
    bank_reference: order.reference,
    received_amount: order.received === null ? null : order.received / 100,
  };
}

async function compareReads(model: Model, real: Real, merchant: number): Promise<void> {
  const { apiKey } = real.merchants[merchant]!;
  const orders = model.ordersOf(merchant);
  // One filter at a time is enough: the next step asks for the next one.
  const filter = ['pending', 'paid', 'expired', 'manual_review', 'failed'][model.looks++ % 5];
  const paths = ['/orders?limit=100', `/orders?limit=100&status=${filter}`];
  const last = orders.at(-1);
  if (last)
    paths.push(
      `/orders/${last.orderId}`,
      `/orders?merchant_order_id=${encodeURIComponent(last.merchantOrderId)}`,
    );
  const answers = await Promise.all(paths.map(path => getPatiently(real, path, apiKey)));
  for (const [index, answer] of answers.entries()) {
    const path = paths[index]!;
    if (model.disabled.has(merchant)) {
      assert.deepEqual([answer.statusCode, answer.json().error], [403, 'merchant_disabled'], path);
      continue;
    }
    assert.equal(answer.statusCode, 200, path);
    if (path.startsWith('/orders/')) {
      assert.deepEqual(answer.json(), shown(model, real, last!), path);
      continue;
    }
    const status = /status=(\w+)/.exec(path)?.[1];
    const expected = path.includes('merchant_order_id')
      ? [last!]
      : orders.filter(order => !status || model.statusOf(order) === status);
    const { data, has_more } = answer.json();
    // Newest first; orders of the same moment come in any order.
    const times = data.map((order: { created_at: string }) => order.created_at);
    assert.deepEqual(times, times.toSorted().reverse(), path);
    assert.deepEqual(byId(data), byId(expected.map(order => shown(model, real, order))), path);
    assert.equal(has_more, false);
  }
}

/** On a busy machine the service asks for patience (503), which says nothing about orders. */
async function getPatiently(real: Real, path: string, apiKey: string) {
  for (;;) {
    const answer = await real.api.get(path, apiKey);
    if (answer.statusCode !== 503) return answer;
  }
}

async function statusPatiently(real: Real, token: string) {
  for (;;) {
    try {
      return await real.publicStatus(token);
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
    }
  }
}

function byId(orders: Record<string, unknown>[]): Record<string, unknown>[] {
  return orders.toSorted((a, b) => (String(a['order_id']) < String(b['order_id']) ? -1 : 1));
}

async function comparePublicStatus(model: Model, real: Real): Promise<void> {
  await Promise.all(
    model.orders.map(async order => {
      const status = model.statusOf(order);
      const target = `https://shop.example.com/${status === 'paid' ? 'thanks' : 'sorry'}`;
      const back = `${target}?order_id=${order.orderId}&merchant_order_id=${encodeURIComponent(order.merchantOrderId)}&status=${status}`;
      assert.deepEqual(await statusPatiently(real, order.paymentUrl.split('/').at(-1)!), {
        order_id: order.orderId,
        status,
        payable_amount: order.payable / 100,
        expires_at: iso(order.createdAt + 5 * minute),
        ...(order.received !== null &&
          (status !== 'paid' || order.received !== order.payable) && {
            received_amount: order.received / 100,
          }),
        ...(status !== 'pending' && status !== 'manual_review' && { return_url: back }),
      });
    }),
  );
}

const idsOf = ({ merchants }: Real) => merchants.map(({ merchantId }) => merchantId);

/** R8: each payment is announced once, with the same content as get returns. */
async function compareEvents(model: Model, real: Real): Promise<void> {
  const rows = await real.api.world.sql<{ order_id: string; body: string; deliveries: number }[]>`
    select e.order_id, b.body, (select count(*) from deliveries d
      where d.merchant_id = e.merchant_id and d.event_id = e.event_id and d.state = 'waiting')::int as deliveries
    from events e join event_bodies b using (merchant_id, event_id) where e.merchant_id in ${real.api.world.sql(idsOf(real))} order by e.order_id`;
  const expected = model.orders
    .filter(({ paidAt }) => paidAt !== null)
    .map(order => ({
      order_id: order.orderId,
      body: { type: 'payment.paid', timestamp: iso(order.paidAt), data: shown(model, real, order) },
      deliveries: 1,
    }));
  assert.deepEqual(
    rows.map(row => ({ ...row, body: JSON.parse(row.body) })),
    byId(expected),
  );
}

async function compareVerdicts(model: Model, real: Real): Promise<void> {
  const rows = await real.api.world.sql<{ alert_id: string; verdict: string; order_id: string | null }[]>`
    select alert_id, verdict, order_id from alerts
    where merchant_id in ${real.api.world.sql(idsOf(real))} order by alert_id`;
  const expected = [...model.mails.values()]
    .map(({ alertId, verdict, orderId }) => ({ alert_id: alertId, verdict, order_id: orderId }))
    .toSorted((a, b) => (a.alert_id < b.alert_id ? -1 : 1));
  assert.deepEqual([...rows], expected);
}

async function compareHandled(model: Model, real: Real): Promise<void> {
  const rows = await real.api.world.sql<{ alert_id: string; state: string }[]>`
    select alert_id, state from handled_credits
    where merchant_id in ${real.api.world.sql(idsOf(real))} order by alert_id`;
  const expected = [...model.mails.values()]
    .filter(({ handled }) => handled !== null)
    .map(({ alertId, handled }) => ({ alert_id: alertId, state: handled }))
    .toSorted((a, b) => (a.alert_id < b.alert_id ? -1 : 1));
  assert.deepEqual([...rows], expected);
}

async function compareTrials(model: Model, real: Real): Promise<void> {
  const rows = await real.api.world.sql<{ merchant_id: number; payments: number }[]>`
    select merchant_id, payments from template_payments where template = 'upi-credit-on-trial'`;
  const counted = new Map(rows.map(row => [row.merchant_id, row.payments]));
  assert.deepEqual(
    idsOf(real).map(merchantId => counted.get(merchantId) ?? 0),
    real.merchants.map((_, merchant) => model.trust.found(merchant)),
  );
}

async function compareCollections(model: Model, real: Real): Promise<void> {
  const [row] = await real.api.world.sql<{ paise: number }[]>`
    select coalesce(sum(collected_paise), 0)::bigint as paise from collections
    where merchant_id in ${real.api.world.sql(idsOf(real))}`;
  assert.equal(
    row!.paise,
    countsOf(model).reduce((sum, count) => sum + count.paise, 0),
  );
}

/** Each is counted, and shown until it moves to an order, here or in another business, or is given back. */
async function compareOrderless(model: Model, real: Real): Promise<void> {
  const { sql, clock } = real.api.world;
  const now = clock.now();
  const rows = await sql<{ alert_id: string; is_left: boolean }[]>`
    select c.alert_id, exists (select from ${orderlessPayments(sql, now)} and t.alert_id = c.alert_id) as is_left
    from takings c where c.merchant_id in ${sql(idsOf(real))} order by c.alert_id`;
  const expected = orderlessOf(model).map(mail => ({
    alert_id: mail.alertId,
    is_left: mail.verdict !== 'paid' && mail.handled !== 'given_back' && model.counted.holds(mail),
  }));
  assert.deepEqual(
    [...rows],
    expected.toSorted((a, b) => (a.alert_id < b.alert_id ? -1 : 1)),
  );
}
