import { madeOnce } from '../../base/metrics.ts';

export type MailboxMetrics = ReturnType<typeof mailboxMetrics>;

export const mailboxMetrics = madeOnce(metrics => ({
  owned: metrics.gauge('milaan_mailboxes_owned', 'The number of mailboxes that this process watches.'),
  connected: metrics.gauge('milaan_mailboxes_connected', 'The number of open sessions of this process.'),
  blind: metrics.gauge(
    'milaan_mailboxes_blind',
    'The number of mailboxes of the installation that could not be read for 90 s.',
  ),
  needLogin: metrics.gauge('milaan_mailboxes_need_login', 'The number of mailboxes that refuse the login.'),
  polls: metrics.counter('milaan_mailbox_polls_total', 'Finished polls of whole mailboxes.'),
  holes: metrics.counter(
    'milaan_mailbox_unfetchable_total',
    'Mails that a server lists but does not deliver.',
  ),
  lag: metrics.histogram(
    'milaan_mailbox_lag_seconds',
    "The time from the mail server's receipt of an alert until it was stored.",
    [0.5, 1, 2, 5, 10, 30, 60, 120, 600, 3600],
  ),
}));
