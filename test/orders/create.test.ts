import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { minute } from '../../src/clock.ts';
import { startWatchingClock } from '../../src/database/watch-clock.ts';
import { addUpiAccount } from '../../src/merchants/add-upi-account.ts';
import { markAccountRemoved } from '../../src/merchants/queries.ts';
import { openTestApi, orderBody, type TestApi } from '../support/api.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { waitFor } from '../support/wait-for.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.stop());

describe('the clock', () => {
  test('no order is created while this machine is known to be minutes away from the database', async () => {
    const watching = startWatchingClock(api.world);
    await waitFor('the first measurement', () => api.world.clock.skew !== undefined);
    await watching.stop();
    assert.ok(Math.abs(api.world.clock.skew ?? Number.NaN) < 5000);
    assert.equal((await api.create()).statusCode, 201);
    api.world.clock.skew = 2 * minute;
    const refused = await api.create();
    api.world.clock.skew = 0;
    assert.deepEqual([refused.statusCode, refused.json().error], [503, 'service_unavailable']);
  });
});

describe('§2 Order: the create response', () => {
  test('carries exactly the fields of the table, without idempotent_replay', async () => {
    const response = await api.create();
    assert.equal(response.statusCode, 201);
    assert.deepEqual(Object.keys(response.json()).sort(), [
      'expires_at',
      'order_id',
      'payable_amount',
      'payment_account_id',
      'payment_url',
      'qr_base64',
      'status',
      'upi_uri',
    ]);
  });

  test('order_id is the prefix, a hyphen and exactly 10 digits', async () => {
    assert.match((await api.create()).json().order_id, /^ML-\d{10}$/);
  });

  test('payable_amount is the requested amount plus 0.01 to 0.99 rupees, a plain JSON number', async () => {
    const response = await api.create({ amount: 1234.5 });
    const paise = Math.round(response.json().payable_amount * 100);
    assert.ok(paise >= 123451 && paise <= 123549, response.body);
    assert.match(response.body, /"payable_amount":\d+(\.\d{1,2})?,/);
  });

  test('status is pending on a freshly created order', async () => {
    assert.equal((await api.create()).json().status, 'pending');
  });

  test('expires_at is 5 minutes after creation, ISO 8601 in UTC with milliseconds', async () => {
    const expected = new Date(api.world.clock.now().getTime() + 5 * minute).toISOString();
    assert.equal((await api.create()).json().expires_at, expected);
  });

  test('payment_url is a page of this installation with an unguessable token', async () => {
    const urls = await Promise.all([api.create(), api.create()]);
    const [first, second] = urls.map(response => response.json().payment_url);
    assert.match(first, /^https:\/\/pay\.example\.in\/pay\/[A-Za-z0-9_-]{30}$/);
    assert.notEqual(first, second);
  });

  test('upi_uri carries the account, the exact payable amount and the order id', async () => {
    const { order_id, payable_amount, upi_uri } = (await api.create({ amount: 70 })).json();
    assert.equal(
      upi_uri,
      `upi://pay?pa=chai@okaxis&pn=Chai%20Point&am=${payable_amount.toFixed(2)}&cu=INR&tn=${order_id}`,
    );
  });

  test('qr_base64 is an SVG in a data: URI with base64 payload', async () => {
    const { qr_base64 } = (await api.create()).json();
    const [head, payload] = qr_base64.split(',');
    assert.equal(head, 'data:image/svg+xml;base64');
    assert.match(
      Buffer.from(payload, 'base64').toString(),
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/,
    );
  });

  test('qr_base64 is null when the QR cannot be drawn, and the order is created all the same', async () => {
    const shop = await addTestMerchant(api.world, { account: { vpa: `${'c'.repeat(3000)}@okaxis` } });
    const response = await api.create({}, shop.apiKey);
    assert.equal(response.statusCode, 201);
    assert.equal(response.json().qr_base64, null);
    assert.match(response.json().upi_uri, /^upi:\/\/pay\?/);
  });

  test('payment_account_id is the default account, or the one requested', async () => {
    const second = await addUpiAccount(api.world, api.merchant.merchantId, {
      vpa: 'second@okhdfc',
      payeeName: 'Chai Two',
      kind: 'merchant',
      merchantCode: '5814',
    });
    assert.equal((await api.create()).json().payment_account_id, api.merchant.accountId);
    const requested = (await api.create({ payment_account_id: second })).json();
    assert.equal(requested.payment_account_id, second);
    const tr = requested.order_id.replace('-', '');
    assert.match(
      requested.upi_uri,
      new RegExp(`^upi://pay\\?pa=second@okhdfc&pn=Chai%20Two&mc=5814&tr=${tr}&am=`),
    );
  });
});

describe('§4.1 request body', () => {
  test('amount: refused unless a JSON number above 0 and at most 1,000,000, and 1 paisa after rounding', async () => {
    for (const amount of ['500', true, null, undefined, -0, 0, -1, 0.004, 1000000.004, [5], {}]) {
      const response = await api.create({ amount });
      assert.equal(response.statusCode, 400, JSON.stringify(amount));
      assert.equal(response.json().error, 'invalid_request');
    }
    const huge = JSON.stringify(orderBody()).replace('499', '1e309');
    const response = await api.app.inject({
      method: 'POST',
      url: '/api/v1/orders',
      headers: { 'x-api-key': api.merchant.apiKey, 'content-type': 'application/json' },
      payload: huge,
    });
    assert.equal(response.statusCode, 400);
  });

  test('amount: extra decimals are rounded to the nearest paisa, never rejected', async () => {
    const cases: [number, number][] = [
      [0.005, 0.01],
      [1.005, 1],
      [1e2, 100],
      [999999.999, 1000000],
      [1000000, 1000000],
      [19.999, 20],
    ];
    for (const [amount, stored] of cases) {
      const { order_id } = (await api.create({ amount })).json();
      assert.equal((await api.get(`/orders/${order_id}`)).json().amount, stored, String(amount));
    }
  });

  test('any number is either refused or stored as amount*100 rounded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.double(), fc.double({ min: 0, max: 1e6, noNaN: true })), async amount => {
        const response = await api.create({ amount });
        if (Number.isFinite(amount) && amount > 0 && amount <= 1e6 && Math.round(amount * 100) >= 1) {
          assert.equal(response.statusCode, 201);
          const { order_id, payable_amount } = response.json();
          const [row] = await api.world
            .sql`select amount_paise, payable_paise from orders where order_id = ${order_id}`;
          assert.equal(row?.['amount_paise'], Math.round(amount * 100));
          assert.equal(Math.round(payable_amount * 100), row?.['payable_paise']);
        } else assert.equal(response.statusCode, 400);
      }),
      { numRuns: 60 },
    );
  });

  test('merchant_order_id: trimmed, 1 to 120 characters counted as code points, case matters', async () => {
    for (const merchant_order_id of [
      '',
      '   ',
      '\u2003\u00a0',
      'x'.repeat(121),
      'a\u0000b',
      '\ud800',
      5,
      null,
      undefined,
    ]) {
      const response = await api.create({ merchant_order_id });
      assert.equal(response.statusCode, 400, JSON.stringify(merchant_order_id));
      assert.equal(response.json().error, 'invalid_request');
    }
    assert.equal((await api.create({ merchant_order_id: '😀'.repeat(120) })).statusCode, 201);
    assert.equal((await api.create({ merchant_order_id: '  Case-1 ' })).statusCode, 201);
    assert.equal((await api.create({ merchant_order_id: 'Case-1' })).statusCode, 200);
    assert.equal((await api.create({ merchant_order_id: 'case-1' })).statusCode, 201);
  });

  test('any storable merchant_order_id comes back as it was sent, trimmed', async () => {
    const ids = fc.string({ unit: 'binary', minLength: 1, maxLength: 110 });
    await fc.assert(
      fc.asyncProperty(ids, async text => {
        const merchant_order_id = `${text}#${Math.random()}`;
        const response = await api.create({ merchant_order_id });
        if (merchant_order_id.includes('\u0000')) return assert.equal(response.statusCode, 400);
        assert.equal(response.statusCode, 201);
        const order = (await api.get(`/orders/${response.json().order_id}`)).json();
        assert.equal(order.merchant_order_id, merchant_order_id.trim());
      }),
      { numRuns: 40 },
    );
  });

  for (const field of ['success_url', 'failure_url']) {
    test(`${field}: absolute http(s), at most 500 characters, no spaces, no username or password`, async () => {
      const refused = [
        undefined,
        '',
        '/thanks',
        'javascript:alert(1)',
        'ftp://shop.example.com/',
        'https:shop.example.com',
        'https://user@shop.example.com/',
        'https://user:pass@shop.example.com/',
        'https://@shop.example.com/',
        'https://shop.example.com/a b',
        'https://shop.example.com/a\tb',
        'https://shop.example.com\\@evil.example/',
        `https://shop.example.com/${'x'.repeat(476)}`,
        'https://',
        'https:///thanks',
        7,
      ];
      for (const value of refused) {
        const response = await api.create({ [field]: value });
        assert.equal(response.statusCode, 400, String(value));
        assert.equal(response.json().error, 'invalid_request');
      }
      for (const value of [
        'http://localhost/',
        `https://shop.example.com/${'x'.repeat(475)}`,
        'HTTP://10.0.0.1:3000/?a=b@c#d',
      ]) {
        assert.equal((await api.create({ [field]: value })).statusCode, 201, value);
      }
    });
  }

  test('webhook_url: refused names and addresses, each with 400 invalid_request', async () => {
    api.world.dns.addresses.set('inside.example.com', ['93.184.216.34', '10.1.2.3']);
    const refused = [
      'https://localhost/hook',
      'https://intranet/hook',
      'https://a.localhost/hook',
      'https://vault.internal/hook',
      'https://printer.local/hook',
      'https://nas.home.arpa/hook',
      'https://10.0.0.8/hook',
      'https://169.254.169.254/latest',
      'https://[fd00::1]/hook',
      'https://inside.example.com/hook',
      'ftp://shop.example.com/',
      `https://shop.example.com/${'x'.repeat(476)}`,
      undefined,
    ];
    for (const webhook_url of refused) {
      const response = await api.create({ webhook_url });
      assert.equal(response.statusCode, 400, String(webhook_url));
      assert.equal(response.json().error, 'invalid_request');
    }
  });

  test('webhook_url: a name that does not resolve now is accepted; it is judged again at every send', async () => {
    assert.equal((await api.create({ webhook_url: 'https://not-yet.example.com/hook' })).statusCode, 201);
  });

  test('customer: email must look like one, name at most 120 characters, other fields ignored', async () => {
    for (const customer of [
      { email: 'nope' },
      { email: 'a@b' },
      { name: 'n'.repeat(121) },
      { name: 4 },
      'Asha',
      [],
    ]) {
      assert.equal((await api.create({ customer })).statusCode, 400, JSON.stringify(customer));
    }
    const response = await api.create({ customer: { email: 'asha@example.in', name: 'Asha', phone: '1' } });
    const order = (await api.get(`/orders/${response.json().order_id}`)).json();
    assert.deepEqual(order.customer, { email: 'asha@example.in', name: 'Asha' });
  });

  test('payment_account_id: malformed, unknown, removed or foreign, all one answer', async () => {
    const other = await addTestMerchant(api.world);
    const removed = await addUpiAccount(api.world, api.merchant.merchantId, {
      vpa: 'x@ybl',
      payeeName: 'X',
      kind: 'personal',
    });
    await markAccountRemoved(api.world.sql, api.merchant.merchantId, removed, api.world.clock.now());
    const answers = [];
    for (const payment_account_id of [5, '', 'nope', null, {}, other.accountId, removed]) {
      const response = await api.create({ payment_account_id });
      assert.equal(response.statusCode, 400);
      answers.push(response.body);
    }
    assert.deepEqual([...new Set(answers.map(body => JSON.parse(body).error))], ['invalid_payment_account']);
    assert.equal(new Set(answers).size, 1);
  });

  test('domain of any type is accepted and has no effect; unknown fields and __proto__ are ignored', async () => {
    for (const domain of ['x.example', 5, null, { a: 1 }])
      assert.equal((await api.create({ domain })).statusCode, 201);
    const response = await api.app.inject({
      method: 'POST',
      url: '/api/v1/orders',
      headers: { 'x-api-key': api.merchant.apiKey, 'content-type': 'application/json' },
      payload: `{"__proto__":{"amount":1},"extra":[1],"amount":1,${JSON.stringify(orderBody()).slice(1)}`,
    });
    assert.equal(response.statusCode, 201);
  });
});

describe('§4.1 replay rules', () => {
  test('1: a used merchant_order_id returns the same order with 200 and idempotent_replay: true', async () => {
    const first = await api.create({ merchant_order_id: 'replay-1' });
    const again = await api.create({ merchant_order_id: 'replay-1' });
    assert.equal(again.statusCode, 200);
    assert.deepEqual(again.json(), { ...first.json(), idempotent_replay: true });
  });

  test('2: the newly sent body is ignored, wrong fields and payment_account_id included', async () => {
    const first = (await api.create({ merchant_order_id: 'replay-2', amount: 10 })).json();
    const bodies = [
      { amount: 99 },
      { amount: 'x' },
      { success_url: 5 },
      { webhook_url: 'http://localhost/' },
      { payment_account_id: 'nope' },
      { customer: 7 },
    ];
    for (const change of bodies) {
      const again = await api.create({ merchant_order_id: 'replay-2', ...change });
      assert.equal(again.statusCode, 200, JSON.stringify(change));
      assert.equal(again.json().order_id, first.order_id);
      assert.equal(again.json().payment_account_id, api.merchant.accountId);
    }
  });

  test('3 and 4: the status is the current one; an expired link comes back expired and starts no new payment', async () => {
    const first = (await api.create({ merchant_order_id: 'replay-3' })).json();
    api.world.clock.advance(5 * minute);
    const again = (await api.create({ merchant_order_id: 'replay-3' })).json();
    assert.deepEqual(
      [again.order_id, again.status, again.expires_at],
      [first.order_id, 'expired', first.expires_at],
    );
  });
});
