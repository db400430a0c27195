import { madeOnce } from '../../base/metrics.ts';

export type MailboxMetrics = ReturnType<typeof mailboxMetrics>;

export const mailboxMetrics = madeOnce(metrics => ({
  owned: metrics.gauge('milaan_mailboxes_owned', 'Mailboxes this process watches.'),
  connected: metrics.gauge('milaan_mailboxes_connected', 'Mailboxes with an open session in this process.'),
  blind: metrics.gauge(
    'milaan_mailboxes_blind',
    'Mailboxes of the installation that nobody could read for 90 s.',
  ),
  needLogin: metrics.gauge('milaan_mailboxes_need_login', 'Mailboxes whose login is refused.'),
  polls: metrics.counter('milaan_mailbox_polls_total', 'Finished catch-ups of whole mailboxes.'),
  mails: metrics.counter('milaan_mailbox_mails_total', 'Bank mails found and stored.'),
  holes: metrics.counter(
    'milaan_mailbox_unfetchable_total',
    'Mails that a server lists but does not hand out.',
  ),
  failures: metrics.counter('milaan_mailbox_failures_total', 'Sessions that failed.', ['kind']),
  lag: metrics.histogram(
    'milaan_mailbox_lag_seconds',
    "From the mail server's receipt of an alert to our storing it.",
    [0.5, 1, 2, 5, 10, 30, 60, 120, 600, 3600],
  ),
}));
