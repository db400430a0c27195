import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { markAccountRemoved } from '../../src/business/merchants/queries.ts';
import { addUpiAccount } from '../../src/business/merchants/upi-accounts.ts';
import { openTestApi, orderBody } from '../support/api.ts';
import { fc } from '../support/same-dice.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const api = use(openTestApi);

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
      '\u0085\u0085',
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
        'https://shop.example.com/a\u0085b',
        'https://shop.example.com/\u202egnp.exe',
        'https://shop.example.com/\u2066a\u2069',
        'https://shop.example.com/\u200fa',
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
        'https://shop.example.com/धन्यवाद',
      ]) {
        assert.equal((await api.create({ [field]: value })).statusCode, 201, value);
      }
    });
  }

  test('webhook_url: refused names and addresses get 400 invalid_request', async () => {
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
      'https://shop.example.com/\u202ekooh',
      `https://shop.example.com/${'x'.repeat(476)}`,
      undefined,
    ];
    for (const webhook_url of refused) {
      const response = await api.create({ webhook_url });
      assert.equal(response.statusCode, 400, String(webhook_url));
      assert.equal(response.json().error, 'invalid_request');
    }
  });

  test('webhook_url: a name that does not resolve now is accepted, and checked again at every send', async () => {
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

  test('customer: null, and null in one of its fields, count as missing', async () => {
    const stored = async (customer: unknown) => {
      const response = await api.create({ customer });
      assert.equal(response.statusCode, 201, response.body);
      return (await api.get(`/orders/${response.json().order_id}`)).json().customer;
    };
    assert.equal(await stored(null), await stored(undefined));
    assert.deepEqual(await stored({ email: null, name: 'Asha' }), { name: 'Asha' });
    assert.deepEqual(await stored({ email: 'asha@example.in', name: null }), { email: 'asha@example.in' });
    assert.deepEqual(await stored({ email: null, name: null }), await stored({}));
  });

  test('payment_account_id: malformed, unknown, removed and foreign ids get one answer', async () => {
    const other = await addTestMerchant(api.world);
    const removed = await api.world.sql.begin(tx =>
      addUpiAccount(tx, api.world, api.merchant.merchantId, {
        bank: 'hdfc',
        vpa: 'x@ybl',
        payeeName: 'X',
        kind: 'personal',
      }),
    );
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

  test('domain of any type is accepted and ignored, as are unknown fields and __proto__', async () => {
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
