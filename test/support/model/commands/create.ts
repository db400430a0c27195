import assert from 'node:assert/strict';
import fc from 'fast-check';
import { command, hasOrder, orderAt } from '../command.ts';
import { baseAmounts, merchantCount, smallLimit } from '../merchants.ts';
import type { Model } from '../model.ts';
import { momentsOf } from '../moments.ts';
import type { Customer, ModelOrder } from '../order-and-mail.ts';
import { pass } from '../post.ts';
import type { Real } from '../real.ts';

type Created = {
  order_id: string;
  payable_amount: number;
  payment_url: string;
  upi_uri: string;
  status: string;
};
type Wish = { merchant: number; amount: number; account: number | null; customer: Customer | null };

const wish: fc.Arbitrary<Wish> = fc.record({
  merchant: fc.nat({ max: merchantCount - 1 }),
  amount: fc.constantFrom(...baseAmounts),
  account: fc.constantFrom(null, 0, 1),
  customer: fc.constantFrom(null, { name: 'आशा' }, { email: 'asha@example.in', name: 'Asha' }),
});

function bodyOf(real: Real, { merchant, amount, account, customer }: Wish, merchantOrderId: string) {
  return {
    amount: amount / 100,
    merchant_order_id: merchantOrderId,
    ...(customer && { customer }),
    ...(account !== null && { payment_account_id: real.merchants[merchant]!.accountIds[account] }),
  };
}

function addCreated(model: Model, wanted: Wish, merchantOrderId: string, created: Created): ModelOrder {
  assert.equal(created.status, 'pending');
  return model.addOrder({
    merchant: wanted.merchant,
    orderId: created.order_id,
    merchantOrderId,
    amount: wanted.amount,
    payable: Math.round(created.payable_amount * 100),
    account: accountOf(model, wanted),
    customer: wanted.customer,
    paymentUrl: created.payment_url,
    upiUri: created.upi_uri,
  });
}

const accountOf = (model: Model, { merchant, account }: Wish) => account ?? model.defaults[merchant]!;

async function createOne(model: Model, real: Real, wanted: Wish): Promise<void> {
  const id = model.newId();
  const answer = await real.api.createPatiently(
    bodyOf(real, wanted, id),
    real.merchants[wanted.merchant]!.apiKey,
  );
  const refusal = model.refusalOf(wanted.merchant, accountOf(model, wanted));
  if (refusal !== null) {
    assert.equal(answer.json().error, refusal);
    if (refusal === 'plan_limit_reached') {
      const { limit_paise, collected_paise } = answer.json();
      assert.deepEqual([limit_paise, collected_paise], [smallLimit, model.collected(wanted.merchant)]);
    }
    return;
  }
  const free = model.freeAmounts(wanted.merchant, wanted.amount);
  // 200 if the service answered 503 before but had created the order.
  assert.ok(free.length > 0 ? answer.statusCode <= 201 : answer.statusCode === 503, answer.body);
  if (free.length === 0) return assert.equal(answer.json().error, 'all_payment_slots_busy');
  const payable = Math.round(answer.json().payable_amount * 100);
  assert.ok(free.includes(payable), `${payable} was given, ${free} could be`);
  addCreated(model, wanted, id, answer.json());
}

export const create = wish.map(wanted =>
  command('create', wanted, (model, real) => createOne(model, real, wanted)),
);

/** Another order of the same amount, in the last second in which an order holds its own, or in the first after it. */
export const reuse = fc
  .record({ order: fc.nat({ max: 7 }), moment: fc.constantFrom('still held' as const, 'free' as const) })
  .map(params =>
    command(
      'reuse',
      params,
      async (model, real) => {
        const order = orderAt(model, params.order);
        await pass(model, real, momentsOf(order)[params.moment] - model.now);
        await createOne(model, real, order);
      },
      model => hasOrder(model) && model.mayPassTo(momentsOf(orderAt(model, params.order))[params.moment]),
    ),
  );

/** §4.1: the same id again, with the same body, another one, or one that would be refused. */
export const replay = fc
  .record({ order: fc.nat({ max: 7 }), body: fc.constantFrom('same', 'other', 'bad') })
  .map(params =>
    command(
      'replay',
      params,
      async (model, real) => {
        const order = orderAt(model, params.order);
        const { apiKey, accountIds } = real.merchants[order.merchant]!;
        const same = bodyOf(real, order, order.merchantOrderId);
        const change = {
          same,
          other: { ...same, amount: 7, payment_account_id: accountIds[1 - order.account] },
          bad: { ...same, amount: -7, webhook_url: 'http://localhost/', payment_account_id: 'acc_nobody' },
        }[params.body];
        const answer = await real.api.createPatiently(change, apiKey);
        if (model.disabled.has(order.merchant)) return assert.equal(answer.statusCode, 403);
        assert.equal(answer.statusCode, 200, answer.body);
        const { order_id, payable_amount, status, payment_account_id, idempotent_replay } = answer.json();
        assert.deepEqual(
          { order_id, payable_amount, status, payment_account_id, idempotent_replay },
          {
            order_id: order.orderId,
            payable_amount: order.payable / 100,
            status: model.statusOf(order),
            payment_account_id: accountIds[order.account],
            idempotent_replay: true,
          },
        );
      },
      hasOrder,
    ),
  );

/** A refused create leaves nothing behind: no order, and no amount held. */
export const refusedCreate = fc
  .record({
    wanted: wish,
    fault: fc.constantFrom('no id', 'no amount', "another's account", 'private webhook'),
  })
  .map(params =>
    command('refusedCreate', params, async (model, real) => {
      const { wanted, fault } = params;
      const other = real.merchants[(wanted.merchant + 1) % merchantCount]!;
      const change = {
        'no id': { merchant_order_id: undefined },
        'no amount': { amount: undefined },
        "another's account": { payment_account_id: other.accountId },
        'private webhook': { webhook_url: 'https://10.0.0.1/hook' },
      }[fault];
      const body = { ...bodyOf(real, wanted, model.newId()), ...change };
      const answer = await real.api.createPatiently(body, real.merchants[wanted.merchant]!.apiKey);
      assert.equal(answer.statusCode, model.disabled.has(wanted.merchant) ? 403 : 400, answer.body);
    }),
  );

/** Several creates at once: with one id they are one order, with ids of their own each gets its own amount. */
export const burst = fc
  .record({ wanted: wish, count: fc.integer({ min: 2, max: 5 }), oneId: fc.boolean() })
  .map(params =>
    command(
      'burst',
      params,
      async (model, real) => {
        const { wanted, count, oneId } = params;
        const free = model.everyFreeAmount(wanted.merchant, wanted.amount);
        const one = model.newId();
        const ids = Array.from({ length: count }, () => (oneId ? one : model.newId()));
        const { apiKey } = real.merchants[wanted.merchant]!;
        const answers = await Promise.all(
          ids.map(id => real.api.createPatiently(bodyOf(real, wanted, id), apiKey)),
        );
        const created = answers.flatMap((answer, index) =>
          answer.statusCode <= 201 ? [{ id: ids[index]!, order: answer.json() as Created }] : [],
        );
        const orders = [...new Map(created.map(one => [one.order.order_id, one])).values()];
        assert.equal(orders.length, Math.min(oneId ? 1 : count, free.length));
        assert.ok(!oneId || answers.filter(answer => answer.statusCode === 201).length <= 1);
        const payables = orders.map(({ order }) => Math.round(order.payable_amount * 100));
        assert.equal(new Set(payables).size, payables.length);
        for (const payable of payables) assert.ok(free.includes(payable), `${payable} was not free`);
        const isWide = (payable: number) => payable - wanted.amount > 99;
        const narrow = free.filter(payable => !isWide(payable)).length;
        assert.equal(
          payables.filter(isWide).length,
          Math.max(0, orders.length - narrow),
          'wide without need',
        );
        const refused = answers.filter(answer => answer.statusCode > 201).map(answer => answer.statusCode);
        assert.equal(refused.length, free.length > 0 && oneId ? 0 : count - orders.length);
        assert.ok(refused.every(status => status === 503));
        for (const { id, order } of orders) addCreated(model, wanted, id, order);
      },
      model => model.refusalOf(params.wanted.merchant, accountOf(model, params.wanted)) === null,
    ),
  );
