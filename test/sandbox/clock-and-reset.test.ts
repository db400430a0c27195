import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { mailboxState } from '../../src/alerts/mailboxes/mailbox-state.ts';
import { readKeptState } from '../../src/sandbox/start-sandbox.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

const box = use(openTestSandbox);
afterEach(() => box.post('/sandbox/reset', {}));

test('the clock moves forward to the millisecond, for orders, statuses and the Date header alike', async () => {
  const order = await box.create();
  const expiry = Date.parse(order.expires_at);
  const left = expiry - box.sandbox.world.clock.now().getTime();
  const before = await box.post('/sandbox/clock', { advance_seconds: (left - 1) / 1000 });
  assert.equal(before.json().now, new Date(expiry - 1).toISOString());
  assert.equal((await box.order(order.order_id))['status'], 'pending');
  const at = await box.post('/sandbox/clock', { advance_seconds: 0.001 });
  assert.deepEqual(at.json(), { now: order.expires_at, ahead_seconds: left / 1000 });
  assert.equal((await box.order(order.order_id))['status'], 'expired');
  const page = await box.app.inject(new URL(order.payment_url).pathname);
  assert.equal(page.headers.date, new Date(expiry).toUTCString());
});

test('a status from memory has the sandbox’s time too', async () => {
  const order = await box.create();
  await box.post(`/sandbox/orders/${order.order_id}/pay`, { how: 'exact' });
  await box.post('/sandbox/clock', { advance_seconds: 86_400 });
  const url = await box.app.listen({ host: '127.0.0.1', port: 0 });
  for (const _ of ['read', 'from memory']) {
    const answer = await fetch(`${url}${new URL(order.payment_url).pathname}/status`);
    assert.equal(((await answer.json()) as { status: string }).status, 'paid');
    assert.equal(answer.headers.get('date'), box.sandbox.world.clock.now().toUTCString());
  }
});

test('the clock’s lead survives a restart, so that no order comes from the future', async () => {
  await box.post('/sandbox/clock', { advance_seconds: 90 });
  assert.equal(readKeptState(box.outside.config.dataDir).clockLeadMs, 90_000);
});

test('after a leap of the clock the demo mailbox counts as read', async () => {
  await box.post('/sandbox/clock', { advance_seconds: 86_400 });
  const { sql, clock } = box.sandbox.world;
  const [merchant] = await sql<
    { merchant_id: number }[]
  >`select merchant_id from mailboxes where address like '%kettle%'`;
  const state = await mailboxState(sql, merchant!.merchant_id, clock.now());
  assert.equal(state?.blind, false);
  assert.equal(state?.address, box.file.mailbox);
});

test('a delivered alert is the last alert of the demo mailbox', async () => {
  const { sql, clock } = box.sandbox.world;
  const [merchant] = await sql<
    { merchant_id: number }[]
  >`select merchant_id from mailboxes where address like '%kettle%'`;
  const lastAlert = async () => (await mailboxState(sql, merchant!.merchant_id, clock.now()))?.lastAlert;
  assert.equal(await lastAlert(), null);
  const { order_id: orderId } = await box.create();
  await box.post(`/sandbox/orders/${orderId}/pay`, { how: 'exact' });
  await box.sandbox.judging.figures.flush();
  assert.ok(await lastAlert());
});

test('the clock stops at ten years', async () => {
  const tenYears = 3650 * 86_400;
  assert.equal((await box.post('/sandbox/clock', { advance_seconds: tenYears })).statusCode, 200);
  const refused = await box.post('/sandbox/clock', { advance_seconds: 1 });
  assert.equal(refused.statusCode, 400);
  assert.match(refused.json().details, /ten years/);
  const { order_id: orderId } = await box.create();
  const pay = await box.post(`/sandbox/orders/${orderId}/pay`, { how: 'delayed' });
  assert.equal(pay.statusCode, 400);
});

test('reset removes orders, alerts, webhooks, accounts, DNS and clock, and keeps key, secret and user', async () => {
  const { sql } = box.sandbox.world;
  const order = await box.create();
  await box.pay(order.order_id, 'twice');
  await box.pay((await box.create()).order_id, 'wrong_paise');
  await box.putDns('x._domainkey.example.com', 'v=DKIM1; p=');
  await box.post('/sandbox/clock', { advance_seconds: 100 });
  await sql`update upi_accounts set payee_name = 'somebody', bank = 'kotak', account_digits = '99'`;
  await sql`update merchants set disabled_at = '2026-01-01'`;

  const answer = await box.post('/sandbox/reset', {});
  assert.deepEqual(answer.json(), {
    now: box.outside.clock.now().toISOString(),
    ahead_seconds: 0,
  });
  for (const table of [
    'orders',
    'alerts',
    'events',
    'deliveries',
    'amounts',
    'collections',
    'counted_signatures',
    'counted_references',
    'dkim_keys',
  ]) {
    const [row] = await sql.unsafe(`select count(*) as count from ${table}`);
    assert.equal(row?.['count'], 0, table);
  }
  const accounts = await sql<
    { payee_name: string; bank: string; account_digits: string; is_default: boolean }[]
  >`
    select payee_name, bank, account_digits, is_default from upi_accounts
    where vpa <> 'milaan.plans@sandbox' order by is_default desc`;
  assert.deepEqual(accounts, [
    { payee_name: 'Kettle & Leaf', bank: 'sandbox', account_digits: '4321', is_default: true },
    { payee_name: 'MEERA RAO', bank: 'sandbox', account_digits: '4321', is_default: false },
  ]);
  await assert.rejects(box.sandbox.world.dns.lookupText('x._domainkey.example.com'));
  assert.equal((await box.order(order.order_id))['error'], 'order_not_found');
  const next = await box.create();
  assert.equal((await box.pay(next.order_id, 'exact'))['verdict'], 'paid');
});
