import { madeOnce } from '../../base/metrics.ts';

export const forwardingMetrics = madeOnce(metrics => ({
  connections: metrics.gauge('milaan_receive_connections', 'Open connections of mail servers.'),
  mails: metrics.counter(
    'milaan_receive_mails_total',
    'Mails that were handed over to us, by what they were.',
    ['outcome'],
  ),
  refused: metrics.counter('milaan_receive_refused_total', 'Connections, recipients and mails refused.', [
    'why',
  ]),
  seconds: metrics.histogram(
    'milaan_receive_seconds',
    'From the last byte of a mail to our answer, which comes after the commit.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ),
  open: metrics.gauge('milaan_forwardings_open', 'Forwarding addresses that are given out.'),
  silent: metrics.gauge(
    'milaan_forwardings_silent',
    'Of these, those whose probe did not come back in 5 minutes.',
  ),
  probes: metrics.counter('milaan_probes_total', 'Probes handed to the mail server, by outcome.', [
    'outcome',
  ]),
}));
