import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { day, hour, later } from '../../src/base/clock.ts';
import { paise } from '../../src/base/money.ts';
import { findAttention } from '../../src/dashboard/home/find-attention.ts';
import { selectDays, selectHomeFigures, selectLatestPayments } from '../../src/dashboard/home/queries.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { because } from '../../src/texts/verdicts.ts';
import { addTestOrder } from '../support/checkout-site.ts';
import { storedCredit } from '../support/credit.ts';
import { addTestMerchant, openTestWorld } from '../support/test-world.ts';
import { use, useEach } from '../support/use.ts';

const world = use(openTestWorld);
beforeEach(async () => {
  world.clock.set('2026-11-15T06:30:00.000Z');
});
const shop = useEach(() => addTestMerchant(world));

async function payment(amount: number, took = 0) {
  await addTestOrder(world, shop, { payable: amount });
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(amount) });
  world.clock.advance(took);
  const confirmed = await confirmPayment(world, credit);
  assert.equal(confirmed.outcome, 'paid');
}

test('the day and the month begin at midnight in India, not in Greenwich', async () => {
  world.clock.set('2026-10-31T18:29:00.000Z');
  await payment(100_37);
  world.clock.set('2026-10-31T18:30:00.000Z');
  await payment(200_37);
  const figures = await selectHomeFigures(world.sql, shop.merchantId, world.clock.now());
  assert.equal(figures?.today_paise, 200_37);
  assert.equal(figures?.today_orders, 1);
  assert.equal(figures?.month_paise, 200_37);
  const days = await selectDays(world.sql, shop.merchantId, world.clock.now(), 30);
  assert.equal(days.length, 30);
  assert.deepEqual(days.slice(-2), [
    { day: '2026-10-31', paise: 100_37, orders: 1 },
    { day: '2026-11-01', paise: 200_37, orders: 1 },
  ]);
});

test('today stands next to the same weekday a week ago up to the same time', async () => {
  const { sql, clock } = world;
  const figures = async () => (await selectHomeFigures(sql, shop.merchantId, clock.now()))!;
  assert.equal((await figures()).before_paise, null, 'nothing to compare with yet');
  await payment(100_37);
  clock.advance(hour);
  await payment(900_37);
  clock.set('2026-11-22T06:31:00.000Z');
  await sql`update merchants set created_at = '2026-11-01' where merchant_id = ${shop.merchantId}`;
  await payment(250_37);
  const { today_paise, today_orders, before_paise } = await figures();
  assert.deepEqual(
    { today_paise, today_orders, before_paise },
    { today_paise: 250_37, today_orders: 1, before_paise: 100_37 },
  );
  const latest = await selectLatestPayments(sql, shop.merchantId, clock.now(), 2);
  assert.deepEqual(
    latest.map(one => one.received_paise),
    [250_37, 900_37],
  );
  clock.advance(hour);
  assert.equal((await figures()).before_paise, 1000_74);
});

test('a business sees no figure of another', async () => {
  await payment(400_37);
  const other = await addTestMerchant(world);
  const figures = await selectHomeFigures(world.sql, other.merchantId, world.clock.now());
  assert.equal(figures?.today_paise, 0);
  assert.deepEqual(await selectLatestPayments(world.sql, other.merchantId, world.clock.now(), 5), []);
});

test('what has left the history window is in no figure', async () => {
  await world.sql`insert into plans (plan, history_days) values ('week', 7) on conflict do nothing`;
  await world.sql`update merchants set plan = 'week' where merchant_id = ${shop.merchantId}`;
  await payment(500_37);
  world.clock.advance(8 * day);
  await payment(600_37);
  const days = await selectDays(world.sql, shop.merchantId, world.clock.now(), 30);
  assert.equal(
    days.reduce((sum, one) => sum + one.paise, 0),
    600_37,
  );
});

test('attention names what is missing, blind, failing, unmatched, paused and nearly used up', async () => {
  const kinds = async () => (await findAttention(world, shop.merchantId)).map(one => one.kind);
  assert.deepEqual(await kinds(), ['no_mailbox']);
  const now = world.clock.now();
  await world.sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${shop.merchantId}, 'gmail', ${`${shop.merchantId}@shop.in`}, 'x', 'imap.gmail.com', 993, 'sealed', 1, ${now})`;
  await world.sql`insert into mailbox_states (merchant_id, last_good_poll) values (${shop.merchantId}, ${later(now, -hour)})`;
  await world.sql`
    insert into failing_destinations (merchant_id, destination, failing_since, failures, last_failure)
    values (${shop.merchantId}, 'shop.in', ${now}, 3, ${world.sql.json(because('answered', { status: 500 }))})`;
  await world.sql`
    insert into plans (plan, monthly_limit_paise, account_limit) values ('tiny', 100000, 1) on conflict do nothing`;
  await world.sql`update merchants set plan = 'tiny' where merchant_id = ${shop.merchantId}`;
  await world.sql`
    insert into upi_accounts (merchant_id, account_id, vpa, payee_name, kind, bank_named_at, is_default, created_at)
    values (${shop.merchantId}, 'acc_second', 'two@okaxis', 'Two', 'personal', ${now}, false, ${later(now, hour)})`;
  await payment(900_37);
  await confirmPayment(world, await storedCredit(world, shop.merchantId, { amount: paise(77_00) }));
  assert.deepEqual(await kinds(), [
    'no_bank',
    'blind_mailbox',
    'plan_limit_near',
    'failing_webhooks',
    'unmatched_money',
    'paused_accounts',
  ]);
  await payment(901_37);
  assert.ok((await kinds()).includes('plan_limit_reached'));
  await world.sql`update mailbox_states set last_good_poll = ${world.clock.now()} where merchant_id = ${shop.merchantId}`;
  assert.ok(!(await kinds()).includes('blind_mailbox'));
});
