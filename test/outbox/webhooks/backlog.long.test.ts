import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, afterEach, test } from 'node:test';
import { later, second, systemClock } from '../../../src/base/clock.ts';
import type { Sql } from '../../../src/base/database/connect.ts';
import { openMetrics } from '../../../src/base/metrics.ts';
import { defaultPlan } from '../../../src/business/merchants/plans.ts';
import type { AttemptResult } from '../../../src/outbox/webhooks/queries/attempts.ts';
import {
  type ClaimedDelivery,
  claimDue,
  finishDelivered,
  finishFailed,
  type NextAttempt,
} from '../../../src/outbox/webhooks/queries/attempts.ts';
import { newWebhookSecret, webhookSecretBinding } from '../../../src/outbox/webhooks/sign-webhook.ts';
import { startDelivering } from '../../../src/outbox/webhooks/start-delivering.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { addPaidEvent, allPlaces, forgetWebhooks } from '../../support/webhook-world.ts';

const world = await openTestWorld();
world.clock.set(systemClock.now());
const { merchantId } = await addTestMerchant(world);

const sockets = new Set<Socket>();
const blackHole = createServer(socket => void sockets.add(socket.on('error', () => {})));
blackHole.listen(0, '0.0.0.0');
await once(blackHole, 'listening');
const { port } = blackHole.address() as { port: number };

afterEach(async () => {
  await forgetWebhooks(world.sql);
  await world.sql`delete from failing_destinations`;
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  blackHole.close();
  await world.stop();
});

async function addMerchants(count: number): Promise<number[]> {
  const ids = Array.from({ length: count }, (_, place) => 1000 + place);
  const rows = ids.map(id => ({
    merchant_id: id,
    name: `Shop ${id}`,
    plan: defaultPlan,
    created_at: world.clock.now(),
    webhook_secret: world.secrets.seal(newWebhookSecret(), webhookSecretBinding(id)),
  }));
  await world.sql`insert into merchants ${world.sql(rows)} on conflict do nothing`;
  return ids;
}

/** Ten thousand due rows, spread over businesses and over loopback addresses that take a call and never answer. */
async function addBacklog(
  merchants: number[],
  destinations: number,
  dueAt: Date,
  attempt: number,
  { analyzed = true } = {},
): Promise<void> {
  const address = (place: string) =>
    `('127.1.' || (${place} % ${destinations}) / 250 || '.' || 1 + (${place} % ${destinations}) % 250)`;
  await world.sql.unsafe(
    `insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
     select m, 'evt_' || n, 'payment.paid', 'ML-' || n, 'http://' || ${address('n')} || ':${port}/', $2
     from (select n, ($1::bigint[])[1 + n % cardinality($1::bigint[])] as m from generate_series(0, 9999) n) s`,
    [merchants, dueAt],
  );
  await world.sql`insert into event_bodies (merchant_id, event_id, created_at, body)
    select merchant_id, event_id, created_at, '{}' from events`;
  await world.sql.unsafe(
    `insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at)
     select merchant_id, event_id, ${attempt}, 0, split_part(split_part(webhook_url, '/', 3), ':', 1), $1::timestamptz
     from events`,
    [dueAt],
  );
  if (analyzed) await world.sql`analyze`;
}

const minuteAgo = () => later(world.clock.now(), -60 * second);

test('a destination with ten thousand due events gets four places, and the others share the rest', async () => {
  await addBacklog([merchantId], 1, minuteAgo(), 2);
  assert.equal((await claimDue(world, allPlaces)).length, 4);
  assert.equal((await claimDue(world, allPlaces)).length, 0);
  const other = await addTestMerchant(world);
  const eventId = await addPaidEvent(world, other.merchantId, 'http://127.0.0.1:1/');
  assert.deepEqual(
    (await claimDue(world, allPlaces)).map(({ event_id }) => event_id),
    [eventId],
  );
});

test('retries behind another shop’s ten thousand are claimed next', async () => {
  await addBacklog([merchantId], 1, minuteAgo(), 2);
  await claimDue(world, allPlaces);
  const other = await addTestMerchant(world);
  const eventId = await addPaidEvent(world, other.merchantId, 'http://127.0.0.1:1/');
  await world.sql`update delivery_queue set attempt = 2 where event_id = ${eventId}`;
  assert.deepEqual(
    (await claimDue(world, allPlaces)).map(({ event_id }) => event_id),
    [eventId],
  );
});

test('a business with thousands of destinations gets sixteen places', async () => {
  await addBacklog([merchantId], 5000, minuteAgo(), 1);
  assert.equal((await claimDue(world, allPlaces)).length, 16);
  assert.equal((await claimDue(world, allPlaces)).length, 0);
});

test('a business’s burst does not delay a newer event of another', async () => {
  await addBacklog([merchantId], 1, world.clock.now(), 1);
  const other = await addTestMerchant(world);
  world.clock.advance(1);
  const eventId = await addPaidEvent(world, other.merchantId, 'http://127.0.0.1:1/');
  const claimed = (await claimDue(world, { places: 5, backlogPlaces: 0 })).map(({ event_id }) => event_id);
  assert.ok(claimed.includes(eventId));
  assert.equal(claimed.length, 5);
});

test('the backlog leaves half of the places free, for live events only', async () => {
  await addBacklog(await addMerchants(600), 5000, minuteAgo(), 1);
  assert.equal((await claimDue(world, allPlaces)).length, 128);
  assert.deepEqual(await claimDue(world, { places: 128, backlogPlaces: 0 }), []);
  const eventId = await addPaidEvent(world, merchantId, 'http://127.0.0.1:1/');
  const [live] = await claimDue(world, { places: 128, backlogPlaces: 0 });
  assert.deepEqual([live?.event_id, live?.is_live], [eventId, true]);
});

test('a burst is claimed and recorded by indexes, though the plans were made for an empty queue', async () => {
  // A vacuum alone leaves the pages of the tests before, if autovacuum looks at the table at that moment.
  await world.sql.unsafe('truncate delivery_queue, deliveries_in_hand');
  await world.sql.unsafe('vacuum delivery_queue, deliveries_in_hand');
  const merchants = await addMerchants(600);
  await world.sql.begin(async tx => {
    const claim = () => claimDue({ ...world, sql: tx as unknown as Sql }, allPlaces);
    const finish = (deliveries: readonly ClaimedDelivery[]) =>
      finishDelivered(
        tx,
        deliveries.map(delivery => ({ ...arrived, ...delivery })),
      );
    const rowsRead = async () => {
      const [row] = await tx<{ rows: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
        where relname in ('delivery_queue', 'deliveries_in_hand')`;
      return row!.rows;
    };
    const fail = (delivery: typeof nobodys, next: NextAttempt) =>
      finishFailed(tx, delivery, { ...arrived, outcome: 'timed_out' }, next);
    const again = { step: 1, dueAt: later(world.clock.now(), 60 * second) };
    await finish(await claim());
    for (const next of [again, null]) assert.equal(await fail(nobodys, next), false);
    await addBacklog(merchants, 5000, world.clock.now(), 1, { analyzed: false });
    const before = await rowsRead();
    const claimed = await claim();
    assert.equal(claimed.length, 256);
    const afterClaim = await rowsRead();
    assert.ok(afterClaim - before < 2_000, `${afterClaim - before} rows read for a claim`);
    const failing = claimed.splice(0, 56);
    assert.equal((await finish(claimed)).ids.size, 200);
    const afterFinish = await rowsRead();
    assert.ok(afterFinish - afterClaim < 2_000, `${afterFinish - afterClaim} rows read for its end`);
    for (const [place, delivery] of failing.entries())
      assert.ok(await fail(delivery, place % 2 === 0 ? again : null));
    const afterFailures = await rowsRead();
    // The claimed deliveries fill a page or two, and may be read as a whole.
    assert.ok(
      afterFailures - afterFinish < 2_000,
      `${afterFailures - afterFinish} rows read for 56 failures`,
    );
  });
});

const nobodys = { merchant_id: merchantId, delivery_id: 0, event_id: 'evt_none' };
const arrived: AttemptResult = {
  outcome: 'delivered',
  startedAt: world.clock.now(),
  durationMs: 1,
  statusCode: 200,
  failure: null,
  response: '',
  request: { url: '', headers: {} },
};

test('a failing destination may not use the places kept free', async () => {
  await addPaidEvent(world, merchantId, 'http://127.0.0.1:1/');
  await world.sql`insert into failing_destinations values (${merchantId}, '127.0.0.1', ${minuteAgo()}, 1, ${world.sql.json(because('answered', { status: 500 }))})`;
  assert.deepEqual(await claimDue(world, { places: 128, backlogPlaces: 0 }), []);
  assert.equal((await claimDue(world, allPlaces)).length, 1);
});

for (const [kind, merchants, destinations] of [
  ['one black hole', 1, 1],
  ['thousands of black holes of many businesses', 600, 5000],
] as const) {
  test(`a new event overtakes ten thousand first attempts to ${kind}`, async t => {
    const shop = await startReceiver();
    const ids = merchants === 1 ? [merchantId] : await addMerchants(merchants);
    await addBacklog(ids, destinations, minuteAgo(), 1);
    const sender = startDelivering({ ...world, clock: systemClock, metrics: openMetrics() });
    // Every place that the backlog may have is taken by a call that hangs.
    const held = merchants === 1 ? 4 : 128;
    while (sockets.size < held) await once(blackHole, 'connection');
    const other = await addTestMerchant(world);
    world.clock.set(systemClock.now());
    const began = performance.now();
    await addPaidEvent(world, other.merchantId, shop.url);
    await shop.until(1);
    t.diagnostic(`the new event arrived after ${Math.round(performance.now() - began)} ms`);
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    const stopping = sender.stop();
    const cut = setInterval(() => {
      for (const socket of sockets) socket.destroy();
    }, 20);
    await stopping;
    clearInterval(cut);
    sockets.clear();
    await shop.stop();
  });
}
