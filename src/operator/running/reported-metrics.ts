/** A metric whose growth is reported, and the label values that count. Without values, all count. */
export type Metric = [metric: string, ...values: string[]];

export const reportedMetrics = {
  dns_failures: ['milaan_dns_failures_total'],
  keys_doubted: ['milaan_alerts_key_doubted_total'],
  key_changes: ['milaan_alerts_key_changes_total'],
  unlisted_domains: ['milaan_alerts_unlisted_domain_total'],
  unfetchable: ['milaan_mailbox_unfetchable_total'],
  alerts_stored: ['milaan_mailbox_lag_seconds', '+Inf'],
  alerts_in_time: ['milaan_mailbox_lag_seconds', '60'],
  not_signed: ['milaan_webhook_attempts_total', 'not_signed'],
  mails_sent: ['milaan_notices_total', 'sent'],
  mails_failed: ['milaan_notices_total', 'failed'],
  pushes_sent: ['milaan_pushes_total', 'sent'],
  pushes_failed: ['milaan_pushes_total', 'failed', 'given_up'],
} satisfies Record<string, Metric>;

export type ReportedMetric = keyof typeof reportedMetrics;
