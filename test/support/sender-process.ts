import { openBankBook } from '../../src/alerts/book/open-bank-book.ts';
import { systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { openLog } from '../../src/base/log.ts';
import { openMetrics } from '../../src/base/metrics.ts';
import { openDns } from '../../src/base/network/dns.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { startDelivering } from '../../src/outbox/webhooks/start-delivering.ts';
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
