import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MilaanError, type NewOrder } from '../../sdk/src/milaan.ts';
import { retryPause } from '../../sdk/src/retry-pause.ts';
import { orderBody } from '../support/api.ts';
import { errorOf } from '../support/error-of.ts';
import { type FailingProxy, type Fault, startFailingProxy } from '../support/failing-proxy.ts';
import { type ListeningApi, openListeningApi } from '../support/listening-api.ts';
import { use } from '../support/use.ts';
import { answer, startReceiver } from '../support/webhook-receiver.ts';

const api = use(openListeningApi);

/** Runs a test with a proxy that fails as listed, and a client that goes through it. */
async function through(
  faults: Fault[],
  options: { timeoutMs?: number; retries?: number; longestPauseMs?: number },
  run: (milaan: ReturnType<ListeningApi['client']>, proxy: FailingProxy) => Promise<void>,
): Promise<void> {
  const proxy = await startFailingProxy(api.url, faults);
  try {
    await run(api.client({ baseUrl: proxy.url, ...options }), proxy);
  } finally {
    await proxy.stop();
  }
}

const newOrder = () => orderBody() as NewOrder;
const busy = (seconds: number): Fault => ({
  status: 503,
  headers: { 'retry-after': String(seconds), 'content-type': 'application/json' },
  body: JSON.stringify({ error: 'all_payment_slots_busy', message: 'Too many open orders.' }),
});

test('a create whose answer was lost is repeated and finds its one order', async () => {
  await through(['drop after', 'drop after'], {}, async (milaan, proxy) => {
    const order = newOrder();
    const created = await milaan.createOrder(order);
    assert.equal(created.idempotent_replay, true);
    assert.equal(proxy.seen.length, 3);
    const page = await milaan.listOrders({ merchant_order_id: order.merchant_order_id });
    assert.deepEqual(
      page.data.map(found => found.order_id),
      [created.order_id],
    );
  });
});

test('a cut connection, a proxy that is starting, a 408 and a 504 are tried again', async () => {
  const page = '<h1>Bad gateway</h1>';
  const faults: Fault[] = ['drop before', ...[502, 408, 504].map(status => ({ status, body: page }))];
  await through(faults, { retries: 4 }, async (milaan, proxy) => {
    assert.deepEqual((await milaan.listOrders({ merchant_order_id: 'nobody' })).data, []);
    assert.equal(proxy.seen.length, 5);
  });
});

test('an attempt that gets no answer in time is given up and tried again', async () => {
  await through(['hang'], { timeoutMs: 3000 }, async (milaan, proxy) => {
    await milaan.listOrders();
    assert.equal(proxy.seen.length, 2);
  });
});

test('stops after the number of retries and says how often it tried', async () => {
  await through(['hang', 'hang', 'hang'], { timeoutMs: 1000, retries: 1 }, async (milaan, proxy) => {
    const error = await errorOf(milaan.listOrders());
    assert.equal(error.code, 'timeout');
    assert.equal(error.status, null);
    assert.equal(error.attempts, 2);
    assert.equal(proxy.seen.length, 2);
  });
});

test('waits as long as Retry-After says when all amounts are taken, and then gets its order', async () => {
  await through([busy(1)], {}, async (milaan, proxy) => {
    assert.equal((await milaan.createOrder(newOrder())).status, 'pending');
    assert.equal(proxy.seen.length, 2);
  });
});

test('reports a Retry-After beyond its bound at once instead of letting a customer wait', async () => {
  await through([busy(60)], {}, async (milaan, proxy) => {
    const error = await errorOf(milaan.createOrder(newOrder()));
    assert.equal(error.code, 'all_payment_slots_busy');
    assert.equal(error.retryAfter, 60);
    assert.equal(proxy.seen.length, 1);
  });
});

test('retries no refusal that would be the same again', async () => {
  await through([], {}, async (milaan, proxy) => {
    await errorOf(milaan.createOrder({ ...newOrder(), amount: -1 }));
    await errorOf(milaan.getOrder('ML-0000000000'));
    assert.equal(proxy.seen.length, 2);
  });
  await through([{ status: 500, body: '{"error":"internal_error"}' }], {}, async (milaan, proxy) => {
    assert.equal((await errorOf(milaan.listOrders())).code, 'internal_error');
    assert.equal(proxy.seen.length, 1);
  });
});

test('never follows a redirect, so that the key reaches no other host', async () => {
  const elsewhere = await startReceiver(answer(200, '{}'));
  const redirect: Fault = { status: 307, headers: { location: elsewhere.url }, body: '' };
  await through([redirect], {}, async milaan => {
    assert.equal((await errorOf(milaan.createOrder(newOrder()))).code, 'unexpected_answer');
  });
  assert.equal(elsewhere.received.length, 0);
  await elsewhere.stop();
});

test('an answer that is not the service’s is reported as such, and not returned as an order', async () => {
  for (const body of ['<html>welcome to the hotel</html>', '[]', 'null', '"paid"']) {
    await through([{ status: 200, body }], {}, async milaan => {
      assert.equal((await errorOf(milaan.getOrder('ML-0123456789'))).code, 'unexpected_answer');
    });
  }
});

test('the caller can end a call, during an attempt and during a pause', async () => {
  for (const faults of [['hang'], [busy(4)]] as Fault[][]) {
    await through(faults, {}, async (milaan, proxy) => {
      const stop = new AbortController();
      const call = milaan.createOrder(newOrder(), { signal: stop.signal });
      while (proxy.seen.length === 0) await new Promise(setImmediate);
      stop.abort(new Error('the customer left'));
      await assert.rejects(call, /the customer left/);
      assert.equal(proxy.seen.length, 1);
    });
  }
});

test('pauses grow, stay below the bound, and differ between clients', () => {
  const rules = { retries: 9, longestPauseMs: 5000 };
  const failed = (attempts: number) => new MilaanError({ code: 'network_error', message: '', attempts });
  const pause = (attempts: number, random: number) => retryPause(failed(attempts), rules, () => random);
  assert.deepEqual([pause(1, 0), pause(1, 1), pause(2, 1), pause(3, 1)], [250, 500, 1000, 2000]);
  assert.equal(pause(9, 1), 5000);
  assert.equal(pause(10, 1), null);
});
