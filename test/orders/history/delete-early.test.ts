import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectPaidAlerts } from '../../../src/alerts/held/queries/held-mails.ts';
import { day } from '../../../src/base/clock.ts';
import type { KeepDays } from '../../../src/base/retention.ts';
import { readConfig } from '../../../src/base/settings/config.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { deleteEarly } from '../../../src/orders/history/delete-early.ts';
import { keepPartitions } from '../../../src/orders/history/keep-partitions.ts';
import { resendEvent } from '../../../src/outbox/webhooks/resend-event.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { openTestApi } from '../../support/api.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { prepare, use, useEach } from '../../support/use.ts';

const api = use(openTestApi);
prepare(async () => {
  await keepPartitions(api.world, false);
});

const shop = useEach(() => addTestMerchant(api.world));

async function choose(keeps: KeepDays): Promise<void> {
  await api.world
    .sql`update merchants set keeps = ${api.world.sql.json(keeps)} where merchant_id = ${shop.merchantId}`;
}

/** Does the worker's turns, day after day. */
async function live(days: number): Promise<void> {
  for (let number = 0; number < days; number++) {
    await deleteEarly(api.world);
    api.world.clock.advance(day);
  }
  await deleteEarly(api.world);
}

async function count(table: string): Promise<number> {
  const [row] = await api.world.sql.unsafe(`select count(*)::int as n from ${table} where merchant_id = $1`, [
    shop.merchantId,
  ]);
  return row?.['n'];
}

/** A paid order whose shop was notified, and an unpaid one whose customer typed a reference. */
async function trade() {
  const { sql, clock } = api.world;
  const order = (await api.create({ merchant_order_id: 'paid' }, shop.apiKey)).json();
  const credit = await storedCredit(api.world, shop.merchantId, { amount: payableOf(order) });
  assert.equal((await confirmPayment(api.world, credit)).outcome, 'paid');
  const [queued] = await sql<{ event_id: string }[]>`
    delete from delivery_queue where merchant_id = ${shop.merchantId} returning event_id`;
  await sql`
    insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, response, asked_by)
    values (${shop.merchantId}, 1, ${queued!.event_id}, 1, 'delivered', ${clock.now()}, ${clock.now()}, 'thanks, Asha', 'schedule')`;
  const unpaid = (await api.create({ merchant_order_id: 'unpaid' }, shop.apiKey)).json();
  await sql`insert into claimed_references (merchant_id, order_id, bank_reference, claimed_at)
    values (${shop.merchantId}, ${unpaid.order_id}, '691234567890', ${clock.now()})`;
  return { eventId: queued!.event_id, unpaid: unpaid.order_id as string };
}

test('rows with a shorter period are deleted after it and 14 days, orders and sums stay, and verify finds nothing', async () => {
  const { world } = api;
  const { eventId } = await trade();
  await choose({ raw_mails: 21, claims: 7, webhook_bodies: 7 });
  await live(13);
  assert.deepEqual([await count('claimed_references'), await count('event_bodies')], [1, 1]);
  await live(4);
  assert.deepEqual([await count('claimed_references'), await count('event_bodies')], [0, 0]);
  const [log] = await world.sql`select response from delivery_log where merchant_id = ${shop.merchantId}`;
  assert.equal(log?.['response'], null);
  assert.equal(await count('raw_mails'), 1);
  await live(6);
  assert.equal(await count('raw_mails'), 0);
  assert.deepEqual([await count('orders'), await count('events'), await count('alerts')], [2, 1, 1]);
  assert.deepEqual(await findBreaches(world), []);
  const missing = (await selectPaidAlerts(world.sql, null, 100)).filter(
    one => one.merchant_id === shop.merchantId,
  );
  assert.deepEqual(missing, []);
  // It has nothing left to send, and says so instead of sending nothing.
  const resent = await world.sql.begin(tx => resendEvent(tx, world, shop.merchantId, eventId));
  assert.equal(resent, 'unknown');
  // Without a choice the same gap is a breach still.
  await world.sql`update history_progress set bodies_gone_to = null, mails_gone_to = null where merchant_id = ${shop.merchantId}`;
  assert.match((await findBreaches(world)).join(), /its body is not stored/);
  await world.sql`update history_progress set bodies_gone_to = ${world.clock.now()} where merchant_id = ${shop.merchantId}`;
});

test('waiting rows stay: undecided money, a claim on it, and an event that never arrived', async () => {
  const { world } = api;
  const { eventId, unpaid } = await trade();
  const open = await storedCredit(world, shop.merchantId, {
    amount: 123_45 as never,
    reference: '691234567890',
  });
  // The claim was typed before: the credit waits with that order for a person.
  assert.equal((await confirmPayment(world, open)).outcome, 'no_order');
  const lost = await storedCredit(world, shop.merchantId, { amount: 777_01 as never });
  assert.equal((await confirmPayment(world, lost)).outcome, 'no_order');
  await world.sql`insert into given_up_events (merchant_id, event_id, created_at)
    values (${shop.merchantId}, ${eventId}, ${world.clock.now()})`;
  await choose({ raw_mails: 21, claims: 7, webhook_bodies: 7 });
  await live(30);
  const [held] = await world.sql`select status from orders where order_id = ${unpaid}`;
  assert.equal(held?.['status'], 'manual_review');
  assert.deepEqual(
    [await count('raw_mails'), await count('claimed_references'), await count('event_bodies')],
    [2, 1, 1],
  );
  await world.sql`delete from given_up_events`;
});

test('a period that is restored in time deletes nothing, and a wrong clock can be corrected for a day', async () => {
  const { world } = api;
  await trade();
  await choose({ claims: 7 });
  await live(13);
  await choose({ claims: 30 });
  await live(14);
  assert.equal(await count('claimed_references'), 1);
  // Rested by now; the clock goes a year ahead, is believed, and is put back.
  const right = world.clock.now();
  world.clock.advance(365 * day);
  await deleteEarly(world);
  assert.equal(await count('claimed_references'), 1);
  world.clock.set(right);
  await deleteEarly(world);
  assert.equal(await count('claimed_references'), 1);
  await live(5);
  assert.equal(await count('claimed_references'), 0);
});

test('archives are deleted by whole months, a year after they were written at the earliest', async () => {
  const { sql, clock } = api.world;
  const write = (month: string, part: number, ago: number) => sql`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${shop.merchantId}, ${month}, ${part}, 1, 'x', ${new Date(clock.now().getTime() - ago * day)})`;
  await write('2025-01-01', 1, 380);
  await write('2025-02-01', 1, 380);
  await write('2025-02-01', 2, 300);
  await choose({ archives: 1 });
  await live(17);
  const left = await sql`select part from order_archives where merchant_id = ${shop.merchantId}`;
  assert.equal(left.length, 2);
});

test('an operator’s maximum is for every business, and no period is below what undecided payments need', async () => {
  const { world } = api;
  await trade();
  const read = readConfig([], { KEEP_DAYS: 'claims=7-20, raw_mails=30-' });
  assert.ok('config' in read);
  assert.deepEqual(read.config.keep.claims, { floor: 7, ceiling: 20 });
  assert.deepEqual(read.config.keep.raw_mails, { floor: 30, ceiling: null });
  const own = { ...world, config: { ...world.config, keep: read.config.keep } };
  for (let number = 0; number < 23; number++) {
    await deleteEarly(own);
    world.clock.advance(day);
  }
  assert.deepEqual([await count('claimed_references'), await count('raw_mails')], [0, 1]);
  for (const wrong of ['claims=3-20', 'claims=30-20', 'logs=1-2', 'claims=x'])
    assert.ok('problems' in readConfig([], { KEEP_DAYS: wrong }), wrong);
});
