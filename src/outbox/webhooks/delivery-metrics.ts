import type { Counter, Gauge, Histogram } from 'prom-client';
import { second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { selectQueueDepth } from './queries/read.ts';

export type DeliveryMetrics = {
  attempts: Counter<string>;
  seconds: Histogram<string>;
  due: Gauge<string>;
  oldest: Gauge<string>;
  sending: Gauge<string>;
};

export function deliveryMetrics({ metrics }: Pick<World, 'metrics'>): DeliveryMetrics {
  const attempts = metrics.counter('milaan_webhook_attempts_total', 'Webhook attempts by outcome', [
    'outcome',
  ]);
  // A series that begins with its first failure hides it: Prometheus sees increases only from what was there before.
  attempts.inc({ outcome: 'not_signed' }, 0);
  const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
  return {
    attempts,
    seconds: metrics.histogram('milaan_webhook_attempt_seconds', 'Duration of webhook attempts', buckets),
    due: metrics.gauge('milaan_webhook_due', 'Webhook deliveries that are due and wait for a place'),
    oldest: metrics.gauge(
      'milaan_webhook_oldest_due_seconds',
      'For how long the oldest of them has been due',
    ),
    sending: metrics.gauge('milaan_webhook_sending', 'Webhook deliveries being sent by all processes'),
  };
}

export async function measureQueue(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  metrics: DeliveryMetrics,
): Promise<void> {
  const now = clock.now();
  const { due, oldest, sending } = await selectQueueDepth(sql, now);
  metrics.due.set(due);
  metrics.oldest.set(oldest === null ? 0 : (now.getTime() - oldest.getTime()) / second);
  metrics.sending.set(sending);
}
