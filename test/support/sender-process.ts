import { openBankBook } from '../../src/alerts/bank-book.ts';
import { systemClock } from '../../src/clock.ts';
import { connect } from '../../src/database/connect.ts';
import { openLog } from '../../src/log.ts';
import { openMetrics } from '../../src/metrics.ts';
import { openDns } from '../../src/network/dns.ts';
import { secretBox } from '../../src/secrets.ts';
import { startDelivering } from '../../src/webhooks/start-delivering.ts';
import { sandboxConfig } from './live-config.ts';

/** A sender as a process of its own, so that a test can kill it. Arguments: database, key in hex. */
const [url = '', key = ''] = process.argv.slice(2);
startDelivering({
  config: sandboxConfig(),
  baseUrl: 'http://127.0.0.1',
  sql: connect(url, { most: 4 }),
  clock: systemClock,
  dns: openDns([]),
  log: openLog('silent'),
  metrics: openMetrics(),
  secrets: secretBox([Buffer.from(key, 'hex')]),
  banks: openBankBook(() => []),
});
