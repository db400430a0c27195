import { later, stopwatch, systemClock } from '../../src/base/clock.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { keepHistory } from '../../src/orders/history/keep-history.ts';
import { openTestWorld } from '../../test/support/test-world.ts';
import { addHistory } from '../http/add-history.ts';
import { addMerchants, type Merchant } from '../http/add-merchants.ts';
import { explainHistory } from '../http/explain-history.ts';
import { processorSeconds, serverPid } from '../processor.ts';
import { report } from '../report.ts';

/**
 * The cost of archiving an order of a business with many due orders, against one with few, on one database. Also the
 * cost of a run that finds nothing to do among all those orders.
 */
const sizes = { few: 10_000, many: Number(process.argv[2] ?? 1_000_000) };
const turns = 5;
const day = 86_400_000;

type Cost = { removed: number; seconds: number; processor: number };

const world = await openTestWorld();
Object.assign(world, { clock: systemClock });
try {
  const { sql } = world;
  await sql`insert into plans (plan, history_days) values ('week', 7), ('years', 4000)`;
  const [many, ...fews] = (await addMerchants(sql, 1_000_000_000_001, 1 + turns)) as [
    Merchant,
    ...Merchant[],
  ];
  const seeding = stopwatch();
  for (const few of fews) await seed(few, sizes.few);
  await seed(many, sizes.many);
  await sql.unsafe('vacuum analyze');
  console.log(`seeded ${sizes.many} orders in ${Math.round(seeding() / 1000)} s`);
  await sql`update merchants set plan = 'years'`;

  const idle = stopwatch();
  const nothing = await keepHistory(world);
  const idleMs = idle();
  if (nothing.archived + nothing.removed > 0) throw new Error('something was due');
  await explainHistory(world, many.merchantId);

  const costs = {
    few: { removed: 0, seconds: 0, processor: 0 },
    many: { removed: 0, seconds: 0, processor: 0 },
  };
  // In turns, so that other load on the machine hits both alike.
  for (const [turn, few] of fews.entries()) {
    await archive('few', few, Number.POSITIVE_INFINITY);
    await archive('many', many, turn === turns - 1 ? Number.POSITIVE_INFINITY : sizes.many / turns);
  }
  const perOrder = ({ seconds, removed }: Cost) => (seconds * 1e6) / removed;
  const processorOf = ({ processor, removed }: Cost) => (processor * 1e6) / removed;
  console.log(`\nby processor time: ${(processorOf(costs.many) / processorOf(costs.few)).toFixed(2)}`);
  report({
    name: 'archive',
    aim: { atMost: 1.2 },
    ratio: perOrder(costs.many) / perOrder(costs.few),
    rows: [
      ...(['few', 'many'] as const).map(side => ({
        what: `${costs[side].removed} orders archived and removed, of businesses with ${sizes[side]}`,
        seconds: costs[side].seconds.toFixed(1),
        'µs an order': Math.round(perOrder(costs[side])),
        'processor, µs an order': Math.round(processorOf(costs[side])),
      })),
      {
        what: 'a look that finds nothing to do',
        seconds: (idleMs / 1000).toFixed(3),
        'µs an order': 0,
        'processor, µs an order': 0,
      },
    ],
  });

  /** Runs until nothing is due, or this many orders have left. The others' plans keep theirs for that time. */
  async function archive(side: keyof typeof costs, { merchantId }: Merchant, most: number): Promise<void> {
    const cost = costs[side];
    await sql`update merchants set plan = 'week' where merchant_id = ${merchantId}`;
    await sql`update history_progress set window_days = 7, kept_days = 7 where merchant_id = ${merchantId}`;
    const pids = [process.pid, await serverPid(sql)];
    const before = processorSeconds(pids);
    const took = stopwatch();
    for (let removed = 0; removed < most; ) {
      const kept = await keepHistory(world);
      removed += kept.removed;
      cost.removed += kept.removed;
      if (kept.archived + kept.removed === 0) break;
    }
    cost.seconds += took() / 1000;
    cost.processor += processorSeconds(pids) - before;
    await sql`update merchants set plan = 'years' where merchant_id = ${merchantId}`;
  }
} finally {
  await world.stop();
}

async function seed(merchant: Merchant, count: number): Promise<void> {
  await world.sql.begin(
    async tx => {
      await tx`set local statement_timeout = 0`;
      await addHistory(tx as unknown as Sql, merchant, count);
      // All have been hidden for two weeks by a history of one week; none is older than its plan's years.
      await tx`
        update orders set created_at = created_at - interval '23 days', expires_at = created_at - interval '22 days 23 hours',
          paid_at = paid_at - interval '23 days'
        where merchant_id = ${merchant.merchantId} and created_at > ${later(systemClock.now(), -23 * day)}`;
      // Every tenth order has everything that a payment leaves behind, so that each statement meets a large table.
      await tx`
        insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
        select merchant_id, 'evt_' || order_id, 'payment.paid', order_id, webhook_url, paid_at from orders
        where merchant_id = ${merchant.merchantId} and paid_at is not null and order_id like '%0'`;
      await tx`
        insert into event_bodies (merchant_id, event_id, created_at, body)
        select merchant_id, event_id, created_at, repeat('x', 900) from events where merchant_id = ${merchant.merchantId}`;
      await tx`
        insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, asked_by)
        select merchant_id, nextval('delivery_ids'), event_id, 1, 'delivered', created_at, created_at, 'schedule'
        from events where merchant_id = ${merchant.merchantId}`;
      await tx`
        insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict)
        select merchant_id, 'al_' || event_id, 9, created_at, 'INBOX', 'paid' from events where merchant_id = ${merchant.merchantId}`;
      await tx`
        insert into raw_mails (merchant_id, alert_id, arrived_at, raw)
        select merchant_id, alert_id, arrived_at, 'raw' from alerts where merchant_id = ${merchant.merchantId}`;
      await tx`
        insert into notices (merchant_id, kind, facts, dedupe_key, created_at)
        select merchant_id, 'mailbox_seeing', '{}', event_id, created_at from events where merchant_id = ${merchant.merchantId}
        order by created_at`;
      await tx`
        insert into claimed_references (merchant_id, order_id, bank_reference, claimed_at)
        select merchant_id, order_id, bank_reference, paid_at from orders
        where merchant_id = ${merchant.merchantId} and paid_at is not null and order_id like '%0'`;
      await tx`
        insert into order_purposes (merchant_id, order_id, purpose, created_at)
        select merchant_id, order_id, 'sweets', created_at from orders
        where merchant_id = ${merchant.merchantId} and order_id like '%1'`;
      await tx`
        insert into handled_credits (merchant_id, alert_id, state, done_by, done_at)
        select merchant_id, alert_id, 'kept', 'milaan', arrived_at from alerts where merchant_id = ${merchant.merchantId}`;
      await tx`
        insert into given_up_events (merchant_id, event_id, created_at)
        select merchant_id, event_id, created_at from events where merchant_id = ${merchant.merchantId} and event_id like '%00'`;
      await tx`
        insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at)
        select merchant_id, event_id, 2, 1, 'shop.example.com', created_at + interval '10 years' from events
        where merchant_id = ${merchant.merchantId} and event_id like '%50'`;
    },
    { patient: true },
  );
}
