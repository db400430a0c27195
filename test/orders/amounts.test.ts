import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minute } from '../../src/base/clock.ts';
import type { Queryable } from '../../src/base/database/connect.ts';
import { paise } from '../../src/base/money.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { createOrder } from '../../src/orders/create-order.ts';
import { openTestApi } from '../support/api.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use } from '../support/use.ts';
import { waitFor } from '../support/wait-for.ts';

const api = use(openTestApi);

const request = {
  merchantOrderId: 'last',
  successUrl: 'https://shop.example.com/thanks',
  failureUrl: 'https://shop.example.com/sorry',
  webhookUrl: 'https://shop.example.com/hook',
  customer: null,
  account: null,
};

const offsetOf = (order: { payable_amount: number }, amount: number) =>
  Math.round((order.payable_amount - amount) * 100);

describe('payable amounts', () => {
  test('500 simultaneous creates on one base of whole rupees give exactly 297 × 201 and 203 × 503, all amounts different', async () => {
    const shop = await addTestMerchant(api.world);
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => api.createPatiently({ amount: 250 }, shop.apiKey)),
    );
    const created = answers.filter(answer => answer.statusCode <= 201).map(answer => answer.json());
    const busy = answers.filter(answer => answer.statusCode === 503);
    assert.deepEqual([created.length, busy.length], [297, 203]);
    const offsets = created.map(order => offsetOf(order, 250)).sort((a, b) => a - b);
    assert.deepEqual(
      offsets,
      Array.from({ length: 299 }, (_, index) => index + 1).filter(offset => offset % 100 !== 0),
    );
    for (const answer of busy) {
      assert.equal(answer.json().error, 'all_payment_slots_busy');
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d?$/);
    }
    assert.deepEqual(await findBreaches(api.world), []);
  });

  test('200 simultaneous creates with one merchant_order_id give one 201 and 199 replays, and hold one amount', async () => {
    const shop = await addTestMerchant(api.world);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        api.createPatiently({ merchant_order_id: 'same', amount: 75 }, shop.apiKey),
      ),
    );
    assert.equal(answers.filter(answer => answer.statusCode === 201).length, 1);
    assert.equal(
      answers.filter(answer => answer.statusCode === 200 && answer.json().idempotent_replay).length,
      199,
    );
    assert.equal(new Set(answers.map(answer => answer.json().order_id)).size, 1);
    const held = await api.world.sql`select from amounts where merchant_id = ${shop.merchantId}`;
    assert.equal(held.length, 1);
  });

  test('two creates with one merchant_order_id for the last free amount make one order', async () => {
    const { merchantId, apiKey } = await addTestMerchant(api.world);
    await Promise.all(Array.from({ length: 296 }, () => api.createPatiently({ amount: 250 }, apiKey)));
    const create = (sql: Queryable) =>
      createOrder(sql, api.world, { merchantId, signedIn: true }, { ...request, amount: paise(250_00) });
    const { sql } = api.world;
    const isWaiting = async () =>
      (
        await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      ).length > 0;
    let second: ReturnType<typeof create> | undefined;
    const first = await sql.begin(async tx => {
      const created = await create(tx);
      second = create(sql);
      await waitFor('the second to wait for the first', isWaiting);
      return created;
    });
    const { order, replayed } = await second!;
    assert.deepEqual([order.order_id, replayed], [first.order.order_id, true]);
  });

  test('a payable amount is unique over all bases: 499 + 1.37 and 500 + 0.37 are the same amount', async () => {
    const shop = await addTestMerchant(api.world);
    const of = async (amount: number, count: number) =>
      (
        await Promise.all(Array.from({ length: count }, () => api.createPatiently({ amount }, shop.apiKey)))
      ).map(answer => Math.round(answer.json().payable_amount * 100));
    const all = [...(await of(499, 150)), ...(await of(500, 60)), ...(await of(498, 100))];
    assert.equal(new Set(all).size, 310);
    assert.deepEqual(await findBreaches(api.world), []);
  });

  test('offsets above 99 are used only if 1…99 are all held', async () => {
    const shop = await addTestMerchant(api.world);
    const first = await Promise.all(
      Array.from({ length: 99 }, () => api.createPatiently({ amount: 60 }, shop.apiKey)),
    );
    assert.ok(first.every(answer => offsetOf(answer.json(), 60) <= 99));
    const next = (await api.create({ amount: 60 }, shop.apiKey)).json();
    assert.ok(offsetOf(next, 60) > 99);
  });

  test('an amount is held until 12 minutes after expiry, to the millisecond, and then used again', async () => {
    const shop = await addTestMerchant(api.world);
    const { clock } = api.world;
    const payable: number[] = [];
    for (let index = 0; index < 297; index++) {
      payable.push((await api.create({ amount: 5 }, shop.apiKey)).json().payable_amount);
      clock.advance(1);
    }
    clock.advance(17 * minute - 298);
    assert.equal(
      (await api.create({ amount: 5 }, shop.apiKey)).statusCode,
      503,
      'one millisecond before the first is free',
    );
    clock.advance(1);
    assert.equal((await api.create({ amount: 5 }, shop.apiKey)).json().payable_amount, payable[0]);
    assert.equal((await api.create({ amount: 5 }, shop.apiKey)).statusCode, 503);
    clock.advance(1);
    assert.equal((await api.create({ amount: 5 }, shop.apiKey)).json().payable_amount, payable[1]);
    assert.equal((await api.create({ amount: 5 }, shop.apiKey)).statusCode, 503);
    assert.deepEqual(await findBreaches(api.world), []);
  });

  test('an unused amount is preferred to a used one, and of used ones the one used longest ago', async () => {
    const shop = await addTestMerchant(api.world);
    const taken: number[] = [];
    for (let index = 0; index < 101; index++) {
      taken.push((await api.create({ amount: 8 }, shop.apiKey)).json().payable_amount);
      api.world.clock.advance(20 * minute);
    }
    assert.equal(new Set(taken.slice(0, 99)).size, 99);
    assert.deepEqual(taken.slice(99), taken.slice(0, 2));
  });

  test('two merchants’ amounts are independent', async () => {
    const [one, other] = [await addTestMerchant(api.world), await addTestMerchant(api.world)];
    await Promise.all(Array.from({ length: 297 }, () => api.createPatiently({ amount: 9 }, one.apiKey)));
    assert.equal((await api.create({ amount: 9 }, one.apiKey)).statusCode, 503);
    assert.equal((await api.create({ amount: 9 }, other.apiKey)).statusCode, 201);
  });

  test('a usual create is one statement', async () => {
    await api.create();
    const { sql } = api.world;
    const statements = new Set<unknown>();
    const counting = new Proxy(sql, {
      apply(target, self, args) {
        const query = Reflect.apply(target, self, args);
        const then = query.then?.bind(query);
        if (then) {
          // A fragment is never awaited; only what is sent is.
          // biome-ignore lint/suspicious/noThenProperty: counts what is awaited
          query.then = (...handlers: []) => {
            statements.add(query);
            return then(...handlers);
          };
        }
        return query;
      },
    });
    api.world.sql = counting;
    const response = await api.create();
    api.world.sql = sql;
    assert.deepEqual([response.statusCode, statements.size], [201, 1]);
  });
});
