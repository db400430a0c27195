import { madeOnce } from '../../base/metrics.ts';

export const alertMetrics = madeOnce(metrics => ({
  judged: metrics.counter('milaan_alerts_judged_total', 'Alerts with a final verdict.', ['bank', 'verdict']),
  doubted: metrics.counter(
    'milaan_alerts_key_doubted_total',
    "Mails in a bank's name, whole in themselves, that the key in DNS did not sign; asked again for a day.",
  ),
  unlisted: metrics.counter(
    'milaan_alerts_unlisted_domain_total',
    "Mails from a bank's sender, validly signed by a domain that may be the bank's and is not in its entry.",
  ),
  unlistedLines: metrics.gauge(
    'milaan_alerts_unlisted_lines',
    'Lines in mails of banks that keep credits from being read until the operator lists them.',
  ),
  retrying: metrics.gauge(
    'milaan_alerts_retrying',
    'Alerts that wait for a passing fault to end: DNS away, or a key that does not fit yet.',
  ),
  dnsFailures: metrics.counter(
    'milaan_dns_failures_total',
    "Questions for a bank's key that DNS did not answer, by kind: temporary, or not_found.",
    ['kind'],
  ),
  keyChanges: metrics.counter(
    'milaan_alerts_key_changes_total',
    'Keys seen for the first time under a name that had another one before.',
  ),
  withdrawn: metrics.gauge(
    'milaan_alerts_keys_withdrawn',
    'Names of keys that banks used in the last two days and have withdrawn since.',
  ),
  inHand: metrics.gauge('milaan_alerts_in_hand', 'Alerts being judged by this process.'),
  waiting: metrics.gauge('milaan_alerts_waiting', 'Alerts that nobody has judged yet.'),
  oldest: metrics.gauge(
    'milaan_alerts_oldest_waiting_seconds',
    'Age of the oldest alert that nobody has judged.',
  ),
}));
