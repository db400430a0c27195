import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { day, hour, later } from '../../src/base/clock.ts';
import { paise } from '../../src/base/money.ts';
import { findToDo } from '../../src/dashboard/home/find-to-do.ts';
import { type Period, selectTrend } from '../../src/dashboard/home/queries.ts';
import { selectReport } from '../../src/dashboard/reports/queries.ts';
import { notifyOwner } from '../../src/outbox/notices/notify-owner.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { textsIn } from '../../src/texts/languages.ts';
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

async function trend(period: Period, merchantId = shop.merchantId) {
  const found = (await selectTrend(world.sql, merchantId, period, world.clock.now()))!;
  return { ...found, sum: found.now.reduce((sum, one) => sum + one.paise, 0) };
}

test('the day and the month begin at midnight in India, not in Greenwich', async () => {
  world.clock.set('2026-10-31T18:29:00.000Z');
  await payment(100_37);
  world.clock.set('2026-10-31T18:30:00.000Z');
  await payment(200_37);
  assert.deepEqual((await trend('day')).now, [{ at: 0, paise: 200_37, count: 1, so_far: 200_37 }]);
  assert.equal((await trend('month')).sum, 200_37);
  assert.equal((await trend('week')).sum, 300_74, 'the week begins on Monday');
  const days = await selectReport(world.sql, shop.merchantId, { from: '2026-10-01', to: '2026-12-01' }, [
    'day',
  ]);
  assert.deepEqual(
    days.map(({ day: name, collected_paise, count }) => [name, collected_paise, count]),
    [
      ['2026-10-31', 100_37, 1],
      ['2026-11-01', 200_37, 1],
    ],
  );
});

test('today is compared with the same weekday a week ago, up to the same time', async () => {
  const { sql, clock } = world;
  assert.equal((await trend('day')).past, null, 'nothing to compare with yet');
  await payment(100_37);
  clock.advance(hour);
  await payment(900_37);
  clock.set('2026-11-22T06:31:00.000Z');
  await sql`update merchants set created_at = '2026-11-01' where merchant_id = ${shop.merchantId}`;
  await payment(250_37);
  const { sum, now, past } = await trend('day');
  assert.deepEqual([sum, now.length, past?.soFar], [250_37, 1, 100_37]);
  assert.deepEqual(
    past?.steps.map(one => [one.at, one.paise]),
    [
      [12, 100_37],
      [13, 900_37],
    ],
    'the line goes on to the end of that day',
  );
  clock.advance(hour);
  assert.equal((await trend('day')).past?.soFar, 1000_74);
});

test('a business’s figures contain no other business’s data', async () => {
  await payment(400_37);
  const other = await addTestMerchant(world);
  assert.equal((await trend('month', other.merchantId)).sum, 0);
  const november = { from: '2026-11-01', to: '2026-12-01' };
  assert.deepEqual(await selectReport(world.sql, other.merchantId, november, ['source']), []);
});

test('figures leave out everything beyond the history window', async () => {
  await world.sql`insert into plans (plan, history_days) values ('week', 7) on conflict do nothing`;
  await world.sql`update merchants set plan = 'week' where merchant_id = ${shop.merchantId}`;
  await payment(500_37);
  world.clock.advance(8 * day);
  await payment(600_37);
  const { sum, past } = await trend('month');
  assert.deepEqual([sum, past], [600_37, null]);
});

test('To do names what is missing, unreachable, failing, unmatched, paused and nearly used up, the most urgent first', async () => {
  const kinds = async () => (await findToDo(world, shop.merchantId, textsIn('en'))).map(one => one.kind);
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
  await world.sql.begin(tx =>
    notifyOwner(tx, {
      merchantId: shop.merchantId,
      kind: 'deed',
      facts: {} as never,
      dedupeKey: 'deed',
      now,
    }),
  );
  assert.deepEqual(await kinds(), ['no_bank', 'mails', 'money', 'notices', 'webhooks', 'plan', 'paused']);
  const found = await findToDo(world, shop.merchantId, textsIn('en'));
  assert.equal(found.find(one => one.kind === 'webhooks')?.what, '');
  await payment(901_37);
  assert.ok((await kinds()).includes('plan'));
  await world.sql`update mailbox_states set last_good_poll = ${world.clock.now()} where merchant_id = ${shop.merchantId}`;
  assert.ok(!(await kinds()).includes('mails'));
});

test('a limit is in To do from 80 %, and no longer if it was reached long ago', async () => {
  const limits = async (paise: number) => {
    await world.sql`
      insert into collections (merchant_id, month, collected_paise) values (${shop.merchantId}, '2026-06-01', ${paise})
      on conflict (merchant_id, month) do update set collected_paise = excluded.collected_paise`;
    const found = await findToDo(world, shop.merchantId, textsIn('en'));
    return found.flatMap(one => (one.kind === 'limit' ? [one.what] : []));
  };
  assert.deepEqual(await limits(15_99_999_00), []);
  assert.deepEqual(await limits(16_00_000_00), ['GST, with services: 80 %']);
  assert.deepEqual(await limits(25_00_000_00), []);
  assert.deepEqual(await limits(36_00_000_00), ['GST, goods only: 90 %']);
});

test('each fault is in To do once: its notice adds no second line, but a person’s change has one', async () => {
  const kinds = async () => (await findToDo(world, shop.merchantId, textsIn('en'))).map(one => one.kind);
  const now = world.clock.now();
  const notify = (kind: 'webhook_given_up' | 'deed', dedupeKey: string) =>
    world.sql.begin(tx =>
      notifyOwner(tx, { merchantId: shop.merchantId, kind, facts: {} as never, dedupeKey, now }),
    );
  await notify('webhook_given_up', 'one');
  assert.ok(!(await kinds()).includes('notices'));
  await notify('deed', 'two');
  assert.ok((await kinds()).includes('notices'));
  await world.sql`update notices set seen_at = ${now} where merchant_id = ${shop.merchantId}`;
  assert.ok(!(await kinds()).includes('notices'));
});

test('in the first days of a month the previous one is to be checked, until a statement was compared', async () => {
  const asked = async () =>
    (await findToDo(world, shop.merchantId, textsIn('en'))).flatMap(one =>
      one.kind === 'check' ? [one.who] : [],
    );
  world.clock.set('2026-10-20T06:30:00.000Z');
  await payment(300_37);
  world.clock.set('2026-11-02T06:30:00.000Z');
  assert.deepEqual(await asked(), ['Check October with your bank']);
  world.clock.set('2026-11-11T06:30:00.000Z');
  assert.deepEqual(await asked(), []);
  world.clock.set('2026-11-03T06:30:00.000Z');
  await world.sql`
    insert into statement_marks (merchant_id, order_id, alert_id, bank, day, state, marked_by, marked_at)
    select merchant_id, order_id, alert_id, 'hdfc', '2026-10-20', 'missing', 'owner', ${world.clock.now()} from orders
    where merchant_id = ${shop.merchantId}`;
  assert.deepEqual(await asked(), []);
});
