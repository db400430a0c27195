import { madeOnce } from '../../base/metrics.ts';

export const alertMetrics = madeOnce(metrics => ({
  judged: metrics.counter('milaan_alerts_judged_total', 'Alerts with a final verdict.', ['bank', 'verdict']),
  doubted: metrics.counter(
    'milaan_alerts_key_doubted_total',
    "Unchanged mails in a bank's name that the key in DNS did not sign; the key is asked for again for a day.",
  ),
  unlisted: metrics.counter(
    'milaan_alerts_unlisted_domain_total',
    "Mails from a bank's sender, validly signed by a domain that may be the bank's but is not in its entry.",
  ),
  unlistedLines: metrics.gauge(
    'milaan_alerts_unlisted_lines',
    'The number of unknown lines in bank mails. Mails with such a line pay nothing until an operator decides.',
  ),
  retrying: metrics.gauge(
    'milaan_alerts_retrying',
    'Alerts that wait for a passing fault to end: DNS is down, or a key does not fit yet.',
  ),
  dnsFailures: metrics.counter(
    'milaan_dns_failures_total',
    "DNS queries for a bank's key that failed, by kind: temporary or not_found.",
    ['kind'],
  ),
  keyChanges: metrics.counter(
    'milaan_alerts_key_changes_total',
    'Keys that were seen for the first time under a name that had another key.',
  ),
  withdrawn: metrics.gauge(
    'milaan_alerts_keys_withdrawn',
    'The number of key names that banks used in the last two days and then withdrew.',
  ),
  quietBanks: metrics.gauge(
    'milaan_alerts_quiet_bank_mails',
    'Mails of a bank since the day of its last credit. Only banks that reported credits before and sent ten or more mails since.',
    ['bank'],
  ),
  waiting: metrics.gauge('milaan_alerts_waiting', 'The number of alerts that wait for their first verdict.'),
  oldest: metrics.gauge(
    'milaan_alerts_oldest_waiting_seconds',
    'The age of the oldest alert that waits for its first verdict.',
  ),
}));
