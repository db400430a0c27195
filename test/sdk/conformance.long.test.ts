import assert from 'node:assert/strict';
import { ApiError, refusalCodes } from '../../src/base/http/api-error.ts';
import { buildDashboard } from '../../src/dashboard/frame/build-dashboard.ts';
import { dashboardRoutes } from '../../src/dashboard/routes.ts';
import { connectRoutes } from '../../src/developers/connect/routes.ts';
import { orderBody } from '../support/api.ts';
import { addTestUser, callAs } from '../support/dashboard-site.ts';
import { everyClient } from '../support/every-client.ts';
import { type Fault, type Through, throughFaults } from '../support/failing-proxy.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use } from '../support/use.ts';
import { answer, startReceiver } from '../support/webhook-receiver.ts';
import { openWholeService } from '../support/whole-service.ts';

const { everywhere, tabled } = everyClient();
const service = use(async () =>
  openWholeService(async (app, world) => {
    await connectRoutes(app, world);
    dashboardRoutes(app, world, { files: await buildDashboard() });
  }),
);

const here = () => ({ baseUrl: `${service.url}/`, apiKey: service.merchant.apiKey });

const through: Through = (faults, play) => throughFaults(service.url, faults, play);

everywhere('`createOrder`, and the same order again under the same id', async client => {
  const args = orderBody({ customer: { name: 'आशा 👍', email: 'asha@mail.example' } });
  const first = await client.ask({ ...here(), call: 'createOrder', args });
  assert.match(first.value?.order_id, /^ML-\d{10}$/);
  assert.equal(first.value?.status, 'pending');
  assert.equal(first.value?.idempotent_replay, undefined);
  const again = await client.ask({ ...here(), call: 'createOrder', args });
  assert.deepEqual(again.value, { ...first.value, idempotent_replay: true });
});

everywhere('`getOrder`, with `received_amount` where the service has it', async client => {
  const args = orderBody({ customer: { name: 'आशा 👍' } });
  const created = (await client.ask({ ...here(), call: 'createOrder', args })).value;
  await service.pay(created.payable_amount);
  const { value } = await client.ask({ ...here(), call: 'getOrder', args: { orderId: created.order_id } });
  const expected = await fetch(`${service.url}/api/v1/orders/${created.order_id}`, {
    headers: { 'x-api-key': service.merchant.apiKey },
  });
  assert.equal(value.status, 'paid');
  assert.deepEqual(value, await expected.json());
});

everywhere('`listOrders`, one page, filtered', async client => {
  const { apiKey } = await addTestMerchant(service.world);
  const ask = { ...here(), apiKey };
  for (const _ of [1, 2, 3]) await client.ask({ ...ask, call: 'createOrder', args: orderBody() });
  const page = await client.ask({ ...ask, call: 'listOrders', args: { status: 'pending', limit: 2 } });
  assert.deepEqual([page.value?.data.length, page.value?.has_more], [2, true]);
  const next = { limit: 2, cursor: page.value?.next_cursor };
  const last = await client.ask({ ...ask, call: 'listOrders', args: next });
  assert.deepEqual(
    [last.value?.data.length, last.value?.has_more, last.value?.next_cursor],
    [1, false, null],
  );
  const id = 'a b&c=ड#?';
  await client.ask({ ...ask, call: 'createOrder', args: orderBody({ merchant_order_id: id }) });
  const found = await client.ask({ ...ask, call: 'listOrders', args: { merchant_order_id: id } });
  assert.deepEqual(
    found.value?.data.map((order: { merchant_order_id: string }) => order.merchant_order_id),
    [id],
  );
});

everywhere('`orders`, all pages', async client => {
  const { apiKey } = await addTestMerchant(service.world);
  const ask = { ...here(), apiKey };
  const made: string[] = [];
  for (let at = 0; at < 5; at++)
    made.unshift((await client.ask({ ...ask, call: 'createOrder', args: orderBody() })).value.order_id);
  const all = await client.ask({ ...ask, call: 'orders', args: { limit: 2 } });
  const ids = all.value?.map((order: { order_id: string }) => order.order_id);
  assert.deepEqual(ids.sort(), made.sort());
});

everywhere(
  '`reconcile`: one bad answer stops nothing, and a lost create is found by your own id',
  async client => {
    const lost = orderBody();
    const kept = orderBody();
    await client.ask({ ...here(), call: 'createOrder', args: lost });
    const { value } = await client.ask({ ...here(), call: 'createOrder', args: kept });
    const pending = [
      { merchant_order_id: 'refused', order_id: value.order_id },
      { merchant_order_id: lost['merchant_order_id'], order_id: null },
      { merchant_order_id: 'gone', order_id: 'ML-0000000000' },
      { merchant_order_id: 'never arrived' },
      { merchant_order_id: kept['merchant_order_id'], order_id: value.order_id },
    ];
    const broken: Fault = { status: 200, body: '<h1>Hello from a proxy</h1>' };
    await through([broken], async ({ url }) => {
      const said = await client.ask({ ...here(), baseUrl: url, call: 'reconcile', args: { pending } });
      assert.deepEqual(
        said.value?.map((one: Record<string, Record<string, unknown> | null>) => [
          one['merchant_order_id'],
          one['order']?.['merchant_order_id'] ?? null,
          one['error']?.['code'] ?? null,
        ]),
        [
          ['refused', null, 'unexpected_answer'],
          [lost['merchant_order_id'], lost['merchant_order_id'], null],
          ['gone', null, 'order_not_found'],
          ['never arrived', null, null],
          [kept['merchant_order_id'], kept['merchant_order_id'], null],
        ],
      );
    });
  },
);

everywhere('`startConnect` and `finishConnect`', async client => {
  const { world, merchant, site } = service;
  const owner = await callAs(
    { ...site, origin: service.url },
    world,
    await addTestUser(world, merchant.merchantId, 'owner'),
  );
  const shop = {
    shop_name: 'आनन्द Tea & Co.',
    return_url: 'https://tea.example/back?page=settings',
    webhook_url: 'https://tea.example/hook',
  };
  const { value: kept } = await client.ask({ ...here(), call: 'startConnect', args: shop });
  const url = new URL(kept.url);
  assert.equal(url.origin + url.pathname, `${service.url}/connect`);
  assert.equal((await owner.get(`/dashboard/connect${url.search}`)).statusCode, 200);
  const agreed = async (answer: string) => {
    const fields = Object.fromEntries(url.searchParams);
    const sent = await owner.post('/dashboard/connect', {
      ...fields,
      payment_account_id: merchant.accountId,
      answer,
    });
    return Object.fromEntries(new URL(String(sent.headers.location)).searchParams);
  };
  const finish = async (query: Record<string, string>) =>
    await client.ask({ call: 'finishConnect', args: { kept, query } });
  assert.equal((await finish(await agreed('decline'))).error?.['code'], 'access_denied');
  const query = await agreed('agree');
  assert.equal((await finish({ ...query, state: `${query['state']}x` })).error?.['code'], 'wrong_state');
  assert.equal((await finish({ ...query, state: '' })).error?.['code'], 'wrong_state');
  assert.equal((await finish({ ...query, iss: 'https://evil.example' })).error?.['code'], 'wrong_state');
  assert.equal((await finish({ ...query, code: 'x'.repeat(52) })).error?.['code'], 'invalid_code');
  const { value } = await finish(query);
  assert.match(value?.webhook_secret, /^whsec_/);
  assert.notEqual(value?.webhook_secret, service.webhookSecret, 'a secret of its own');
  const list = await client.ask({ baseUrl: value.base_url, apiKey: value.api_key, call: 'listOrders' });
  assert.ok(Array.isArray(list.value?.data));
});

everywhere(
  'tried again with the same id: no connection, a lost answer, 408, 429, 502, 503, 504',
  async client => {
    const page = '<h1>Bad gateway</h1>';
    const faults: Fault[] = [
      'drop before',
      'drop after',
      ...[408, 429, 502, 503, 504].map(status => ({ status, body: page })),
    ];
    await through(faults, async ({ url, seen }) => {
      const ask = { ...here(), baseUrl: url, options: { retries: 7, longestPauseMs: 20 } };
      const said = await client.ask({ ...ask, call: 'createOrder', args: orderBody() });
      assert.equal(said.value?.idempotent_replay, true);
      assert.equal(seen.length, 8);
    });
  },
);

everywhere(
  'not tried again: other refusals, a `Retry-After` longer than the longest pause, no retries left',
  async client => {
    const refusal = (status: number, headers = {}): Fault => ({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ error: 'a_code_of_tomorrow', message: 'No.' }),
    });
    const ask = { ...here(), call: 'getOrder', args: { orderId: 'ML-1' } };
    for (const fault of [refusal(400), refusal(500), refusal(503, { 'retry-after': '60' })])
      await through([fault], async ({ url, seen }) => {
        const said = await client.ask({ ...ask, baseUrl: url });
        assert.deepEqual([said.error?.['code'], said.error?.['attempts']], ['a_code_of_tomorrow', 1]);
        assert.equal(seen.length, 1);
      });
    await through([refusal(503), refusal(503)], async ({ url, seen }) => {
      const said = await client.ask({ ...ask, baseUrl: url, options: { retries: 1, longestPauseMs: 10 } });
      assert.equal(said.error?.['attempts'], 2);
      assert.equal(seen.length, 2);
    });
  },
);

everywhere('the key never follows a redirect', async client => {
  const elsewhere = await startReceiver(answer(200, '{}', { 'content-type': 'application/json' }));
  const moved: Fault = { status: 307, headers: { location: elsewhere.url }, body: '{}' };
  await through([moved, moved], async ({ url }) => {
    for (const call of ['createOrder', 'listOrders']) {
      const said = await client.ask({
        ...here(),
        baseUrl: url,
        call,
        args: call === 'createOrder' ? orderBody() : {},
      });
      assert.deepEqual([said.error?.['code'], said.error?.['status']], ['unexpected_answer', 307]);
    }
  });
  assert.equal(elsewhere.received.length, 0);
  await elsewhere.stop();
});

everywhere(
  'a mistake of the program’s own is reported at once: no key or address, an empty id',
  async client => {
    for (const ask of [
      { ...here(), apiKey: ' ', call: 'listOrders' },
      { ...here(), baseUrl: 'pay.example.in', call: 'listOrders' },
      { ...here(), call: 'getOrder', args: { orderId: '' } },
      { ...here(), options: { retries: -1 }, call: 'listOrders' },
    ])
      assert.match((await client.ask(ask)).mistake ?? '', /^Milaan: /);
  },
);

/** The further fields of each refusal, as the service writes them. */
const fields = {
  details: 'amount must be a number',
  doc_url: 'https://pay.example.in/docs/errors#invalid_request',
  upgrade_url: 'https://pay.example.in/plans',
  limit_paise: 5_000_000,
  collected_paise: 4_999_900,
};
for (const code of refusalCodes) {
  everywhere(`\`${code}\``, async client => {
    const { status, body, message } = new ApiError(code, { fields });
    const headers = { 'content-type': 'application/json', 'x-request-id': 'req-1', 'retry-after': '7' };
    await through([{ status, headers, body: JSON.stringify(body) }], async ({ url }) => {
      const ask = { ...here(), baseUrl: url, options: { retries: 0 } };
      const said = await client.ask({ ...ask, call: 'createOrder', args: orderBody() });
      // An exception of the language has further fields of its own.
      assert.partialDeepStrictEqual(said.error, {
        code,
        message,
        status,
        details: fields.details,
        docUrl: fields.doc_url,
        upgradeUrl: fields.upgrade_url,
        limitPaise: fields.limit_paise,
        collectedPaise: fields.collected_paise,
        retryAfter: 7,
        requestId: 'req-1',
        attempts: 1,
      });
    });
  });
}

everywhere('`network_error`', async client => {
  const ask = { ...here(), baseUrl: 'http://127.0.0.1:9', options: { retries: 0 } };
  const { error } = await client.ask({ ...ask, call: 'listOrders' });
  assert.deepEqual([error?.['code'], error?.['status'], error?.['attempts']], ['network_error', null, 1]);
  assert.match(String(error?.['message']), /^http:\/\/127\.0\.0\.1:9 could not be reached: ./);
});

everywhere('`timeout`, also of an answer that begins and then drips', async client => {
  const slow = await startReceiver(response => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(drip));
  });
  await through(['hang'], async ({ url }) => {
    for (const baseUrl of [url, slow.url]) {
      const ask = { ...here(), baseUrl, options: { retries: 0, timeoutMs: 400 } };
      const { error } = await client.ask({ ...ask, call: 'listOrders' });
      assert.deepEqual([error?.['code'], error?.['status'], error?.['attempts']], ['timeout', null, 1]);
    }
  });
  await slow.stop();
});

everywhere('`unexpected_answer`', async client => {
  for (const [status, body] of [
    [200, '[]'],
    [200, 'null'],
    [200, '{"a":'],
    [404, '<h1>Not here</h1>'],
    [404, '{"error":5}'],
  ] as const)
    await through([{ status, body }], async ({ url }) => {
      const { error } = await client.ask({ ...here(), baseUrl: url, call: 'listOrders' });
      assert.deepEqual([error?.['code'], error?.['status']], ['unexpected_answer', status]);
    });
});

tabled('Calls and errors');
