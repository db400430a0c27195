import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter, Gauge } from 'prom-client';
import { second, stopwatch } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { recordPatiently } from '../../base/database/record-patiently.ts';
import type { World } from '../../base/world.ts';
import { openShopConnections, type ShopConnections } from '../connections.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type ClaimedDelivery, claimDue, type FreePlaces, repeatLapsed } from './queries/attempts.ts';
import { selectQueueDepth } from './queries/deliveries.ts';
import { deliveryChannel } from './queries/events.ts';
import { Stopping } from './reason-of-failure.ts';
import { openRecorder, type Recorded, type Recorder } from './record-attempt.ts';

/** The limit of parallel attempts in this process. Half of the places are only for live first attempts. */
const places = 256;
const backlogPlaces = 128;

/** Polling finds retries, and rows whose NOTIFY was lost or not passed on by a pooler. */
const pollEvery = 1 * second;
/** Milliseconds in which several wake-ups become one. */
const breath = 10;
/** After a backlog scan without results, wait this many times its duration. */
const restFactor = 4;
const measureEvery = 10 * second;
/** After SIGTERM, attempts may finish in this time. Then they are aborted and released. */
const finishWithin = 7 * second;

/** Sleeps until a NOTIFY, a free place or a second, then claims while attempts run. Several processes may run it. */
export function startDelivering(world: World): { stop(): Promise<void> } {
  const metrics = deliveryMetrics(world);
  const tools = { metrics, record: openRecorder(world), connections: openShopConnections() };
  const stopping = new AbortController();
  const inHand = new Map<Promise<unknown>, ClaimedDelivery>();

  const send = (delivery: ClaimedDelivery) => {
    const sending = deliver(world, tools, delivery, stopping.signal).finally(() => {
      inHand.delete(sending);
      if (mayBeLeft) worker.ring();
    });
    inHand.set(sending, delivery);
  };

  const running = stopwatch();
  let measuredAt = Number.NEGATIVE_INFINITY;
  let polledAt = Number.NEGATIVE_INFINITY;
  let backlogFrom = 0;
  /** True if a delivery may wait for a free place. */
  let mayBeLeft = true;
  /** Returns the longest wait before the next round. */
  const round = async (): Promise<number> => {
    const began = running();
    if (began - polledAt >= pollEvery) {
      polledAt = began;
      await repeatLapsed(world.sql, world.clock.now());
    }
    if (began - measuredAt >= measureEvery) {
      measuredAt = began;
      await measureQueue(world, metrics);
    }
    const free = freePlaces([...inHand.values()]);
    mayBeLeft = true;
    if (free.places === 0) return pollEvery;
    const isResting = running() < backlogFrom;
    const asked = running();
    const claimed = await claimDue(world, isResting ? { ...free, backlogPlaces: 0 } : free);
    mayBeLeft = claimed.length === 0 || claimed.some(({ is_left }) => is_left);
    claimed.forEach(send);
    if (!isResting && !claimed.some(({ is_live }) => !is_live)) {
      backlogFrom = running() + Math.min(pollEvery, restFactor * (running() - asked));
    }
    if (claimed.length > 0) return mayBeLeft ? 0 : pollEvery;
    return isResting ? Math.max(0, backlogFrom - running()) : pollEvery;
  };
  const rhythm = { what: 'claiming webhook deliveries', pause: pollEvery, channel: deliveryChannel, breath };
  const worker = keepWorking(world, rhythm, round);

  return {
    async stop() {
      const finished = worker.stop().then(() => Promise.all(inHand.keys()));
      await Promise.race([finished, sleep(finishWithin, null, { ref: false })]);
      stopping.abort(new Stopping());
      await Promise.race([Promise.all(inHand.keys()), sleep(second, null, { ref: false })]);
      tools.connections.close();
    },
  };
}

function freePlaces(inHand: readonly ClaimedDelivery[]): FreePlaces {
  const backlog = inHand.filter(delivery => !delivery.is_live).length;
  return { places: places - inHand.length, backlogPlaces: Math.max(0, backlogPlaces - backlog) };
}

type Tools = { metrics: DeliveryMetrics; record: Recorder; connections: ShopConnections };

/** Attempts and records one delivery. Never throws: an unrecorded delivery is due again after its lease. */
async function deliver(
  world: Pick<World, 'dns' | 'config' | 'clock' | 'secrets' | 'log'>,
  { metrics, record, connections }: Tools,
  delivery: ClaimedDelivery,
  stopping: AbortSignal,
): Promise<Recorded> {
  const about = { merchant: delivery.merchant_id, event: delivery.event_id, attempt: delivery.attempt };
  try {
    const result = await attemptDelivery(world, delivery, stopping, connections);
    metrics.attempts.inc({ outcome: result.outcome });
    const write = () => record(delivery, result);
    const recorded = await recordPatiently(world, write, stopping, delivery.leased_until);
    // The merchant's log and the metrics have successes. Logging each would cost a sixth of the sender's time.
    const level = recorded === 'delivered' ? 'debug' : 'info';
    world.log[level](
      { ...about, outcome: result.outcome, status: result.statusCode, recorded },
      'webhook attempt',
    );
    return recorded;
  } catch (error) {
    world.log.error(
      { ...about, err: error },
      'a webhook attempt could not be recorded; its lease will lapse',
    );
    return 'lost';
  }
}

type DeliveryMetrics = {
  attempts: Counter<string>;
  oldest: Gauge<string>;
  sending: Gauge<string>;
};

function deliveryMetrics({ metrics }: Pick<World, 'metrics'>): DeliveryMetrics {
  const attempts = metrics.counter('milaan_webhook_attempts_total', 'Webhook attempts, by outcome.', [
    'outcome',
  ]);
  // Start the series at 0, or Prometheus would not see its first failure as an increase.
  attempts.inc({ outcome: 'not_signed' }, 0);
  return {
    attempts,
    oldest: metrics.gauge(
      'milaan_webhook_oldest_due_seconds',
      'For how long the oldest of the due deliveries has waited.',
    ),
    sending: metrics.gauge('milaan_webhook_sending', 'Webhook deliveries being sent by all processes.'),
  };
}

async function measureQueue(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  metrics: DeliveryMetrics,
): Promise<void> {
  const now = clock.now();
  const { oldest, sending } = await selectQueueDepth(sql, now);
  metrics.oldest.set(oldest === null ? 0 : (now.getTime() - oldest.getTime()) / second);
  metrics.sending.set(sending);
}
