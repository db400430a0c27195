import type { Metrics } from '../metrics.ts';

export type AlertMeters = ReturnType<typeof makeMeters>;

const made = new WeakMap<Metrics, AlertMeters>();

/** The meters of this folder, made once for each registry. */
export function alertMeters(metrics: Metrics): AlertMeters {
  const known = made.get(metrics);
  if (known) return known;
  const meters = makeMeters(metrics);
  made.set(metrics, meters);
  return meters;
}

function makeMeters(metrics: Metrics) {
  return {
    judged: metrics.counter('milaan_alerts_judged_total', 'Alerts with a final verdict.', ['verdict']),
    unlisted: metrics.counter(
      'milaan_alerts_unlisted_domain_total',
      "Mails from a bank's sender, validly signed by a domain that the bank's entry does not list.",
    ),
    inHand: metrics.gauge('milaan_alerts_in_hand', 'Alerts being judged by this process.'),
    waiting: metrics.gauge('milaan_alerts_waiting', 'Alerts that nobody has judged yet.'),
    oldest: metrics.gauge(
      'milaan_alerts_oldest_waiting_seconds',
      'Age of the oldest alert that nobody has judged.',
    ),
  };
}
