import { madeOnce } from '../../base/metrics.ts';

export const forwardingMetrics = madeOnce(metrics => ({
  connections: metrics.gauge('milaan_receive_connections', 'The number of open SMTP connections.'),
  mails: metrics.counter('milaan_receive_mails_total', 'Mails that were received, by outcome.', ['outcome']),
  refused: metrics.counter('milaan_receive_refused_total', 'Refused connections, recipients and mails.', [
    'why',
  ]),
  seconds: metrics.histogram(
    'milaan_receive_seconds',
    'The time from the last byte of a mail to the answer, which is sent after the commit.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ),
  open: metrics.gauge('milaan_forwardings_open', 'The number of forwarding addresses in use.'),
  silent: metrics.gauge(
    'milaan_forwardings_silent',
    'The number of forwarding addresses whose probe did not come back within 5 minutes.',
  ),
  probes: metrics.counter('milaan_probes_total', 'Probes that were handed to the mail server, by outcome.', [
    'outcome',
  ]),
}));
