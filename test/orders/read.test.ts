import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day, minute } from '../../src/base/clock.ts';
import { type Plan, readPlans, storePlans } from '../../src/business/merchants/plans.ts';
import { setDisabled } from '../../src/business/merchants/queries.ts';
import { keepHistory } from '../../src/orders/history/keep-history.ts';
import { showOptional } from '../../src/orders/optional-fields.ts';
import { openTestApi } from '../support/api.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const api = use(openTestApi);

describe('§4.2 get an order', () => {
  test('returns the order with the fields that list items share', async () => {
    const created = (await api.create({ amount: 499, merchant_order_id: 'get-1' })).json();
    const response = await api.get(`/orders/${created.order_id}`);
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json(), {
      order_id: created.order_id,
      merchant_order_id: 'get-1',
      amount: 499,
      payable_amount: created.payable_amount,
      status: 'pending',
      created_at: api.world.clock.now().toISOString(),
      expires_at: created.expires_at,
      paid_at: null,
      payment_url: created.payment_url,
      upi_uri: created.upi_uri,
      payment_account_id: api.merchant.accountId,
      success_url: 'https://shop.example.com/thanks',
      failure_url: 'https://shop.example.com/sorry',
      customer: null,
      ...showOptional({}),
      received_amount: null,
    });
    const listed = (await api.get('/orders?merchant_order_id=get-1')).json().data;
    assert.deepEqual(listed, [response.json()]);
  });

  test('an unknown id, text that is no id and another merchant’s order all answer 404 order_not_found', async () => {
    const other = await addTestMerchant(api.world);
    const foreign = (await api.create({}, other.apiKey)).json().order_id;
    const bodies = new Set<string>();
    for (const id of ['ML-0000000000', 'nope', foreign, '%00', '%F0%9F%98%80', `${'x'.repeat(300)}`]) {
      const response = await api.get(`/orders/${id}`);
      assert.equal(response.statusCode, 404, id);
      bodies.add(response.body);
    }
    assert.deepEqual(
      [...bodies].map(body => JSON.parse(body).error),
      ['order_not_found'],
    );
  });

  test('an unreadable id of any length gets 404 too', async () => {
    for (const text of ['%zz', '9'.repeat(600)]) {
      const response = await api.get(`/orders/${text}`);
      assert.deepEqual([response.statusCode, response.json().error], [404, 'not_found']);
    }
  });

  test('§9: an older order id with another prefix is found', async () => {
    const created = (await api.create({ merchant_order_id: 'imported' })).json();
    await api.world.sql`update orders set order_id = 'PAY-0000000042' where order_id = ${created.order_id}`;
    assert.equal((await api.get('/orders/PAY-0000000042')).json().merchant_order_id, 'imported');
  });
});

describe('status is computed at read', () => {
  test('pending until the last millisecond, expired from expires_at on, in get, list and filter alike', async () => {
    const shop = await addTestMerchant(api.world);
    const { order_id } = (await api.create({}, shop.apiKey)).json();
    const look = async () => {
      const got = (await api.get(`/orders/${order_id}`, shop.apiKey)).json().status;
      const [listed] = (await api.get('/orders', shop.apiKey)).json().data;
      const filtered = (await api.get(`/orders?status=${got}`, shop.apiKey)).json().data;
      const other = got === 'pending' ? 'expired' : 'pending';
      assert.equal((await api.get(`/orders?status=${other}`, shop.apiKey)).json().data.length, 0);
      assert.deepEqual([listed.status, filtered.length, filtered[0].status], [got, 1, got]);
      return got;
    };
    api.world.clock.advance(5 * minute - 1);
    assert.equal(await look(), 'pending');
    api.world.clock.advance(1);
    assert.equal(await look(), 'expired');
    api.world.clock.advance(3 * day);
    assert.equal(await look(), 'expired');
  });
});

describe('§4.3 list orders', () => {
  test('newest first, across all accounts, with has_more and next_cursor, and null on the last page', async () => {
    const shop = await addTestMerchant(api.world);
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) {
      ids.unshift((await api.create({}, shop.apiKey)).json().order_id);
      api.world.clock.advance(1);
    }
    const seen: string[] = [];
    let cursor = '';
    const sizes: number[] = [];
    for (;;) {
      const page = (await api.get(`/orders?limit=3${cursor && `&cursor=${cursor}`}`, shop.apiKey)).json();
      seen.push(...page.data.map((order: { order_id: string }) => order.order_id));
      sizes.push(page.data.length);
      assert.equal(page.has_more, page.next_cursor !== null);
      if (!page.has_more) break;
      cursor = page.next_cursor;
    }
    assert.deepEqual(seen, ids);
    assert.deepEqual(sizes, [3, 3, 1]);
  });

  test('pages neither repeat nor skip while orders are being created, many in one millisecond', async () => {
    const shop = await addTestMerchant(api.world);
    const existing = new Set<string>();
    for (let index = 0; index < 40; index++)
      existing.add((await api.create({ amount: 10 + index }, shop.apiKey)).json().order_id);
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const page = (await api.get(`/orders?limit=7${cursor && `&cursor=${cursor}`}`, shop.apiKey)).json();
      seen.push(...page.data.map((order: { order_id: string }) => order.order_id));
      api.world.clock.advance(1);
      await api.create({}, shop.apiKey);
      if (!page.has_more) break;
      cursor = page.next_cursor;
    }
    assert.equal(new Set(seen).size, seen.length, 'nothing twice');
    assert.deepEqual(
      [...existing].filter(id => !seen.includes(id)),
      [],
      'nothing skipped',
    );
  });

  test('limit defaults to 20 and takes 1 to 100', async () => {
    const shop = await addTestMerchant(api.world);
    for (let index = 0; index < 25; index++) await api.create({ amount: 100 + index }, shop.apiKey);
    const length = async (query: string) =>
      (await api.get(`/orders${query}`, shop.apiKey)).json().data.length;
    assert.deepEqual([await length(''), await length('?limit=1'), await length('?limit=100')], [20, 1, 25]);
  });

  test('an empty list is an empty page', async () => {
    const shop = await addTestMerchant(api.world);
    assert.deepEqual((await api.get('/orders', shop.apiKey)).json(), {
      data: [],
      has_more: false,
      next_cursor: null,
    });
    assert.equal((await api.get('/orders?status=failed', shop.apiKey)).json().data.length, 0);
    assert.equal((await api.get('/orders?status=manual_review', shop.apiKey)).json().data.length, 0);
    assert.equal((await api.get('/orders?merchant_order_id=%00', shop.apiKey)).json().data.length, 0);
    // Trimmed before it is counted, as in a create.
    const spaced = await api.get(`/orders?merchant_order_id=%20${'x'.repeat(120)}%20`, shop.apiKey);
    assert.deepEqual([spaced.statusCode, spaced.json().data], [200, []]);
  });

  const bad: [condition: string, details: string, queries: string[]][] = [
    [
      'limit not a whole number 1 to 100',
      'limit must be a whole number from 1 to 100',
      ['0', '101', '1.5', '1e1', '%205', '%2B5', '%D9%A5', '05', '', '-1', '5&limit=5'].map(
        value => `limit=${value}`,
      ),
    ],
    [
      'status not allowed',
      'status must be one of pending, paid, expired, failed, manual_review',
      ['status=Paid', 'status=', 'status=paid&status=paid', 'status=paid%20'],
    ],
    [
      'merchant_order_id too long',
      'merchant_order_id is longer than 120 characters',
      [`merchant_order_id=${'x'.repeat(121)}`, 'merchant_order_id=a&merchant_order_id=b'],
    ],
    [
      'cursor invalid',
      'cursor is not valid; pass next_cursor from the previous page',
      ['cursor=', 'cursor=nope', 'cursor=%F0%9F%98%80', `cursor=${'A'.repeat(400)}`, 'cursor=a&cursor=b'],
    ],
  ];
  for (const [condition, details, queries] of bad) {
    test(`${condition}: 400 invalid_request with the details text`, async () => {
      for (const query of queries) {
        const response = await api.get(`/orders?${query}`);
        assert.equal(response.statusCode, 400, query);
        assert.deepEqual([response.json().error, response.json().details], ['invalid_request', details]);
      }
    });
  }

  test('a cursor that was edited, cut, or belongs to another merchant is invalid', async () => {
    const other = await addTestMerchant(api.world);
    for (const amount of [1, 2]) {
      await api.create({ amount });
      await api.create({ amount }, other.apiKey);
    }
    const cursor: string = (await api.get('/orders?limit=1')).json().next_cursor;
    const foreign: string = (await api.get('/orders?limit=1', other.apiKey)).json().next_cursor;
    const edited = (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1);
    const tail = cursor.slice(0, -1) + (cursor.at(-1) === 'A' ? 'B' : 'A');
    for (const wrong of [edited, tail, cursor.slice(0, -2), `${cursor}A`, foreign]) {
      assert.equal((await api.get(`/orders?cursor=${wrong}`)).statusCode, 400, wrong);
    }
    assert.equal((await api.get(`/orders?cursor=${cursor}`)).statusCode, 200);
  });

  test('a disabled business is refused with 403 before the parameters are examined', async () => {
    const shop = await addTestMerchant(api.world);
    await setDisabled(api.world.sql, shop.merchantId, api.world.clock.now());
    const response = await api.get('/orders?limit=0', shop.apiKey);
    assert.deepEqual([response.statusCode, response.json().error], [403, 'merchant_disabled']);
  });
});

describe('history window', () => {
  test('an order older than the window leaves get and list, and its merchant_order_id replays it until it is deleted', async () => {
    const month: Plan = { ...readPlans(null)[0]!, plan: 'month', history_days: 30 };
    await storePlans(api.world.sql, [...readPlans(null), month]);
    const shop = await addTestMerchant(api.world, { plan: 'month' });
    const old = (await api.create({ merchant_order_id: 'again' }, shop.apiKey)).json();
    api.world.clock.advance(30 * day - 1);
    assert.equal((await api.get(`/orders/${old.order_id}`, shop.apiKey)).statusCode, 200);
    api.world.clock.advance(1);
    assert.equal((await api.get(`/orders/${old.order_id}`, shop.apiKey)).statusCode, 404);
    assert.equal((await api.get('/orders', shop.apiKey)).json().data.length, 0);
    const replay = await api.create({ merchant_order_id: 'again' }, shop.apiKey);
    assert.deepEqual(
      [replay.statusCode, replay.json().order_id, replay.json().idempotent_replay],
      [200, old.order_id, true],
    );
  });

  test('simultaneous creates with the id of an order that was deleted share one new order (R5)', async () => {
    const shop = await addTestMerchant(api.world, { plan: 'month' });
    await api.create({ merchant_order_id: 'again' }, shop.apiKey);
    api.world.clock.advance(44 * day);
    await keepHistory(api.world);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => api.createPatiently({ merchant_order_id: 'again' }, shop.apiKey)),
    );
    const ids = new Set(answers.map(answer => answer.json().order_id));
    assert.deepEqual([ids.size, answers.filter(answer => answer.statusCode === 201).length], [1, 1]);
  });
});
