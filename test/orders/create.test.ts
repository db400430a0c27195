import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hour, minute } from '../../src/base/clock.ts';
import { startWatchingClock } from '../../src/base/database/compare-clocks.ts';
import { steadyClock } from '../../src/base/steady-clock.ts';
import { addUpiAccount } from '../../src/business/merchants/upi-accounts.ts';
import { openTestApi } from '../support/api.ts';
import { type TestMachine, testMachine } from '../support/test-machine.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use } from '../support/use.ts';
import { waitFor } from '../support/wait-for.ts';

const api = use(openTestApi);

describe('the clock', () => {
  test('no order is created while this machine’s clock is doubtful', async () => {
    const watching = startWatchingClock(api.world);
    await waitFor('the first measurement', () => api.world.clock.skew !== undefined);
    await watching.stop();
    assert.ok(Math.abs(api.world.clock.skew ?? Number.NaN) < 5000);
    assert.equal((await api.create()).statusCode, 201);
    api.world.clock.unsettled = true;
    const refused = await api.create();
    api.world.clock.unsettled = false;
    assert.deepEqual([refused.statusCode, refused.json().error], [503, 'service_unavailable']);
  });

  test('an order created just after the machine slept has the right time, not that of the evening before', async () => {
    await withMachine(async machine => {
      machine.sleep(8 * hour);
      const { expires_at } = (await api.createPatiently()).json();
      assert.equal(Date.parse(expires_at), machine.wall() + 5 * minute);
    });
  });

  for (const [way, by] of [
    ['forward', 2 * hour],
    ['back', -2 * hour],
  ] as const) {
    test(`no order is created while machine and database are set ${way} together, and again when they are back`, async () => {
      await withMachine(async machine => {
        machine.set(by);
        const refused = await api.create();
        assert.deepEqual([refused.statusCode, refused.json().error], [503, 'service_unavailable']);
        assert.equal(refused.headers['retry-after'], '60');
        machine.set(-by);
        assert.equal((await api.create()).statusCode, 201);
      });
    });
  }

  test('an order created by a clock that was set back is not shown as payable', async () => {
    const { order_id } = (await api.createPatiently()).json();
    api.world.clock.advance(-2 * hour);
    assert.equal((await api.get(`/orders/${order_id}`)).json().status, 'expired');
    api.world.clock.advance(2 * hour);
    assert.equal((await api.get(`/orders/${order_id}`)).json().status, 'pending');
  });
});

/** The service on the test's own machine next to its database, so that one clock is set for both. */
async function withMachine(play: (machine: TestMachine) => Promise<void>): Promise<void> {
  const { clock } = api.world;
  const kept = { ...clock };
  const machine = testMachine();
  const steady = steadyClock(machine);
  Object.assign(clock, steady, { compare: () => steady.compare!(machine.wallTime(), 1) });
  try {
    assert.equal((await api.create()).statusCode, 201);
    await play(machine);
  } finally {
    Object.assign(clock, kept, { inDoubt: undefined, compare: undefined, unsettled: false, jump: 0 });
  }
}

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

  test('qr_base64 is null when the QR cannot be drawn, and the order is created anyway', async () => {
    const shop = await addTestMerchant(api.world, { account: { vpa: `${'c'.repeat(3000)}@okaxis` } });
    const response = await api.create({}, shop.apiKey);
    assert.equal(response.statusCode, 201);
    assert.equal(response.json().qr_base64, null);
    assert.match(response.json().upi_uri, /^upi:\/\/pay\?/);
  });

  test('payment_account_id is the default account, or the one requested', async () => {
    const second = await api.world.sql.begin(tx =>
      addUpiAccount(tx, api.world, api.merchant.merchantId, {
        bank: 'hdfc',
        vpa: 'second@okhdfc',
        payeeName: 'Chai Two',
        kind: 'merchant',
        merchantCode: '5814',
      }),
    );
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
